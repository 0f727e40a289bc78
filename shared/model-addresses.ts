/** Where model servers are, as far as their addresses tell. */
import type { Provider } from './api/connection.ts';

/** The providers' own addresses, up to what all their endpoints share; null: each server has one of its own. */
export const USUAL_ADDRESS: Readonly<Record<Provider, string | null>> = {
  openai_compatible: null,
  ollama: 'http://127.0.0.1:11434',
  openai: 'https://api.openai.com/v1',
  anthropic: 'https://api.anthropic.com/v1',
  google: 'https://generativelanguage.googleapis.com/v1beta',
};

/** Whether an address is on this computer, so that nothing leaves it. */
export function isLoopback(address: string): boolean {
  const host = URL.parse(address)?.hostname ?? '';
  return /^(?:127(?:\.\d+){3}|\[::1\]|(?:.+\.)?localhost)$/.test(host);
}
