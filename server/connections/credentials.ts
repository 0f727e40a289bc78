/** A connection's key and the values of its headers: one secret, so that they change at once. The row says which of them belong to it. */
import type { ModelAccess } from './model-access.ts';
import { MAX_CONNECTION_HEADERS } from '../../shared/limits.ts';
import { checkHeaders, type GivenHeaders } from '../secrets/header-values.ts';
import { createStrictMask, type Mask, type SecretValues } from '../secrets/mask.ts';
import { KEY, type SecretKind } from '../secrets/row-secrets.ts';
import type { StoredConnection } from '../store/connection-repository.ts';

/** What a connection's row says about them. */
type CredentialsOwner = Pick<StoredConnection, 'id' | 'baseUrl' | 'hasKey' | 'headerNames'>;

export const CREDENTIALS: SecretKind<CredentialsOwner> = {
  prefix: 'connection:',
  namesOf: ({ hasKey, headerNames }) => [...headerNames, ...(hasKey ? [KEY] : [])],
  withNames: (connection, names) => ({
    ...connection,
    hasKey: names.includes(KEY),
    headerNames: names.filter((name) => name !== KEY),
  }),
  addressOf: ({ baseUrl }) => baseUrl,
  ignoresCase: () => true,
  /** The key as it is, and headers as JSON in a second line. Neither holds a line break. */
  format(values) {
    const { apiKey, headers } = credentialsOf(values);
    return [apiKey ?? '', ...(headers === undefined ? [] : [JSON.stringify(headers)])].join('\n');
  },
  parse(text) {
    const [apiKey = '', headers = '{}'] = text.split('\n');
    return { ...(JSON.parse(headers) as SecretValues), ...(apiKey !== '' && { [KEY]: apiKey }) };
  },
};

/** The key and headers among a connection's values, as requests use them. Never logged or shown. */
export function credentialsOf(values: SecretValues): Pick<ModelAccess, 'apiKey' | 'headers'> {
  const { [KEY]: apiKey = null, ...headers } = values;
  return { apiKey, ...(Object.keys(headers).length > 0 && { headers }) };
}

/** What a request says about them. Missing ones stay, null removes. Throws AppError `invalid_request`. */
export function givenCredentials({
  apiKey,
  headers = {},
}: {
  apiKey?: string | null;
  headers?: GivenHeaders;
}): GivenHeaders {
  checkHeaders(headers, { max: MAX_CONNECTION_HEADERS });
  return { ...headers, ...(apiKey !== undefined && { [KEY]: apiKey }) };
}

/** What people enter where a server wants no key; no secrets, but words that errors need. */
const PLACEHOLDER =
  /^(?:ollama|lm[-_ ]?studio|llama[-_. ]?cpp|local-?ai|localhost|no[-_ ]?key|not[-_ ]?needed)$/i;

/** A mask that removes them from what their server says. */
export const maskOf = ({ apiKey, headers }: Pick<ModelAccess, 'apiKey' | 'headers'>): Mask =>
  createStrictMask({ ...headers, ...(apiKey !== null && !PLACEHOLDER.test(apiKey) && { [KEY]: apiKey }) });
