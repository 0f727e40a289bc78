/** The part of the API about model servers that a person has connected; all of it needs the scope `admin`. */
import type {
  Connection,
  ConnectionAnswer,
  ConnectionList,
  ConnectionTest,
  CreateConnectionBody,
  FoundServer,
  FoundServers,
  TestConnectionBody,
  UpdateConnectionBody,
} from '../../shared/api/connection.ts';
import type { Request } from './http.ts';

/** A model server may be slow to answer, and is asked before the service is. */
const SERVER_WAIT_MS = 60_000;

/** Connections to model servers. */
export interface ConnectionApi {
  /** Oldest first. */
  listConnections(): Promise<Connection[]>;
  createConnection(body: CreateConnectionBody): Promise<Connection>;
  updateConnection(connectionId: string, body: UpdateConnectionBody): Promise<Connection>;
  deleteConnection(connectionId: string): Promise<Connection>;
  /** Has its models listed anew. */
  refreshConnection(connectionId: string): Promise<Connection>;
  /** Resolves with what was found, whatever that is. */
  testConnection(body: TestConnectionBody): Promise<ConnectionTest>;
  /** Looks for model servers on this computer that aren't connected. */
  findServers(): Promise<FoundServer[]>;
}

/** The part of a client that {@link ConnectionApi} describes. */
export function connectionApi(request: Request): ConnectionApi {
  const all = '/api/v1/connections';
  const one = (connectionId: string): string => `${all}/${encodeURIComponent(connectionId)}`;
  const timeoutMs = SERVER_WAIT_MS;
  const answered = async (answer: Promise<ConnectionAnswer>): Promise<Connection> =>
    (await answer).connection;
  return {
    listConnections: async () => (await request<ConnectionList>('GET', all)).connections,
    createConnection: (body) => answered(request('POST', all, { body, timeoutMs })),
    updateConnection: (connectionId, body) =>
      answered(request('PATCH', one(connectionId), { body, timeoutMs })),
    deleteConnection: (connectionId) => answered(request('DELETE', one(connectionId))),
    refreshConnection: (connectionId) =>
      answered(request('POST', `${one(connectionId)}/refresh`, { body: {}, timeoutMs })),
    testConnection: (body) => request<ConnectionTest>('POST', `${all}/test`, { body, timeoutMs }),
    findServers: async () => (await request<FoundServers>('GET', `${all}/found`, { timeoutMs })).servers,
  };
}
