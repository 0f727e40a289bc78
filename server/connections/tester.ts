import type { ConnectionTest, TestConnectionBody } from '../../shared/api/connection.ts';
import { invalidField } from '../errors.ts';
import type { Secrets } from '../secrets/secrets.ts';
import { findConnection } from '../store/connection-repository.ts';
import type { Store } from '../store/types.ts';
import type { AskLimits } from './ask.ts';
import { openConnection } from './connection-key.ts';
import type { Server } from './list-models.ts';
import { isSameServer, readBaseUrl } from './providers.ts';
import { testServer } from './test-server.ts';

/** What {@link createConnectionTester} works with. */
export interface ConnectionTesterDeps {
  store: Store;
  secrets: Pick<Secrets, 'read'>;
  limits: AskLimits;
}

/** Tests connections, and what could become one. */
export interface ConnectionTester {
  /** Null: there is no such connection. Rejects with AppError `invalid_request`. */
  test(body: TestConnectionBody): Promise<ConnectionTest | null>;
}

/** Makes the tester of a store's connections. */
export function createConnectionTester({ store, secrets, limits }: ConnectionTesterDeps): ConnectionTester {
  async function run(server: Server, model: string | undefined): Promise<ConnectionTest> {
    const began = performance.now();
    const outcome = await testServer(server, model ?? null, limits);
    return { ...outcome, tookMs: Math.round(performance.now() - began) };
  }

  async function testStored(id: string, body: TestConnectionBody): Promise<ConnectionTest | null> {
    const opened = await openConnection(secrets, () => store.read((reader) => findConnection(reader, id)));
    if (opened === null) return null;
    const { connection, key } = opened;
    const { provider } = connection;
    const baseUrl = body.baseUrl === undefined ? connection.baseUrl : readBaseUrl(provider, body.baseUrl);
    const place = { provider, baseUrl };
    if (body.apiKey !== undefined) return run({ ...place, apiKey: body.apiKey }, body.model);
    // The key was given for the server that is connected, and is tried at no other.
    const isKept = isSameServer(connection, place);
    if (isKept && key.state === 'locked') {
      return {
        finding: 'key_needed',
        message: `The key can’t be used. ${key.reason}`,
        tookMs: 0,
        models: [],
      };
    }
    return run({ ...place, apiKey: isKept && key.state === 'present' ? key.text : null }, body.model);
  }

  return {
    async test(body) {
      if (body.connectionId !== undefined) return testStored(body.connectionId, body);
      const { provider, baseUrl = null, apiKey = null, model } = body;
      if (provider === undefined) {
        throw invalidField(
          'provider',
          '"provider" is missing: name it, or a connection with "connectionId".',
        );
      }
      return run({ provider, baseUrl: readBaseUrl(provider, baseUrl), apiKey }, model);
    },
  };
}
