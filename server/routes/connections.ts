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

const ConnectionParams = Type.Object({ connectionId: Type.String() });

/** Endpoints about connections to model servers. No answer holds a key. */
export function setupConnectionRoutes(app: App, connections: ConnectionService): void {
  app.get(
    '/api/v1/connections',
    { schema: { response: { 200: ConnectionList } }, onRequest: adminOnly },
    async () => ({ connections: await connections.list() }),
  );

  app.post(
    '/api/v1/connections',
    {
      schema: { body: CreateConnectionBody, response: { 201: ConnectionAnswer } },
      onRequest: adminOnly,
      preValidation: absentBodyIsEmpty,
    },
    async (request, reply) => reply.code(201).send({ connection: await connections.create(request.body) }),
  );

  app.get(
    '/api/v1/connections/found',
    { schema: { response: { 200: FoundServers } }, onRequest: adminOnly },
    async () => ({ servers: await connections.found() }),
  );

  app.post(
    '/api/v1/connections/test',
    {
      schema: { body: TestConnectionBody, response: { 200: ConnectionTest } },
      onRequest: adminOnly,
      preValidation: absentBodyIsEmpty,
    },
    async (request) => found(await connections.test(request.body)),
  );

  app.post(
    '/api/v1/connections/:connectionId/refresh',
    { schema: { params: ConnectionParams, response: { 200: ConnectionAnswer } }, onRequest: adminOnly },
    async (request) => ({ connection: found(await connections.refresh(request.params.connectionId)) }),
  );

  app.patch(
    '/api/v1/connections/:connectionId',
    {
      schema: { params: ConnectionParams, body: UpdateConnectionBody, response: { 200: ConnectionAnswer } },
      onRequest: adminOnly,
      preValidation: absentBodyIsEmpty,
    },
    async (request) => ({
      connection: found(await connections.update(request.params.connectionId, request.body)),
    }),
  );

  app.delete(
    '/api/v1/connections/:connectionId',
    { schema: { params: ConnectionParams, response: { 200: ConnectionAnswer } }, onRequest: adminOnly },
    async (request) => ({ connection: found(await connections.remove(request.params.connectionId)) }),
  );
}

function found<T>(connection: T | null): T {
  if (connection === null) throw new AppError('connection_not_found');
  return connection;
}
