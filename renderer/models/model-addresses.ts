/** Where models run, as far as their address tells: what a person is told about what leaves this computer. */
import { factsOf, type Provider } from '../../shared/providers.ts';

/** The address that a connection uses: its own, else its provider's usual one; empty when there is neither. */
export const addressOf = (provider: Provider, baseUrl: string | null): string =>
  baseUrl ?? factsOf(provider).address ?? '';

/** The host of an address, with its port where it names one; null: it is no http or https address. */
export function hostOf(address: string): string | null {
  const url = URL.parse(address);
  return url !== null && /^https?:$/.test(url.protocol) && url.hostname !== '' ? url.host : null;
}
