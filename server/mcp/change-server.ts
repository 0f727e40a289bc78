import type { UpdateMcpServerBody } from '../../shared/api/mcp.ts';
import { MAX_MCP_SECRETS } from '../../shared/limits.ts';
import { readName } from '../lib/clean-name.ts';
import { AppError, invalidField } from '../errors.ts';
import type { SecretValues } from '../secrets/mask.ts';
import type { Secrets } from '../secrets/secrets.ts';
import type { StoredMcpServer } from '../store/mcp-repository.ts';
import { namesHeader, requireAllAnew, type GivenHeaders } from '../secrets/header-values.ts';
import { checkSecrets, readArgs, readText, readUrl, refuse, secretField } from './read-server.ts';
import { readServerSecrets } from './server-secrets.ts';

/** A tool server before and after a change that isn't stored yet. */
export interface ChangedServer {
  before: StoredMcpServer;
  after: StoredMcpServer;
  /** All values afterwards; null: nothing changes about them. */
  values: SecretValues | null;
  /** Its new address is another server, so nothing kept for the old one may go there. */
  hasMoved: boolean;
}

/**
 * Applies a change to a server, without storing it. Rejects with AppError `invalid_request`, or `conflict` when its
 * values are locked.
 */
export async function applyChange(
  secrets: Pick<Secrets, 'read'>,
  before: StoredMcpServer,
  change: UpdateMcpServerBody,
): Promise<ChangedServer> {
  const { transport } = before;
  for (const field of transport === 'stdio' ? FIELDS_OF_HTTP : FIELDS_OF_STDIO) {
    refuse(field, change[field], transport);
  }
  const after: StoredMcpServer = {
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
  if (hasMoved) requireAllAnew(before.secretNames, given);
  if (Object.keys(given).length === 0) return { before, after, values: null, hasMoved };
  const values = await merge(secrets, before, given);
  after.secretNames = Object.keys(values);
  if (after.secretNames.length > MAX_MCP_SECRETS) {
    throw invalidField(field, `A tool server can’t have more than ${MAX_MCP_SECRETS} of "${field}".`);
  }
  return { before, after, values, hasMoved };
}

const FIELDS_OF_HTTP = ['url', 'headers'] as const;
const FIELDS_OF_STDIO = ['command', 'args', 'env'] as const;

const originOf = ({ url }: StoredMcpServer): string | null => (url === null ? null : new URL(url).origin);

const isNamed = (given: GivenHeaders, name: string, ignoresCase: boolean): boolean =>
  ignoresCase ? namesHeader(given, name) : Object.hasOwn(given, name);

async function merge(
  secrets: Pick<Secrets, 'read'>,
  before: StoredMcpServer,
  given: GivenHeaders,
): Promise<SecretValues> {
  const staying = before.secretNames.filter((name) => !isNamed(given, name, before.transport === 'http'));
  const kept = await readServerSecrets(secrets, { id: before.id, secretNames: staying });
  if (kept.state === 'locked')
    throw new AppError('conflict', `The stored values can’t be read. ${kept.reason}`);
  const set = Object.entries(given).filter((entry): entry is [string, string] => entry[1] !== null);
  return { ...kept.values, ...Object.fromEntries(set) };
}
