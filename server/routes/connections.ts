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
import { found } from '../errors.ts';
import { createEndpoints } from '../plugins/endpoints.ts';
import type { App } from '../plugins/route.ts';

const ConnectionParams = Type.Object({ connectionId: Type.String({ description: 'Id of the connection.' }) });

/** Endpoints about connections to model servers. No answer holds a key. */
export function setupConnectionRoutes(app: App, connections: ConnectionService): void {
  const api = createEndpoints(app, 'Connections', 'admin');
  api.get('/api/v1/connections', {
    operationId: 'listConnections',
    summary: 'List connections',
    description: 'Oldest first.',
    response: { 200: ConnectionList },
    handle: async () => ({ connections: await connections.list() }),
  });

  api.post('/api/v1/connections', {
    operationId: 'createConnection',
    summary: 'Connect a model server',
    description: 'Providers without an address of their own need a `baseUrl`. There can be 50.',
    errors: ['conflict'],
    body: CreateConnectionBody,
    response: { 201: ConnectionAnswer },
    handle: async ({ body }) => ({ connection: await connections.create(body) }),
  });

  api.get('/api/v1/connections/found', {
    operationId: 'findModelServers',
    summary: 'Find model servers on this computer',
    description: 'Looks on the usual ports, quickly; those that are connected already are left out.',
    response: { 200: FoundServers },
    handle: async () => ({ servers: await connections.found() }),
  });

  api.post('/api/v1/connections/test', {
    operationId: 'testConnection',
    summary: 'Test a connection',
    description:
      'An existing one, with what would be changed on it, or a new one. With a `model` that one is asked for a word; without, the models are listed. Answers 200 whatever was found.',
    errors: ['connection_not_found', 'conflict'],
    body: TestConnectionBody,
    response: { 200: ConnectionTest },
    handle: async ({ body }) => found(await connections.test(body), 'connection_not_found'),
  });

  api.post('/api/v1/connections/:connectionId/refresh', {
    operationId: 'refreshConnection',
    summary: 'List a connection’s models anew',
    errors: ['conflict'],
    params: ConnectionParams,
    response: { 200: ConnectionAnswer },
    handle: async ({ params }) => ({
      connection: found(await connections.refresh(params.connectionId), 'connection_not_found'),
    }),
  });

  api.patch('/api/v1/connections/:connectionId', {
    operationId: 'updateConnection',
    summary: 'Change a connection',
    description:
      'What is absent stays. An `apiKey` of null removes the key. Of `headers`, a text sets one, null removes it, and what isn’t named stays. A connection moves to another server (another host, port or scheme) only when the key and all headers that are kept are given anew for it, or as null.',
    errors: ['conflict'],
    params: ConnectionParams,
    body: UpdateConnectionBody,
    response: { 200: ConnectionAnswer },
    handle: async ({ params, body }) => ({
      connection: found(await connections.update(params.connectionId, body), 'connection_not_found'),
    }),
  });

  api.delete('/api/v1/connections/:connectionId', {
    operationId: 'deleteConnection',
    summary: 'Remove a connection',
    params: ConnectionParams,
    response: { 200: ConnectionAnswer },
    handle: async ({ params }) => ({
      connection: found(await connections.remove(params.connectionId), 'connection_not_found'),
    }),
  });
}
