import type { McpTransport } from '../../shared/api/mcp.ts';
import { withdrawQuestions } from './tool-call-repository.ts';
import { deletePermissionsAt } from './tool-permission-repository.ts';
import type { Reader, Writer } from './types.ts';

/** A tool as its server listed it, bounded. */
export interface ListedTool {
  /** What models call it by. */
  name: string;
  /** As the server names it. */
  tool: string;
  description: string;
  /** JSON Schema of its input, an object. */
  inputSchema: Record<string, unknown>;
  /** The server says that it changes nothing. */
  isReadOnly: boolean;
}

/** What is reached, and how; without the values of its secrets. */
export interface McpPlace {
  transport: McpTransport;
  command: string | null;
  args: string[];
  url: string | null;
}

/** A tool server as it is stored: never with the values of its environment or headers. */
export interface StoredMcpServer extends McpPlace {
  id: string;
  name: string;
  /** The first part of its tools' names; never changes. */
  slug: string;
  /** Only of these are values read, whatever is kept under its id. */
  secretNames: string[];
  enabled: boolean;
  agents: 'all' | string[];
  tools: ListedTool[];
  /** Null: never yet, or not since it moved. */
  toolsListedAt: string | null;
  createdAt: string;
}

type Row = Omit<StoredMcpServer, 'args' | 'secretNames' | 'enabled' | 'agents' | 'tools'> & {
  args: string;
  secretNames: string;
  enabled: number;
  agents: string;
  tools: string;
};

const COLUMNS = `id, name, slug, transport, command, args, url, secret_names AS secretNames, enabled, agents, tools,
  tools_listed_at AS toolsListedAt, created_at AS createdAt`;
/** What makes it another server as far as its tools are concerned. */
const SAME_PLACE = 'transport = ? AND command IS ? AND args = ? AND url IS ?';

const placeOf = ({ transport, command, args, url }: McpPlace): (string | null)[] => [
  transport,
  command,
  JSON.stringify(args),
  url,
];

/** What two servers have in common when they are reached in the same way. */
export const placeKey = (place: McpPlace): string => JSON.stringify(placeOf(place));

/** All tool servers, oldest first. */
export function listMcpServers(reader: Reader): StoredMcpServer[] {
  return reader.all<Row>(`SELECT ${COLUMNS} FROM mcp_servers ORDER BY created_at, id`).map(toServer);
}

/** The tool server of that id, or null. */
export function findMcpServer(reader: Reader, id: string): StoredMcpServer | null {
  const row = reader.get<Row>(`SELECT ${COLUMNS} FROM mcp_servers WHERE id = ?`, [id]);
  return row && toServer(row);
}

/** Whether a tool server has that slug. */
export function hasMcpSlug(reader: Reader, slug: string): boolean {
  return reader.get('SELECT 1 FROM mcp_servers WHERE slug = ?', [slug]) !== null;
}

/** How many tool servers there are. */
export function countMcpServers(reader: Reader): number {
  return reader.get<{ total: number }>('SELECT count(*) AS total FROM mcp_servers')?.total ?? 0;
}

/** Stores a new tool server, whose tools have not been listed. Nothing that was said of another of its slug is about it. */
export function createMcpServer(
  writer: Writer,
  server: Omit<StoredMcpServer, 'tools' | 'toolsListedAt'>,
): void {
  forgetAnswers(writer, server);
  writer.run(
    `INSERT INTO mcp_servers (id, name, slug, transport, command, args, url, secret_names, enabled, agents, created_at)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      server.id,
      server.name,
      server.slug,
      ...placeOf(server),
      JSON.stringify(server.secretNames),
      server.enabled ? 1 : 0,
      JSON.stringify(server.agents),
      server.createdAt,
    ],
  );
}

/**
 * Stores what a person can change of a tool server. When it is another program or address, its tools are unknown until they
 * are listed anew, nothing that was said of them is remembered, and questions about them are over.
 */
export function updateMcpServer(writer: Writer, server: StoredMcpServer): void {
  const moved = writer.run(
    `UPDATE mcp_servers SET tools = '[]', tools_listed_at = NULL WHERE id = ? AND NOT (${SAME_PLACE})`,
    [server.id, ...placeOf(server)],
  );
  if (moved > 0) forgetAnswers(writer, server);
  writer.run(
    `UPDATE mcp_servers SET name = ?, transport = ?, command = ?, args = ?, url = ?, secret_names = ?, enabled = ?, agents = ?
      WHERE id = ?`,
    [
      server.name,
      ...placeOf(server),
      JSON.stringify(server.secretNames),
      server.enabled ? 1 : 0,
      JSON.stringify(server.agents),
      server.id,
    ],
  );
}

/** Stores which tools a server listed, unless it is gone or has moved meanwhile. */
export function updateListedTools(
  writer: Writer,
  server: McpPlace & { id: string },
  tools: ListedTool[],
  listedAt: string,
): void {
  writer.run(`UPDATE mcp_servers SET tools = ?, tools_listed_at = ? WHERE id = ? AND ${SAME_PLACE}`, [
    JSON.stringify(tools),
    listedAt,
    server.id,
    ...placeOf(server),
  ]);
}

/** Removes a tool server, and what was remembered of its tools; questions about them are over. */
export function deleteMcpServer(writer: Writer, server: Pick<StoredMcpServer, 'id' | 'slug'>): void {
  writer.run('DELETE FROM mcp_servers WHERE id = ?', [server.id]);
  forgetAnswers(writer, server);
}

/** What was said, or is about to be said, of a server's tools was about that server as it is, and no other. */
function forgetAnswers(writer: Writer, { id, slug }: Pick<StoredMcpServer, 'id' | 'slug'>): void {
  deletePermissionsAt(writer, placeOfServer(id));
  withdrawQuestions(writer, toolPrefix(slug));
}

/** What “always” is remembered for of a server's tools. */
export const placeOfServer = (id: string): string => `server:${id}`;

/** What the names of all tools of a server begin with, and no others: slugs have no underscores. */
export const toolPrefix = (slug: string): string => `${slug}__`;

const toServer = (row: Row): StoredMcpServer => ({
  ...row,
  args: JSON.parse(row.args) as string[],
  secretNames: JSON.parse(row.secretNames) as string[],
  enabled: row.enabled === 1,
  agents: JSON.parse(row.agents) as 'all' | string[],
  tools: JSON.parse(row.tools) as ListedTool[],
});
