import type { ConnectionTest, TestConnectionBody } from '../../shared/api/connection.ts';
import { MAX_CONNECTION_HEADERS } from '../../shared/limits.ts';
import { invalidField } from '../errors.ts';
import { checkHeaders } from '../secrets/header-values.ts';
import type { Secrets } from '../secrets/secrets.ts';
import { findConnection, type StoredConnection } from '../store/connection-repository.ts';
import type { Store } from '../store/types.ts';
import type { AskLimits } from '../net/ask.ts';
import { NO_CREDENTIALS, openConnection, staying, withGiven } from './credentials.ts';
import { serverOf, type Server } from './list-models.ts';
import { isSameServer, readBaseUrl } from './places.ts';
import { testServer } from './test-server.ts';

/** Dependencies of tests. */
interface TestDeps {
  store: Store;
  secrets: Pick<Secrets, 'read'>;
  limits: AskLimits;
}

/** Tests a connection, stored or not. Null: there is no such connection. Rejects with AppError `invalid_request`. */
export async function testConnection(
  deps: TestDeps,
  body: TestConnectionBody,
): Promise<ConnectionTest | null> {
  checkHeaders(body.headers ?? {}, { max: MAX_CONNECTION_HEADERS });
  if (body.connectionId !== undefined) return testStored(deps, body.connectionId, body);
  const { provider, baseUrl = null, model } = body;
  if (provider === undefined) {
    throw invalidField('provider', '"provider" is missing: send it, or the "connectionId" of a connection.');
  }
  const place = { provider, baseUrl: readBaseUrl(provider, baseUrl) };
  return run(serverOf(place, withGiven(NO_CREDENTIALS, body)), model, deps);
}

async function testStored(
  deps: TestDeps,
  id: string,
  body: TestConnectionBody,
): Promise<ConnectionTest | null> {
  const { store, secrets } = deps;
  const find = (): StoredConnection | null => store.read((reader) => findConnection(reader, id));
  const connection = find();
  if (connection === null) return null;
  const { provider } = connection;
  const baseUrl = body.baseUrl === undefined ? connection.baseUrl : readBaseUrl(provider, body.baseUrl);
  const place = { provider, baseUrl };
  // Stored credentials belong to the connected server, and are sent to no other.
  const kept = (): StoredConnection | null => {
    const now = find();
    if (now === null) return null;
    return isSameServer(now, place) ? staying(now, body) : { ...now, hasKey: false, headerNames: [] };
  };
  const opened = await openConnection(secrets, kept);
  if (opened === null) return null;
  const { credentials } = opened;
  if (credentials.state === 'locked') {
    const message = `The saved key can’t be used. ${credentials.reason}`;
    return { finding: 'key_needed', message, tookMs: 0, models: [] };
  }
  return run(serverOf(place, withGiven(credentials, body)), body.model, deps);
}

async function run(server: Server, model: string | undefined, { limits }: TestDeps): Promise<ConnectionTest> {
  const began = performance.now();
  const outcome = await testServer(server, model ?? null, limits);
  return { ...outcome, tookMs: Math.round(performance.now() - began) };
}
