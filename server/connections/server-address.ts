/** Addresses of model servers, and the headers of requests to them. */
import { isLoopback } from '../../shared/model-addresses.ts';
import { factsOf, type Provider } from '../../shared/providers.ts';
import { invalidField } from '../errors.ts';
import { RECORDS } from './providers/index.ts';
import type { ModelAccess } from './model-access.ts';

/** A kind of server at an address. */
export interface ServerAddress {
  provider: Provider;
  /** Null: the provider's own address. */
  baseUrl: string | null;
}

/** The base address of a server's endpoints. */
export function baseAddressOf({ provider, baseUrl }: ServerAddress): string {
  const { address, title } = factsOf(provider);
  const where = baseUrl ?? address;
  if (where === null) throw new TypeError(`A connection to ${title} has an address.`);
  return where;
}

/** The default name for the server at an address. */
export const usualNameOf = (server: ServerAddress): string => {
  const { isFormat, title } = factsOf(server.provider);
  return isFormat === true ? new URL(baseAddressOf(server)).host : title;
};

/** Whether what is sent to a server leaves this computer. */
export const leavesComputer = (server: ServerAddress): boolean => !isLoopback(baseAddressOf(server));

/** A given address as it is stored; null: the provider's own. Throws AppError `invalid_request` if it is invalid, or missing where required. */
export function readBaseUrl(provider: Provider, text: string | null): string | null {
  const usual = factsOf(provider).address;
  if (text === null) {
    if (usual === null) throw invalidField('baseUrl', '"baseUrl" must be the address of the server.');
    return null;
  }
  const url = URL.parse(text);
  if (url === null) {
    throw invalidField('baseUrl', '"baseUrl" must be an address like "http://127.0.0.1:8080/v1".');
  }
  const { endpoints } = RECORDS[provider];
  const path = url.pathname.replace(SLASHES, '').replace(endpoints, '').replace(SLASHES, '');
  const address = url.origin + path;
  return address === usual ? null : address;
}

const SLASHES = /(?<!\/)\/+$/;

/** Whether a key that was given for one server may be sent to the other. */
export const mayShareKey = (one: ServerAddress, other: ServerAddress): boolean =>
  one.provider === other.provider &&
  new URL(baseAddressOf(one)).origin === new URL(baseAddressOf(other)).origin;

/** The headers of requests to a server: its key's, and the connection's own, which replace those of the same name. */
export function headersFor({
  provider,
  apiKey,
  headers = {},
}: Pick<ModelAccess, 'provider' | 'apiKey' | 'headers'>): Record<string, string> {
  const own = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const);
  return { ...RECORDS[provider].headers(apiKey), ...Object.fromEntries(own) };
}
