import { Type } from 'typebox';
import {
  CreateMcpServerBody,
  McpServerAnswer,
  McpServerList,
  McpTest,
  TestMcpServerBody,
  UpdateMcpServerBody,
} from '../../shared/api/mcp.ts';
import { AppError } from '../errors.ts';
import type { McpService } from '../mcp/mcp-service.ts';
import { absentBodyIsEmpty, adminOnly, type App } from '../plugins/route.ts';

const ServerParams = Type.Object({ serverId: Type.String() });

/** Endpoints about tool servers (MCP). No answer holds a value of their environment or headers. */
export function setupMcpServerRoutes(app: App, servers: Omit<McpService, 'tools' | 'tidy' | 'close'>): void {
  app.get(
    '/api/v1/mcp-servers',
    { schema: { response: { 200: McpServerList } }, onRequest: adminOnly },
    async () => ({ servers: await servers.list() }),
  );

  app.post(
    '/api/v1/mcp-servers',
    {
      schema: { body: CreateMcpServerBody, response: { 201: McpServerAnswer } },
      onRequest: adminOnly,
      preValidation: absentBodyIsEmpty,
    },
    async (request, reply) => reply.code(201).send({ server: await servers.create(request.body) }),
  );

  app.post(
    '/api/v1/mcp-servers/test',
    {
      schema: { body: TestMcpServerBody, response: { 200: McpTest } },
      onRequest: adminOnly,
      preValidation: absentBodyIsEmpty,
    },
    async (request) => servers.test(request.body),
  );

  app.post(
    '/api/v1/mcp-servers/:serverId/test',
    {
      schema: { params: ServerParams, body: UpdateMcpServerBody, response: { 200: McpTest } },
      onRequest: adminOnly,
      preValidation: absentBodyIsEmpty,
    },
    async (request) => found(await servers.testStored(request.params.serverId, request.body)),
  );

  app.patch(
    '/api/v1/mcp-servers/:serverId',
    {
      schema: { params: ServerParams, body: UpdateMcpServerBody, response: { 200: McpServerAnswer } },
      onRequest: adminOnly,
      preValidation: absentBodyIsEmpty,
    },
    async (request) => ({ server: found(await servers.update(request.params.serverId, request.body)) }),
  );

  app.delete(
    '/api/v1/mcp-servers/:serverId',
    { schema: { params: ServerParams, response: { 200: McpServerAnswer } }, onRequest: adminOnly },
    async (request) => ({ server: found(await servers.remove(request.params.serverId)) }),
  );
}

function found<T>(server: T | null): T {
  if (server === null) throw new AppError('mcp_server_not_found');
  return server;
}
