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

const ServerParams = Type.Object({ serverId: Type.String({ description: 'Id of the tool server.' }) });

/** Endpoints about tool servers (MCP). No answer holds a value of their environment or headers. */
export function setupMcpServerRoutes(app: App, servers: Omit<McpService, 'tools' | 'tidy' | 'close'>): void {
  app.get(
    '/api/v1/mcp-servers',
    {
      schema: {
        operationId: 'listToolServers',
        summary: 'List tool servers',
        tags: ['Tool servers'],
        description: 'Oldest first.',
        response: { 200: McpServerList },
      },
      onRequest: adminOnly,
    },
    async () => ({ servers: await servers.list() }),
  );

  app.post(
    '/api/v1/mcp-servers',
    {
      schema: {
        operationId: 'createToolServer',
        summary: 'Add a tool server',
        tags: ['Tool servers'],
        description: '`stdio` needs a `command`, `http` a `url`. There can be 20.',
        errors: ['conflict'],
        body: CreateMcpServerBody,
        response: { 201: McpServerAnswer },
      },
      onRequest: adminOnly,
      preValidation: absentBodyIsEmpty,
    },
    async (request, reply) => reply.code(201).send({ server: await servers.create(request.body) }),
  );

  app.post(
    '/api/v1/mcp-servers/test',
    {
      schema: {
        operationId: 'testNewToolServer',
        summary: 'Test a tool server before it is added',
        tags: ['Tool servers'],
        description:
          'The body is as for adding one; the name may be left out. Answers 200 whatever was found.',
        errors: ['conflict'],
        body: TestMcpServerBody,
        response: { 200: McpTest },
      },
      onRequest: adminOnly,
      preValidation: absentBodyIsEmpty,
    },
    async (request) => servers.test(request.body),
  );

  app.post(
    '/api/v1/mcp-servers/:serverId/test',
    {
      schema: {
        operationId: 'testToolServer',
        summary: 'Test a tool server',
        tags: ['Tool servers'],
        description: 'With what would be changed on it. Answers 200 whatever was found.',
        errors: ['conflict'],
        params: ServerParams,
        body: UpdateMcpServerBody,
        response: { 200: McpTest },
      },
      onRequest: adminOnly,
      preValidation: absentBodyIsEmpty,
    },
    async (request) => found(await servers.testStored(request.params.serverId, request.body)),
  );

  app.patch(
    '/api/v1/mcp-servers/:serverId',
    {
      schema: {
        operationId: 'updateToolServer',
        summary: 'Change a tool server',
        tags: ['Tool servers'],
        description:
          'What is absent stays. Of `env` and `headers`, a text sets one, null removes it, and what isn’t named stays. When the address is that of another server, all headers that are kept must be given anew.',
        errors: ['conflict'],
        params: ServerParams,
        body: UpdateMcpServerBody,
        response: { 200: McpServerAnswer },
      },
      onRequest: adminOnly,
      preValidation: absentBodyIsEmpty,
    },
    async (request) => ({ server: found(await servers.update(request.params.serverId, request.body)) }),
  );

  app.delete(
    '/api/v1/mcp-servers/:serverId',
    {
      schema: {
        operationId: 'deleteToolServer',
        summary: 'Remove a tool server',
        tags: ['Tool servers'],
        params: ServerParams,
        response: { 200: McpServerAnswer },
      },
      onRequest: adminOnly,
    },
    async (request) => ({ server: found(await servers.remove(request.params.serverId)) }),
  );
}

function found<T>(server: T | null): T {
  if (server === null) throw new AppError('mcp_server_not_found');
  return server;
}
