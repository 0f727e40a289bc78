import { Type } from 'typebox';
import {
  ConnectionAnswer,
  ConnectionList,
  ConnectionTest,
  CreateConnectionBody,
  FoundServers,
  TestConnectionBody,
  UpdateConnectionBody,
} from '../../shared/api/connection.ts';
import type { ConnectionService } from '../connections/connection-service.ts';
import { AppError } from '../errors.ts';
import { absentBodyIsEmpty, adminOnly, type App } from '../plugins/route.ts';

const ConnectionParams = Type.Object({ connectionId: Type.String({ description: 'Id of the connection.' }) });

/** Endpoints about connections to model servers. No answer holds a key. */
export function setupConnectionRoutes(app: App, connections: ConnectionService): void {
  app.get(
    '/api/v1/connections',
    {
      schema: {
        operationId: 'listConnections',
        summary: 'List connections',
        tags: ['Connections'],
        description: 'Oldest first.',
        response: { 200: ConnectionList },
      },
      onRequest: adminOnly,
    },
    async () => ({ connections: await connections.list() }),
  );

  app.post(
    '/api/v1/connections',
    {
      schema: {
        operationId: 'createConnection',
        summary: 'Connect a model server',
        tags: ['Connections'],
        description: 'Providers without an address of their own need a `baseUrl`. There can be 50.',
        errors: ['conflict'],
        body: CreateConnectionBody,
        response: { 201: ConnectionAnswer },
      },
      onRequest: adminOnly,
      preValidation: absentBodyIsEmpty,
    },
    async (request, reply) => reply.code(201).send({ connection: await connections.create(request.body) }),
  );

  app.get(
    '/api/v1/connections/found',
    {
      schema: {
        operationId: 'findModelServers',
        summary: 'Find model servers on this computer',
        tags: ['Connections'],
        description: 'Looks on the usual ports, quickly; those that are connected already are left out.',
        response: { 200: FoundServers },
      },
      onRequest: adminOnly,
    },
    async () => ({ servers: await connections.found() }),
  );

  app.post(
    '/api/v1/connections/test',
    {
      schema: {
        operationId: 'testConnection',
        summary: 'Test a connection',
        tags: ['Connections'],
        description:
          'An existing one, with what would be changed on it, or a new one. With a `model` that one is asked for a word; without, the models are listed. Answers 200 whatever was found.',
        errors: ['connection_not_found', 'conflict'],
        body: TestConnectionBody,
        response: { 200: ConnectionTest },
      },
      onRequest: adminOnly,
      preValidation: absentBodyIsEmpty,
    },
    async (request) => found(await connections.test(request.body)),
  );

  app.post(
    '/api/v1/connections/:connectionId/refresh',
    {
      schema: {
        operationId: 'refreshConnection',
        summary: 'List a connection’s models anew',
        tags: ['Connections'],
        errors: ['conflict'],
        params: ConnectionParams,
        response: { 200: ConnectionAnswer },
      },
      onRequest: adminOnly,
    },
    async (request) => ({ connection: found(await connections.refresh(request.params.connectionId)) }),
  );

  app.patch(
    '/api/v1/connections/:connectionId',
    {
      schema: {
        operationId: 'updateConnection',
        summary: 'Change a connection',
        tags: ['Connections'],
        description:
          'What is absent stays. An `apiKey` of null removes the key. Of `headers`, a text sets one, null removes it, and what isn’t named stays. A connection moves to another server (another host, port or scheme) only when the key and all headers that are kept are given anew for it, or as null.',
        errors: ['conflict'],
        params: ConnectionParams,
        body: UpdateConnectionBody,
        response: { 200: ConnectionAnswer },
      },
      onRequest: adminOnly,
      preValidation: absentBodyIsEmpty,
    },
    async (request) => ({
      connection: found(await connections.update(request.params.connectionId, request.body)),
    }),
  );

  app.delete(
    '/api/v1/connections/:connectionId',
    {
      schema: {
        operationId: 'deleteConnection',
        summary: 'Remove a connection',
        tags: ['Connections'],
        params: ConnectionParams,
        response: { 200: ConnectionAnswer },
      },
      onRequest: adminOnly,
    },
    async (request) => ({ connection: found(await connections.remove(request.params.connectionId)) }),
  );
}

function found<T>(connection: T | null): T {
  if (connection === null) throw new AppError('connection_not_found');
  return connection;
}
