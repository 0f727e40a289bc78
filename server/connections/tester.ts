import type { ConnectionTest, TestConnectionBody } from '../../shared/api/connection.ts';
import { invalidField } from '../errors.ts';
import type { GivenHeaders } from '../secrets/header-values.ts';
import { openRow, valuesSetBy, withoutGiven } from '../secrets/row-secrets.ts';
import type { Secrets } from '../secrets/secrets.ts';
import { findConnection, type StoredConnection } from '../store/connection-repository.ts';
import type { Store } from '../store/types.ts';
import type { RequestLimits } from '../net/request-json.ts';
import { CREDENTIALS, credentialsOf, givenCredentials } from './credentials.ts';
import type { ModelServer } from './list-models.ts';
import { mayShareKey, readBaseUrl } from './server-address.ts';
import { testModelServer } from './test-server.ts';

interface TestDeps {
  store: Store;
  secrets: Pick<Secrets, 'read'>;
  limits: RequestLimits;
}

/** Tests a connection, stored or not. Null: there is no such connection. Rejects with AppError `invalid_request`. */
export async function testConnection(
  deps: TestDeps,
  body: TestConnectionBody,
): Promise<ConnectionTest | null> {
  const given = givenCredentials(body);
  if (body.connectionId !== undefined) return testStored(deps, body.connectionId, body, given);
  const { provider, baseUrl = null, model } = body;
  if (provider === undefined) {
    throw invalidField('provider', '"provider" is missing: send it, or the "connectionId" of a connection.');
  }
  const server = { provider, baseUrl: readBaseUrl(provider, baseUrl) };
  return run({ ...server, ...credentialsOf(valuesSetBy(given)) }, model, deps);
}

async function testStored(
  deps: TestDeps,
  id: string,
  body: TestConnectionBody,
  given: GivenHeaders,
): Promise<ConnectionTest | null> {
  const { store, secrets } = deps;
  const find = (): StoredConnection | null => store.read((reader) => findConnection(reader, id));
  const connection = find();
  if (connection === null) return null;
  const { provider } = connection;
  const baseUrl = body.baseUrl === undefined ? connection.baseUrl : readBaseUrl(provider, body.baseUrl);
  const server = { provider, baseUrl };
  // Stored credentials belong to the connected server, and are sent to no other.
  const staying = (): StoredConnection | null => {
    const now = find();
    if (now === null) return null;
    return mayShareKey(now, server) ? withoutGiven(CREDENTIALS, now, given) : CREDENTIALS.withNames(now, []);
  };
  const opened = await openRow(CREDENTIALS, secrets, staying);
  if (opened === null) return null;
  const { kept } = opened;
  if (kept.state === 'locked') {
    const message = `The saved key can’t be used. ${kept.reason}`;
    return { finding: 'key_needed', message, tookMs: 0, models: [] };
  }
  const values = { ...kept.values, ...valuesSetBy(given) };
  return run({ ...server, ...credentialsOf(values) }, body.model, deps);
}

async function run(
  server: ModelServer,
  model: string | undefined,
  { limits }: TestDeps,
): Promise<ConnectionTest> {
  const began = performance.now();
  return {
    ...(await testModelServer(server, model ?? null, limits)),
    tookMs: Math.round(performance.now() - began),
  };
}
