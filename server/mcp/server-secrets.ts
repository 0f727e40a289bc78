/** The values of a tool server's environment variables or headers; see row-secrets.ts. */
import type { SecretValues } from '../secrets/mask.ts';
import type { SecretKind } from '../secrets/row-secrets.ts';
import { addressKey, type McpAddress } from '../store/mcp-repository.ts';

export const SERVER_SECRETS: SecretKind<McpAddress & { id: string; secretNames: string[] }> = {
  prefix: 'mcp:',
  namesOf: ({ secretNames }) => secretNames,
  withNames: (server, names) => ({ ...server, secretNames: [...names] }),
  addressOf: addressKey,
  ignoresCase: ({ transport }) => transport === 'http',
  parse: (text) => JSON.parse(text) as SecretValues,
  format: (values) => JSON.stringify(values),
};
