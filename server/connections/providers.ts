/** Where the servers of each kind are, and what people call them. */
import type { Provider } from '../../shared/api/connection.ts';
import { USUAL_ADDRESS } from '../../shared/model-addresses.ts';
import { invalidField } from '../errors.ts';

/** What people call a provider. */
export const PROVIDER_TITLES: Readonly<Record<Provider, string>> = {
  openai_compatible: 'OpenAI-compatible server',
  ollama: 'Ollama',
  openai: 'OpenAI',
  anthropic: 'Anthropic',
  google: 'Google',
};

/** What people add to an address though it belongs to single endpoints. */
const ENDPOINTS: Readonly<Record<Provider, RegExp>> = {
  openai_compatible: /\/(?:chat\/completions|completions|models)$/,
  ollama: /\/(?:api|v1)$/,
  openai: /\/(?:chat\/completions|responses|models)$/,
  anthropic: /\/(?:messages|models)$/,
  google: /\/models$/,
};

/** A server, as far as its address goes. */
export interface Place {
  provider: Provider;
  /** Null: the provider's own address. */
  baseUrl: string | null;
}

/** Where the endpoints of a place begin. */
export function addressOf({ provider, baseUrl }: Place): string {
  const address = baseUrl ?? USUAL_ADDRESS[provider];
  if (address === null)
    throw new TypeError(`A connection to an ${PROVIDER_TITLES[provider]} has an address.`);
  return address;
}

/**
 * An address that a person gave, as it is stored; null: the provider's own. Throws AppError `invalid_request` for one that
 * is none, and where one is needed.
 */
export function readBaseUrl(provider: Provider, text: string | null): string | null {
  if (text === null) {
    if (USUAL_ADDRESS[provider] === null)
      throw invalidField('baseUrl', '"baseUrl" must be the address of the server.');
    return null;
  }
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw invalidField('baseUrl', '"baseUrl" must be an address like "http://127.0.0.1:8080/v1".');
  }
  const path = url.pathname.replace(/\/+$/, '').replace(ENDPOINTS[provider], '').replace(/\/+$/, '');
  const address = url.origin + path;
  return address === USUAL_ADDRESS[provider] ? null : address;
}

/** Whether a key that was given for one place may be sent to the other. */
export const isSameServer = (one: Place, other: Place): boolean =>
  one.provider === other.provider && new URL(addressOf(one)).origin === new URL(addressOf(other)).origin;
