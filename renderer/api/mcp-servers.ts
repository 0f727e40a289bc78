/** The part of the API about tool servers (MCP); all of it needs the scope `admin`. */
import type {
  CreateMcpServerBody,
  McpServer,
  McpServerAnswer,
  McpServerList,
  McpTest,
  TestMcpServerBody,
  UpdateMcpServerBody,
} from '../../shared/api/mcp.ts';
import type { Request } from './http.ts';

/** A tool server may be slow to start, and is asked before the service answers. */
const SERVER_WAIT_MS = 60_000;

/** Tool servers that a person has added. */
export interface McpApi {
  /** Oldest first. */
  listMcpServers(): Promise<McpServer[]>;
  createMcpServer(body: CreateMcpServerBody): Promise<McpServer>;
  updateMcpServer(serverId: string, body: UpdateMcpServerBody): Promise<McpServer>;
  deleteMcpServer(serverId: string): Promise<McpServer>;
  /** Tests one that could be added; resolves with what was found, whatever that is. */
  testNewMcpServer(body: TestMcpServerBody): Promise<McpTest>;
  /** Tests one as it would be with a change; without one, its tools are listed anew. */
  testMcpServer(serverId: string, body: UpdateMcpServerBody): Promise<McpTest>;
}

/** The part of a client that {@link McpApi} describes. */
export function mcpApi(request: Request): McpApi {
  const all = '/api/v1/mcp-servers';
  const one = (serverId: string): string => `${all}/${encodeURIComponent(serverId)}`;
  const timeoutMs = SERVER_WAIT_MS;
  const answered = async (answer: Promise<McpServerAnswer>): Promise<McpServer> => (await answer).server;
  return {
    listMcpServers: async () => (await request<McpServerList>('GET', all)).servers,
    createMcpServer: (body) => answered(request('POST', all, { body, timeoutMs })),
    updateMcpServer: (serverId, body) => answered(request('PATCH', one(serverId), { body, timeoutMs })),
    deleteMcpServer: (serverId) => answered(request('DELETE', one(serverId), { timeoutMs })),
    testNewMcpServer: (body) => request<McpTest>('POST', `${all}/test`, { body, timeoutMs }),
    testMcpServer: (serverId, body) => request<McpTest>('POST', `${one(serverId)}/test`, { body, timeoutMs }),
  };
}
