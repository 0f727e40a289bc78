/** Where models run, as far as their address tells: what a person is told about what leaves this computer. */
import type { Provider } from '../../shared/api/connection.ts';

/** Where each provider is unless told otherwise; null: each server has an address of its own. */
export const USUAL_ADDRESS: Readonly<Record<Provider, string | null>> = {
  openai_compatible: null,
  ollama: 'http://127.0.0.1:11434',
  openai: 'https://api.openai.com/v1',
  anthropic: 'https://api.anthropic.com/v1',
  google: 'https://generativelanguage.googleapis.com/v1beta',
};

/** The address that a connection uses: its own, else its provider's usual one; empty when there is neither. */
export const addressOf = (provider: Provider, baseUrl: string | null): string =>
  baseUrl ?? USUAL_ADDRESS[provider] ?? '';

/** The host of an address, with its port where it names one; null: it is no http or https address. */
export function hostOf(address: string): string | null {
  const url = URL.parse(address);
  return url !== null && /^https?:$/.test(url.protocol) && url.hostname !== '' ? url.host : null;
}

/** Whether an address is on this computer, so that nothing leaves it. */
export function isLoopback(address: string): boolean {
  const host = URL.parse(address)?.hostname ?? '';
  return /^(?:127(?:\.\d+){3}|\[::1\]|(?:.+\.)?localhost)$/.test(host);
}
