/**
 * A connection's credentials: its key, and the values of headers that a person set. They are stored together in one
 * secret under the connection's id, so that they change at once; the connection's row says which of them belong to it.
 */
import { namesHeader, type GivenHeaders } from '../secrets/header-values.ts';
import { createStrictMask, type Mask, type SecretValues } from '../secrets/mask.ts';
import { readTogether, valuesOf } from '../secrets/row-secrets.ts';
import type { Secrets } from '../secrets/secrets.ts';
import type { StoredConnection } from '../store/connection-repository.ts';

/** Prefix of the names of connections' secrets; the id follows. */
export const PREFIX = 'connection:';

/** The key and headers of requests. Never logged or shown. */
export interface Credentials {
  /** Null: none. */
  apiKey: string | null;
  headers: SecretValues;
}

/** No key and no headers. */
export const NO_CREDENTIALS: Credentials = { apiKey: null, headers: {} };

/** The result of reading them. `locked`: they can't be read at the moment; the reason says why. A lost key is null. */
export type CredentialsReading = ({ state: 'present' } & Credentials) | { state: 'locked'; reason: string };

/** What a connection's row says about them. */
export type CredentialsOwner = Pick<StoredConnection, 'id' | 'hasKey' | 'headerNames'>;

/** What a request says about them. Missing ones stay, null removes. */
export interface GivenCredentials {
  apiKey?: string | null;
  headers?: GivenHeaders;
}

/** Whether there is a secret. */
export const hasAny = ({ hasKey, headerNames }: Omit<CredentialsOwner, 'id'>): boolean =>
  hasKey || headerNames.length > 0;

/** A connection's credentials; nothing is read for one that has none. */
export async function readCredentials(
  secrets: Pick<Secrets, 'read'>,
  { id, hasKey, headerNames }: CredentialsOwner,
): Promise<CredentialsReading> {
  if (!hasAny({ hasKey, headerNames })) return { state: 'present', ...NO_CREDENTIALS };
  const reading = await secrets.read(PREFIX + id);
  if (reading.state === 'locked') return reading;
  const kept = parseCredentials(reading.state === 'present' ? reading.text : '');
  const headers = valuesOf(kept.headers, headerNames);
  if (headers.state === 'locked') return headers;
  return { state: 'present', apiKey: hasKey ? kept.apiKey : null, headers: headers.values };
}

/** The part of a secret's text that belongs to its owner; all of it if some of that part is lost. */
export function onlyOf({ hasKey, headerNames }: CredentialsOwner, text: string): string {
  const kept = parseCredentials(text);
  const headers = valuesOf(kept.headers, headerNames);
  return headers.state === 'locked'
    ? text
    : writeCredentials({ apiKey: hasKey ? kept.apiKey : null, headers: headers.values });
}

/** The text of the secret: the key as it is, and headers as JSON in a second line. Neither holds a line break. */
export const writeCredentials = ({ apiKey, headers }: Credentials): string =>
  Object.keys(headers).length === 0 ? (apiKey ?? '') : `${apiKey ?? ''}\n${JSON.stringify(headers)}`;

/** What the text of a secret holds. */
function parseCredentials(text: string): Credentials {
  const end = text.indexOf('\n');
  const apiKey = end === -1 ? text : text.slice(0, end);
  const headers = end === -1 ? {} : (JSON.parse(text.slice(end + 1)) as Record<string, string>);
  return { apiKey: apiKey === '' ? null : apiKey, headers };
}

/** The owner's credentials that a request leaves as they are. */
export function staying<T extends Omit<CredentialsOwner, 'id'>>(
  owner: T,
  { apiKey, headers = {} }: GivenCredentials,
): T {
  return {
    ...owner,
    hasKey: owner.hasKey && apiKey === undefined,
    headerNames: owner.headerNames.filter((name) => !namesHeader(headers, name)),
  };
}

/** Combines the kept credentials with those given. */
export function withGiven(kept: Credentials, { apiKey, headers = {} }: GivenCredentials): Credentials {
  const set = Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== null);
  return {
    apiKey: apiKey === undefined ? kept.apiKey : apiKey,
    headers: { ...kept.headers, ...Object.fromEntries(set) },
  };
}

/** A mask that removes them from what their server says. */
export function maskOf({ apiKey, headers }: { apiKey: string | null; headers?: SecretValues }): Mask {
  const mask = createStrictMask(headers ?? {});
  return (text) => mask(apiKey === null || apiKey === '' ? text : text.replaceAll(apiKey, '…'));
}

/**
 * A connection with the credentials that belong to it. It may move while they are read, and they must never go to an
 * address that they weren't given for. Null: there is no such connection.
 */
export async function openConnection<T extends CredentialsOwner & Pick<StoredConnection, 'baseUrl'>>(
  secrets: Pick<Secrets, 'read'>,
  find: () => T | null,
): Promise<{ connection: T; credentials: CredentialsReading } | null> {
  const opened = await readTogether(
    find,
    (connection) => readCredentials(secrets, connection),
    ({ id, baseUrl, hasKey, headerNames }) => [id, baseUrl, hasKey, headerNames],
  );
  return opened && { connection: opened.row, credentials: opened.kept };
}
