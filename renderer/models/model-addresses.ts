/** Where models run, judging by their address: the basis of what a person is told about data that leaves this computer. */
import { factsOf, type Provider } from '../../shared/providers.ts';

/** The address that a connection uses: its own, else its provider's usual one; empty when there is neither. */
export const addressOf = (provider: Provider, baseUrl: string | null): string =>
  baseUrl ?? factsOf(provider).address ?? '';

/** The host of an address, with its port if it names one; null: it isn't an http or https address. */
export function hostOf(address: string): string | null {
  const url = URL.parse(address);
  return url !== null && /^https?:$/.test(url.protocol) && url.hostname !== '' ? url.host : null;
}
