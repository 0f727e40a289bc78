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
import { createEndpoints, type App } from '../plugins/endpoints.ts';

/** Endpoints about connections to model servers. No answer holds a key. */
export function setupConnectionRoutes(app: App, connections: ConnectionService): void {
  const api = createEndpoints(app, 'Connections', { access: 'admin' });
  api.get('/api/v1/connections', 'listConnections', 'List connections', {
    description: 'Oldest first.',
    response: { 200: ConnectionList },
    result: () => connections.list(),
  });

  api.post('/api/v1/connections', 'createConnection', 'Connect a model server', {
    description: 'Providers without a default address need a `baseUrl`. Up to 50 connections.',
    errors: ['conflict'],
    body: CreateConnectionBody,
    response: { 201: ConnectionAnswer },
    result: ({ body }) => connections.create(body),
  });

  api.get('/api/v1/connections/found', 'findModelServers', 'Find model servers on this computer', {
    description: 'Checks the usual ports, quickly. Leaves out servers that are already connected.',
    response: { 200: FoundServers },
    result: () => connections.found(),
  });

  api.post('/api/v1/connections/test', 'testConnection', 'Test a connection', {
    description:
      'Tests an existing connection, with changes to try, or a new one. With a `model`, the test asks that model for a word; without, it lists the models. The response is 200 whatever the test found.',
    errors: ['connection_not_found', 'conflict'],
    body: TestConnectionBody,
    response: { 200: ConnectionTest },
    handle: async ({ body }) => found(await connections.test(body), 'connection_not_found'),
  });

  api.post(
    '/api/v1/connections/:connectionId/refresh',
    'refreshConnection',
    'Refresh a connection’s models',
    {
      errors: ['conflict'],
      response: { 200: ConnectionAnswer },
      result: ({ params }) => connections.refresh(params.connectionId),
    },
  );

  api.patch('/api/v1/connections/:connectionId', 'updateConnection', 'Change a connection', {
    description:
      'Absent fields stay as they are. `apiKey: null` removes the key. In `headers`, text sets a header, null removes it, and headers that aren’t named stay. To move a connection to another server (host, port or scheme), send the key and all stored headers again, or null for each.',
    errors: ['conflict'],
    body: UpdateConnectionBody,
    response: { 200: ConnectionAnswer },
    result: ({ params, body }) => connections.update(params.connectionId, body),
  });

  api.delete('/api/v1/connections/:connectionId', 'deleteConnection', 'Remove a connection', {
    response: { 200: ConnectionAnswer },
    result: ({ params }) => connections.remove(params.connectionId),
  });
}
