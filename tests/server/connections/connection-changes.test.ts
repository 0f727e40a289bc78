/** What a crash leaves of a change that is made of several steps: less than was wanted, and nothing that lies. */
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createConnectionChanges } from '../../../server/connections/connection-changes.ts';
import type { SecretRowDeps } from '../../../server/connections/secret-rows.ts';
import { CREDENTIALS, credentialsOf } from '../../../server/connections/credentials.ts';
import { readValues } from '../../../server/secrets/row-secrets.ts';
import { createSecrets, type Secrets } from '../../../server/secrets/secrets.ts';
import { findConnection, listConnections } from '../../../server/store/connection-repository.ts';
import { openStore } from '../../../server/store/store.ts';
import type { Store } from '../../../server/store/types.ts';

type ConnectionChanges = ReturnType<typeof createConnectionChanges>;

const OLD = { baseUrl: 'http://127.0.0.1:9/old', key: 'old-key' };
const NEW = { baseUrl: 'http://127.0.0.1:10/new', key: 'new-key' };

interface Parts {
  store: Store;
  secrets: Secrets;
  /** The changes of a process that dies when it has taken so many steps. */
  changes: (steps?: number) => ConnectionChanges;
}

async function open(): Promise<Parts> {
  const dir = await mkdtemp(join(tmpdir(), 'parley-test-'));
  const store = await openStore({ dir: join(dir, 'store') });
  onTestFinished(async () => {
    await store.close();
    await rm(dir, { recursive: true, force: true });
  });
  const secrets = createSecrets({ dataDir: dir, openBox: () => Promise.resolve(null), log: () => undefined });
  return {
    store,
    secrets,
    changes: (steps = Infinity) => createConnectionChanges(mortal(store, secrets, steps)),
  };
}

/** Parts of a process that can do no more once it has taken so many steps on disk. */
function mortal(store: Store, secrets: Secrets, steps: number): SecretRowDeps {
  let taken = 0;
  const live = <T>(work: () => Promise<T>): Promise<T> =>
    taken++ < steps ? work() : Promise.reject(new Error('dead'));
  return {
    store: { ...store, write: (work) => live(() => store.write(work)) },
    secrets: {
      read: (name) => secrets.read(name),
      names: () => secrets.names(),
      write: (name, text) => live(() => secrets.write(name, text)),
      remove: (name) => live(() => secrets.remove(name)),
    },
    clock: () => new Date(),
    newId: randomUUID,
  };
}

/** All connections with the keys that they would use, after the next start. */
async function afterRestart({
  store,
  secrets,
  changes,
}: Parts): Promise<{ baseUrl: string | null; key: string | null; headers?: string }[]> {
  await changes().sweepSecrets();
  const connections = store.read(listConnections);
  const keys = await Promise.all(
    connections.map(async (connection) => {
      const { id, hasKey, headerNames } = connection;
      // What is kept is used, and the other way round.
      const { state } = await secrets.read(`connection:${id}`);
      expect(state).toBe(hasKey || headerNames.length > 0 ? 'present' : 'absent');
      const used = await readValues(CREDENTIALS, secrets, connection);
      if (used.state !== 'present') throw new Error(used.reason);
      const { apiKey, headers = {} } = credentialsOf(used.values);
      expect([apiKey !== null, Object.keys(headers)]).toEqual([hasKey, headerNames]);
      const reported = Object.entries(headers).map(([name, value]) => ` ${name}=${value}`);
      return { key: apiKey, ...(reported.length > 0 && { headers: reported.join('') }) };
    }),
  );
  expect(await secrets.names()).toHaveLength(
    keys.filter(({ key, headers }) => key !== null || headers !== undefined).length,
  );
  return connections.map(({ baseUrl }, index) => ({ baseUrl, ...(keys[index] ?? { key: null }) }));
}

const make = async (parts: Parts, key: string | null = OLD.key): Promise<string> =>
  parts.changes().create({ provider: 'openai_compatible', baseUrl: OLD.baseUrl, apiKey: key });

