/** The part of the API about model servers that a person has connected; all of it needs the scope `admin`. */
import type {
  Connection,
  ConnectionTest,
  CreateConnectionBody,
  FoundServer,
  TestConnectionBody,
  UpdateConnectionBody,
} from '../../shared/api/connection.ts';
import type { Ask } from './http.ts';

/** A model server may be slow to answer, and is asked before the service is. */
const SERVER_WAIT_MS = 60_000;

const path = (connectionId: string) => ({ params: { path: { connectionId } } });

const answered = (answer: Promise<{ connection: Connection }>): Promise<Connection> =>
  answer.then(({ connection }) => connection);

/** Connections to model servers. */
export type ConnectionApi = ReturnType<typeof connectionApi>;

/** The part of a client that {@link ConnectionApi} is. */
export const connectionApi = (ask: Ask) => ({
  /** Oldest first. */
  listConnections: (): Promise<Connection[]> =>
    ask((api) => api.GET('/api/v1/connections')).then(({ connections }) => connections),
  createConnection: (body: CreateConnectionBody): Promise<Connection> =>
    answered(ask((api) => api.POST('/api/v1/connections', { body }), SERVER_WAIT_MS)),
  updateConnection: (id: string, body: UpdateConnectionBody): Promise<Connection> =>
    answered(
      ask((api) => api.PATCH('/api/v1/connections/{connectionId}', { ...path(id), body }), SERVER_WAIT_MS),
    ),
  deleteConnection: (id: string): Promise<Connection> =>
    answered(ask((api) => api.DELETE('/api/v1/connections/{connectionId}', path(id)))),
  /** Has its models listed anew. */
  refreshConnection: (id: string): Promise<Connection> =>
    answered(ask((api) => api.POST('/api/v1/connections/{connectionId}/refresh', path(id)), SERVER_WAIT_MS)),
  /** Resolves with what was found, whatever that is. */
  testConnection: (body: TestConnectionBody): Promise<ConnectionTest> =>
    ask((api) => api.POST('/api/v1/connections/test', { body }), SERVER_WAIT_MS),
  /** Looks for model servers on this computer that aren't connected. */
  findServers: (): Promise<FoundServer[]> =>
    ask((api) => api.GET('/api/v1/connections/found'), SERVER_WAIT_MS).then(({ servers }) => servers),
});
