/** What a crash leaves of a change that is made of several steps: less than was wanted, and nothing that lies. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { SecretRowDeps } from '../../../server/connections/secret-rows.ts';
import { createMcpChanges } from '../../../server/mcp/mcp-changes.ts';
import { SERVER_SECRETS } from '../../../server/mcp/server-secrets.ts';
import { readValues } from '../../../server/secrets/row-secrets.ts';
import { createSecrets, type Secrets } from '../../../server/secrets/secrets.ts';
import { listMcpServers } from '../../../server/store/mcp-repository.ts';
import { openStore } from '../../../server/store/store.ts';
import type { Store } from '../../../server/store/types.ts';
import { createTempDir } from '../../support/service.ts';

type McpChanges = ReturnType<typeof createMcpChanges>;

const OLD = 'http://127.0.0.1:9/old';
const NEW = 'http://127.0.0.1:10/new';

interface Parts {
  store: Store;
  secrets: Secrets;
  /** The changes of a process that dies when it has taken so many steps. */
  changes: (steps?: number) => McpChanges;
}

async function open(): Promise<Parts> {
  const dir = await createTempDir();
  const store = await openStore({ dir: join(dir, 'store') });
  onTestFinished(() => store.close());
  const secrets = createSecrets({ dataDir: dir, openBox: () => Promise.resolve(null), log: () => undefined });
  return { store, secrets, changes: (steps = Infinity) => createMcpChanges(mortal(store, secrets, steps)) };
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

/** All servers with what would be sent to them, after the next start. */
async function afterRestart({ store, secrets, changes }: Parts): Promise<string[]> {
  await changes().sweepSecrets();
  const servers = store.read(listMcpServers);
  const kept = await Promise.all(
    servers.map(async (server) => {
      const read = await readValues(SERVER_SECRETS, secrets, server);
      if (read.state === 'locked') throw new Error(read.reason);
      const reading = await secrets.read(`mcp:${server.id}`);
      // A removed value may stay until the next change, but is not used.
      expect(reading.state === 'present' ? JSON.parse(reading.text) : {}).toMatchObject(read.values);
      const path = new URL(server.url ?? '').pathname.slice(1);
      return `${path} ${JSON.stringify(read.values).replaceAll('"', '')}`;
    }),
  );
  const names = await secrets.names();
  expect(names).toHaveLength(servers.filter(({ secretNames }) => secretNames.length > 0).length);
  return kept;
}

type Headers = Record<string, string>;
const make = (parts: Parts, headers: Headers): Promise<string> =>
  parts.changes().create({ name: 'Lamp', transport: 'http', url: OLD, headers });

const CHANGES: [string, Headers, (changes: McpChanges, id: string) => Promise<unknown>, string[]][] = [
  [
    'another value',
    { a: 'old' },
    (changes, id) => changes.update(id, { headers: { a: 'new' } }),
    ['old {a:old}', 'old {a:new}'],
  ],
  [
    'one value more and one less',
    { a: 'old', b: 'old' },
    (changes, id) => changes.update(id, { headers: { a: null, c: 'new' } }),
    ['old {a:old,b:old}', 'old {b:old}', 'old {b:old,c:new}'],
  ],
  [
    'taking all values away',
    { a: 'old' },
    (changes, id) => changes.update(id, { headers: { a: null } }),
    ['old {a:old}', 'old {}'],
  ],
  [
    'moving with new values',
    { a: 'old' },
    (changes, id) => changes.update(id, { url: NEW, headers: { A: 'new' } }),
    ['old {a:old}', 'new {}', 'new {A:new}'],
  ],
  [
    'moving without values',
    { a: 'old' },
    (changes, id) => changes.update(id, { url: NEW, headers: { a: null } }),
    ['old {a:old}', 'new {}'],
  ],
  ['removing it', { a: 'old' }, (changes, id) => changes.remove(id), ['old {a:old}', '']],
];

describe.each(CHANGES)('a crash in the middle of %s', (_what, headers, change, states) => {
  it('leaves the old, the new or less of it, and no value that belongs to nobody', async () => {
    let isWhole = false;
    for (let steps = 0; !isWhole; steps += 1) {
      const parts = await open();
      const id = await make(parts, headers);
      isWhole = await change(parts.changes(steps), id).then(
        () => true,
        () => false,
      );
      const left = (await afterRestart(parts)).join();
      expect(states).toContain(left);
      if (isWhole) expect(left).toBe(states.at(-1));
    }
  });
});

it('leaves nothing of a server that was not made', async () => {
  for (const steps of [0, 1]) {
    const parts = await open();
    const making = parts
      .changes(steps)
      .create({ name: 'L', transport: 'http', url: OLD, headers: { a: 'old' } });
    await expect(making).rejects.toThrow('dead');
    expect(await afterRestart(parts)).toEqual([]);
  }
});

it('never sends a value to another server than it was given for', async () => {
  const parts = await open();
  const id = await make(parts, { a: 'old', b: 'old' });
  await expect(parts.changes().update(id, { url: NEW, headers: { a: 'new' } })).rejects.toMatchObject({
    code: 'invalid_request',
    message: '"headers" must include "b" again, or null: the address is on another server.',
  });
  expect(await afterRestart(parts)).toEqual(['old {a:old,b:old}']);
  await parts.changes().update(id, { url: `${OLD}/deeper` });
  expect(await afterRestart(parts)).toEqual(['old/deeper {a:old,b:old}']);
});
