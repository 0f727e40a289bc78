import { Type } from 'typebox';
import {
  CreateMcpServerBody,
  McpServerAnswer,
  McpServerList,
  McpTest,
  TestMcpServerBody,
  UpdateMcpServerBody,
} from '../../shared/api/mcp.ts';
import { found } from '../errors.ts';
import type { McpService } from '../mcp/mcp-service.ts';
import { createEndpoints } from '../plugins/endpoints.ts';
import type { App } from '../plugins/route.ts';

const ServerParams = Type.Object({ serverId: Type.String({ description: 'Id of the tool server.' }) });

/** Endpoints about tool servers (MCP). No answer holds a value of their environment or headers. */
export function setupMcpServerRoutes(app: App, servers: Omit<McpService, 'tools' | 'tidy' | 'close'>): void {
  const api = createEndpoints(app, 'Tool servers', 'admin');
  api.get('/api/v1/mcp-servers', {
    operationId: 'listToolServers',
    summary: 'List tool servers',
    description: 'Oldest first.',
    response: { 200: McpServerList },
    handle: async () => ({ servers: await servers.list() }),
  });

  api.post('/api/v1/mcp-servers', {
    operationId: 'createToolServer',
    summary: 'Add a tool server',
    description: '`stdio` needs a `command`, `http` a `url`. There can be 20.',
    errors: ['conflict'],
    body: CreateMcpServerBody,
    response: { 201: McpServerAnswer },
    handle: async ({ body }) => ({ server: await servers.create(body) }),
  });

  api.post('/api/v1/mcp-servers/test', {
    operationId: 'testNewToolServer',
    summary: 'Test a tool server before it is added',
    description: 'The body is as for adding one; the name may be left out. Answers 200 whatever was found.',
    errors: ['conflict'],
    body: TestMcpServerBody,
    response: { 200: McpTest },
    handle: async ({ body }) => servers.test(body),
  });

  api.post('/api/v1/mcp-servers/:serverId/test', {
    operationId: 'testToolServer',
    summary: 'Test a tool server',
    description: 'With what would be changed on it. Answers 200 whatever was found.',
    errors: ['conflict'],
    params: ServerParams,
    body: UpdateMcpServerBody,
    response: { 200: McpTest },
    handle: async ({ params, body }) =>
      found(await servers.testStored(params.serverId, body), 'mcp_server_not_found'),
  });

  api.patch('/api/v1/mcp-servers/:serverId', {
    operationId: 'updateToolServer',
    summary: 'Change a tool server',
    description:
      'What is absent stays. Of `env` and `headers`, a text sets one, null removes it, and what isn’t named stays. When the address is that of another server, all headers that are kept must be given anew.',
    errors: ['conflict'],
    params: ServerParams,
    body: UpdateMcpServerBody,
    response: { 200: McpServerAnswer },
    handle: async ({ params, body }) => ({
      server: found(await servers.update(params.serverId, body), 'mcp_server_not_found'),
    }),
  });

  api.delete('/api/v1/mcp-servers/:serverId', {
    operationId: 'deleteToolServer',
    summary: 'Remove a tool server',
    params: ServerParams,
    response: { 200: McpServerAnswer },
    handle: async ({ params }) => ({
      server: found(await servers.remove(params.serverId), 'mcp_server_not_found'),
    }),
  });
}
