/** Checks what a request says about a tool server, beyond its schema. */
import type {
  CreateMcpServerBody,
  McpTransport,
  TestMcpServerBody,
  UpdateMcpServerBody,
} from '../../shared/api/mcp.ts';
import type { RowChange } from '../connections/secret-rows.ts';
import { DEFAULT_AGENT_TYPE, MAX_MCP_SECRETS } from '../../shared/limits.ts';
import { invalidField } from '../errors.ts';
import { readName } from '../lib/clean-name.ts';
import { checkHeaders, unusableName } from '../secrets/header-values.ts';
import { valuesAfter } from '../secrets/row-secrets.ts';
import type { Secrets } from '../secrets/secrets.ts';
import type { McpAddress, StoredMcpServer } from '../store/mcp-repository.ts';
import { SERVER_SECRETS } from './server-secrets.ts';

const ENV_NAME = /^[A-Za-z_][A-Za-z0-9_.()-]{0,127}$/;
/** Headers that the protocol itself uses. */
const OWN_HEADERS = ['last-event-id', 'mcp-method', 'mcp-name', 'mcp-protocol-version', 'mcp-session-id'];

/** The field of a body that holds the secrets of such a server. */
export const secretField = (transport: McpTransport): 'env' | 'headers' =>
  transport === 'stdio' ? 'env' : 'headers';

/** Where the server is that a body describes. Throws AppError `invalid_request`. */
function readAddress(body: UpdateMcpServerBody & Pick<CreateMcpServerBody, 'transport'>): McpAddress {
  const { transport, command, args = [], url, env, headers } = body;
  if (transport === 'stdio') {
    if (command === undefined) throw invalidField('command', '"command" is missing: the program to start.');
    refuse('url', url, 'stdio');
    refuse('headers', headers, 'stdio');
    return {
      transport,
      command: readText('command', command).trim(),
      args: args.map((arg) => readText('args', arg)),
      url: null,
    };
  }
  if (url === undefined) throw invalidField('url', '"url" is missing: the address of the server.');
  refuse('command', command, 'http');
  refuse('args', body.args, 'http');
  refuse('env', env, 'http');
  return { transport, command: null, args: [], url: readUrl(url) };
}

/** The server that a body describes, without what it gets when it is stored. Throws as {@link readAddress}. */
export const newServer = (body: TestMcpServerBody): StoredMcpServer => ({
  ...readAddress(body),
  id: '',
  name: body.name ?? '',
  slug: 'test',
  secretNames: [],
  enabled: body.enabled ?? true,
  agents: body.agents ?? [DEFAULT_AGENT_TYPE],
  tools: [],
  toolsListedAt: null,
  createdAt: '',
});

/** Throws AppError `invalid_request` for a field that such a server doesn't have. */
function refuse(field: string, value: unknown, transport: McpTransport): void {
  if (value !== undefined) throw invalidField(field, `A tool server over ${transport} has no "${field}".`);
}

/** An address in its canonical form. Throws AppError `invalid_request`. */
function readUrl(url: string): string {
  const parsed = URL.parse(url);
  if (parsed === null)
    throw invalidField('url', `"url" must be an address like "http://127.0.0.1:8000/mcp".`);
  return parsed.href;
}

/** Text without NUL, which can't be passed to a program. Throws AppError `invalid_request`. */
function readText(field: string, text: string): string {
  if (text.includes('\0')) throw invalidField(field, `"${field}" must not hold the character NUL.`);
  return text.toWellFormed();
}

/** Checks that the values can be sent. Throws AppError `invalid_request`, which quotes only names. */
export function checkSecrets(transport: McpTransport, values: Readonly<Record<string, string | null>>): void {
  if (transport === 'http') {
    checkHeaders(values, { max: MAX_MCP_SECRETS, own: OWN_HEADERS });
    return;
  }
  const names = Object.keys(values);
  if (names.length > MAX_MCP_SECRETS) {
    throw invalidField('env', `"env" must not hold more than ${MAX_MCP_SECRETS} names.`);
  }
  for (const name of names) {
    if (!ENV_NAME.test(name)) throw invalidField('env', unusableName('env'));
    const value = values[name];
    if (typeof value === 'string') readText('env', value);
  }
}

/** The server after a change. Rejects with AppError `invalid_request`, or `conflict` when its values are locked. */
export async function applyChange(
  secrets: Pick<Secrets, 'read'>,
  before: StoredMcpServer,
  change: UpdateMcpServerBody,
): Promise<RowChange<StoredMcpServer>> {
  const { transport, command, args, url } = before;
  const address = transport === 'stdio' ? { command: command ?? '', args } : { url: url ?? '' };
  let after: StoredMcpServer = {
    ...before,
    ...readAddress({ ...address, ...change, transport }),
    name: change.name === undefined ? before.name : readName(change.name),
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

const originOf = ({ url }: StoredMcpServer): string | null => (url === null ? null : new URL(url).origin);
