import type { McpTool, McpTransport } from '../../shared/api/mcp.ts';
import { defineTable, flag, json, plain, text, type RowOf } from './table.ts';
import { withdrawApprovals } from './tool-call-repository.ts';
import { deletePermissionsAt } from './tool-permission-repository.ts';
import type { Writer } from './types.ts';

/** A tool as its server listed it, bounded. */
export interface ListedTool extends McpTool {
  /** JSON Schema of its input, an object. */
  inputSchema: Record<string, unknown>;
}

/** Never with the values of environments or headers. */
const SERVERS = defineTable('mcp_servers', {
  id: text(),
  name: text(),
  /** The first part of its tools' names; never changes. */
  slug: text(),
  transport: plain<McpTransport>(),
  command: plain<string | null>(),
  args: json<string[]>(),
  url: plain<string | null>(),
  /** Only the values of these are read, whatever else is kept under its id. */
  secretNames: json<string[]>(),
  enabled: flag(),
  agents: json<'all' | string[]>(),
  tools: json<ListedTool[]>([]),
  /** Null: never, or not since it moved. */
  toolsListedAt: plain<string | null>(null),
  createdAt: text(),
});

/** A tool server as it is stored. */
export type StoredMcpServer = RowOf<typeof SERVERS.columns>;

/** What to reach and how, without the values of secrets. */
export type McpAddress = Pick<StoredMcpServer, 'transport' | 'command' | 'args' | 'url'>;

/** If one of these differs, it is another server as far as its tools are concerned. */
const SAME_PLACE = 'transport = ? AND command IS ? AND args = ? AND url IS ?';

const addressParts = ({ transport, command, args, url }: McpAddress): (string | null)[] => [
  transport,
  command,
  JSON.stringify(args),
  url,
];

/** The same for two servers that are reached in the same way. */
export const addressKey = (address: McpAddress): string => JSON.stringify(addressParts(address));

/** All tool servers, oldest first. */
export const listMcpServers = SERVERS.list('ORDER BY created_at, id');

/** The tool server of that id, or null. */
export const findMcpServer = SERVERS.first<[id: string]>('WHERE id = ?');

/** Whether a tool server has that slug. */
export const hasMcpSlug = SERVERS.has<[slug: string]>('WHERE slug = ?');

/** How many tool servers there are. */
export const countMcpServers = SERVERS.count();

/** Stores a new tool server whose tools have not been listed. Answers about an earlier server of its slug are forgotten. */
export function createMcpServer(
  writer: Writer,
  server: Omit<StoredMcpServer, 'tools' | 'toolsListedAt'>,
): void {
  forgetAnswers(writer, server);
  SERVERS.insert(writer, server);
}

const saveServer = SERVERS.update(
  ['name', 'transport', 'command', 'args', 'url', 'secretNames', 'enabled', 'agents'],
  'WHERE id = ?',
);
const saveTools = SERVERS.update(['tools', 'toolsListedAt'], `WHERE id = ? AND ${SAME_PLACE}`);

/**
 * Stores what a person can change of a tool server. With another program or address, its tools are unknown until listed
 * again, answers about them are forgotten, and open approvals of them are withdrawn.
 */
export function updateMcpServer(writer: Writer, server: StoredMcpServer): void {
  const moved = writer.run(
    `UPDATE mcp_servers SET tools = '[]', tools_listed_at = NULL WHERE id = ? AND NOT (${SAME_PLACE})`,
    [server.id, ...addressParts(server)],
  );
  if (moved > 0) forgetAnswers(writer, server);
  saveServer(writer, server, server.id);
}

/** Stores which tools a server listed, unless it is gone or has moved meanwhile. */
export function updateListedTools(
  writer: Writer,
  server: McpAddress & { id: string },
  tools: ListedTool[],
  toolsListedAt: string,
): void {
  saveTools(writer, { tools, toolsListedAt }, server.id, ...addressParts(server));
}

/** Removes a tool server and the answers about its tools; open approvals of them are withdrawn. */
export function deleteMcpServer(writer: Writer, server: Pick<StoredMcpServer, 'id' | 'slug'>): void {
  writer.run('DELETE FROM mcp_servers WHERE id = ?', [server.id]);
  forgetAnswers(writer, server);
}

/** Given or pending answers about a server's tools were about that server as it was. */
function forgetAnswers(writer: Writer, { id, slug }: Pick<StoredMcpServer, 'id' | 'slug'>): void {
  deletePermissionsAt(writer, placeOfServer(id));
  withdrawApprovals(writer, toolPrefix(slug));
}

/** The place under which an “always” for a server's tools is remembered. */
export const placeOfServer = (id: string): string => `server:${id}`;

/** The prefix of the names of a server's tools, and of no others: slugs have no underscores. */
export const toolPrefix = (slug: string): string => `${slug}__`;