const CHANGES: [
  string,
  string | null,
  (changes: ConnectionChanges, id: string) => Promise<unknown>,
  string[],
][] = [
  [
    'a new key for the same server',
    OLD.key,
    (changes, id) => changes.update(id, { apiKey: NEW.key }),
    ['old old-key', 'old new-key'],
  ],
  [
    'a first key',
    null,
    (changes, id) => changes.update(id, { apiKey: NEW.key }),
    ['old null', 'old new-key'],
  ],
  [
    'taking the key away',
    OLD.key,
    (changes, id) => changes.update(id, { apiKey: null }),
    ['old old-key', 'old null'],
  ],
  [
    'moving with a new key',
    OLD.key,
    (changes, id) => changes.update(id, { baseUrl: NEW.baseUrl, apiKey: NEW.key }),
    ['old old-key', 'new null', 'new new-key'],
  ],
  [
    'moving without a key',
    OLD.key,
    (changes, id) => changes.update(id, { baseUrl: NEW.baseUrl, apiKey: null }),
    ['old old-key', 'new null'],
  ],
  [
    'a first header',
    OLD.key,
    (changes, id) => changes.update(id, { headers: { 'X-One': 'first' } }),
    ['old old-key', 'old old-key X-One=first'],
  ],
  [
    'a header in place of the key',
    OLD.key,
    (changes, id) => changes.update(id, { apiKey: null, headers: { 'X-One': 'first' } }),
    ['old old-key', 'old null', 'old null X-One=first'],
  ],
  [
    'moving with a header',
    OLD.key,
    (changes, id) =>
      changes.update(id, { baseUrl: NEW.baseUrl, apiKey: null, headers: { 'X-One': 'first' } }),
    ['old old-key', 'new null', 'new null X-One=first'],
  ],
  ['removing it', OLD.key, (changes, id) => changes.remove(id), ['old old-key', '']],
];

describe('a process that dies in the midst of', () => {
  it.each(CHANGES)(
    '%s leaves one of the states on the way, and no other',
    async (_what, key, change, states) => {
      const seen = new Set<string>();
      for (let steps = 0; ; steps += 1) {
        const parts = await open();
        const id = await make(parts, key);
        const isDone = await change(parts.changes(steps), id).then(
          () => true,
          () => false,
        );
        const left = await afterRestart(parts);
        seen.add(
          left
            .map(
              ({ baseUrl, key: used, headers = '' }) =>
                `${baseUrl?.split('/').at(-1) ?? ''} ${used ?? 'null'}${headers}`,
            )
            .join(),
        );
        if (isDone) break;
      }
      expect([...seen]).toEqual(states);
    },
  );

  it('making one leaves none, and no key of it', async () => {
    for (const steps of [0, 1]) {
      const parts = await open();
      const making = parts.changes(steps).create({ provider: 'ollama', apiKey: NEW.key });
      await expect(making).rejects.toThrow('dead');
      expect(await afterRestart(parts)).toEqual([]);
    }
  });
});

it('a header that a crash left in the secret is not used, and is gone after the next change', async () => {
  const parts = await open();
  const id = await make(parts);
  await parts.changes().update(id, { headers: { 'X-One': 'first', 'X-Two': 'second' } });
  // The row is written, and the secret isn't.
  await parts
    .changes(1)
    .update(id, { apiKey: null, headers: { 'X-One': null } })
    .catch(() => undefined);
  const connection = parts.store.read((reader) => findConnection(reader, id));
  if (connection === null) throw new Error('It is gone.');
  expect(await readValues(CREDENTIALS, parts.secrets, connection)).toEqual({
    state: 'present',
    values: { 'X-Two': 'second' },
  });
  await parts.changes().update(id, { headers: { 'X-Three': 'third' } });
  const reading = await parts.secrets.read(`connection:${id}`);
  expect(reading.state === 'present' && reading.text).toBe('\n{"X-Two":"second","X-Three":"third"}');
});

it('a key store that refuses changes nothing', async () => {
  const parts = await open();
  const id = await make(parts);
  const before = parts.store.read((reader) => findConnection(reader, id));
  const changes = createConnectionChanges({
    ...mortal(parts.store, parts.secrets, Infinity),
    secrets: { ...parts.secrets, write: () => Promise.reject(new Error('locked')) },
  });
  for (const change of [{ apiKey: NEW.key }, { apiKey: NEW.key, baseUrl: NEW.baseUrl, name: 'Other' }]) {
    await expect(changes.update(id, change)).rejects.toThrow('locked');
    expect(parts.store.read((reader) => findConnection(reader, id))).toEqual(before);
  }
  await expect(changes.create({ provider: 'ollama', apiKey: NEW.key })).rejects.toThrow('locked');
  expect(await afterRestart(parts)).toEqual([OLD]);
});

it('changes of one connection that come together are made one after the other', async () => {
  const parts = await open();
  const id = await make(parts);
  const changes = parts.changes();
  await Promise.all([
    changes.update(id, { baseUrl: NEW.baseUrl, apiKey: NEW.key }),
    changes.update(id, { baseUrl: OLD.baseUrl, apiKey: OLD.key }),
    changes.sweepSecrets(),
    changes.update(id, { baseUrl: NEW.baseUrl, apiKey: NEW.key }),
  ]);
  expect(await afterRestart(parts)).toEqual([NEW]);
});
