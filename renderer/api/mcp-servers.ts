/** The part of the API about tool servers (MCP); all of it needs the scope `admin`. */
import type {
  CreateMcpServerBody,
  McpServer,
  McpTest,
  TestMcpServerBody,
  UpdateMcpServerBody,
} from '../../shared/api/mcp.ts';
import type { Ask } from './http.ts';

/** A tool server may be slow to start, and is asked before the service answers. */
const SERVER_WAIT_MS = 60_000;

const path = (serverId: string) => ({ params: { path: { serverId } } });

const answered = (answer: Promise<{ server: McpServer }>): Promise<McpServer> =>
  answer.then(({ server }) => server);

/** Tool servers that a person has added. */
export type McpApi = ReturnType<typeof mcpApi>;

/** The part of a client that {@link McpApi} is. */
export const mcpApi = (ask: Ask) => ({
  /** Oldest first. */
  listMcpServers: (): Promise<McpServer[]> =>
    ask((api) => api.GET('/api/v1/mcp-servers')).then(({ servers }) => servers),
  createMcpServer: (body: CreateMcpServerBody): Promise<McpServer> =>
    answered(ask((api) => api.POST('/api/v1/mcp-servers', { body }), SERVER_WAIT_MS)),
  updateMcpServer: (id: string, body: UpdateMcpServerBody): Promise<McpServer> =>
    answered(
      ask((api) => api.PATCH('/api/v1/mcp-servers/{serverId}', { ...path(id), body }), SERVER_WAIT_MS),
    ),
  deleteMcpServer: (id: string): Promise<McpServer> =>
    answered(ask((api) => api.DELETE('/api/v1/mcp-servers/{serverId}', path(id)), SERVER_WAIT_MS)),
  /** Tests one that could be added; resolves with what was found, whatever that is. */
  testNewMcpServer: (body: TestMcpServerBody): Promise<McpTest> =>
    ask((api) => api.POST('/api/v1/mcp-servers/test', { body }), SERVER_WAIT_MS),
  /** Tests one as it would be with a change; without one, its tools are listed anew. */
  testMcpServer: (id: string, body: UpdateMcpServerBody): Promise<McpTest> =>
    ask((api) => api.POST('/api/v1/mcp-servers/{serverId}/test', { ...path(id), body }), SERVER_WAIT_MS),
});
