import type { UpdateMcpServerBody } from '../../shared/api/mcp.ts';
import { MAX_MCP_SECRETS } from '../../shared/limits.ts';
import { readName } from '../lib/clean-name.ts';
import { invalidField } from '../errors.ts';
import { valuesAfter, type RowChange } from '../secrets/row-secrets.ts';
import type { Secrets } from '../secrets/secrets.ts';
import type { StoredMcpServer } from '../store/mcp-repository.ts';
import { checkSecrets, readArgs, readText, readUrl, refuse, secretField } from './read-server.ts';
import { SERVER_SECRETS } from './server-secrets.ts';

/**
 * Applies a change to a server, without storing it. Rejects with AppError `invalid_request`, or `conflict` when its
 * values are locked.
 */
export async function applyChange(
  secrets: Pick<Secrets, 'read'>,
  before: StoredMcpServer,
  change: UpdateMcpServerBody,
): Promise<Omit<RowChange<StoredMcpServer>, 'write'>> {
  const { transport } = before;
  for (const field of transport === 'stdio' ? FIELDS_OF_HTTP : FIELDS_OF_STDIO) {
    refuse(field, change[field], transport);
  }
  let after: StoredMcpServer = {
    ...before,
    name: change.name === undefined ? before.name : readName(change.name),
    command: change.command === undefined ? before.command : readText('command', change.command).trim(),
    args: change.args === undefined ? before.args : readArgs(change.args),
    url: change.url === undefined ? before.url : readUrl(change.url),
    enabled: change.enabled ?? before.enabled,
    agents: change.agents ?? before.agents,
  };
  const hasMoved = originOf(before) !== originOf(after);
  const field = secretField(transport);
  const given = change[field] ?? {};
  checkSecrets(transport, given);
  const values = await valuesAfter(SERVER_SECRETS, secrets, before, given, hasMoved);
  if (values !== null) after = SERVER_SECRETS.withNames(after, Object.keys(values));
  if (after.secretNames.length > MAX_MCP_SECRETS) {
    throw invalidField(field, `A tool server can’t have more than ${MAX_MCP_SECRETS} of "${field}".`);
  }
  return { before, after, values, hasMoved };
}

const FIELDS_OF_HTTP = ['url', 'headers'] as const;
const FIELDS_OF_STDIO = ['command', 'args', 'env'] as const;

const originOf = ({ url }: StoredMcpServer): string | null => (url === null ? null : new URL(url).origin);
