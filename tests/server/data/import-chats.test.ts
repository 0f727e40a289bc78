import { randomUUID } from 'node:crypto';
import { cp, readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createDataService } from '../../../server/data/data-service.ts';
import { clearUnfinished } from '../../../server/data/import-chats.ts';
import { importFile } from '../../../server/data/import-file.ts';
import { createSearchIndexer } from '../../../server/search/search-indexer.ts';
import { beginLongChat, listBegun } from '../../../server/store/import-repository.ts';
import { openStore } from '../../../server/store/store.ts';
import type { Store } from '../../../server/store/types.ts';
import { createWorkspace } from '../../../server/store/workspace-repository.ts';
import { AppError } from '../../../server/errors.ts';
import { exportedChat, exportFileOf, importBodyOf, said } from '../../support/exported.ts';
import { foundRoles } from '../../support/found-roles.ts';
import { createMortalDisk } from '../../support/mortal-disk.ts';
import { createTempDir } from '../../support/service.ts';
import { filesOf, openTempStore } from '../../support/store.ts';

const WORKSPACE = 'w';
const LONG = 450;

const longChat = (): ReturnType<typeof exportedChat> =>
  exportedChat(Array.from({ length: LONG }, (_, index) => said(`word${index}`)));

async function openWithWorkspace(options: Parameters<typeof openTempStore>[0] = {}) {
  const temp = await openTempStore(options);
  onTestFinished(() => temp.remove());
  await temp.store.write((writer) =>
    createWorkspace(writer, { id: WORKSPACE, name: 'Personal', createdAt: '2026-11-20T09:30:00.000Z' }),
  );
  return temp;
}

const bringIn = (store: Store, file: unknown) =>
  importFile(
    {
      store,
      files: filesOf({ store, dir: join(tmpdir(), randomUUID(), 'store') }),
      spoolPath: join(tmpdir(), randomUUID()),
      workspaceFor: () => WORKSPACE,
    },
    importBodyOf(file),
  );

/** How many messages each chat has, and how many belong to none. */
function tally(store: Store): { chats: number[]; homeless: number } {
  return store.read((reader) => ({
    chats: reader
      .all<{ total: number }>(
        'SELECT (SELECT count(*) FROM messages WHERE chat_id = chats.id) AS total FROM chats ORDER BY total',
      )
      .map(({ total }) => total),
    homeless:
      reader.get<{ total: number }>(
        'SELECT count(*) AS total FROM messages WHERE chat_id NOT IN (SELECT id FROM chats)',
      )?.total ?? -1,
  }));
}

describe('an import', () => {
  it('leaves whole chats only, wherever the log ends', { timeout: 120_000 }, async () => {
    const temp = await openWithWorkspace();
    const short = Array.from({ length: 30 }, () => exportedChat([said('a'), said('b')]));
    await bringIn(temp.store, exportFileOf(...short, longChat(), ...short.map(again)));
    expect(tally(temp.store)).toEqual({ chats: [...Array<number>(60).fill(2), LONG], homeless: 0 });

    // What a process that is killed leaves is the log up to some byte.
    const [log] = (await readdir(temp.dir)).filter((name) => name.startsWith('log-'));
    const bytes = await readFile(join(temp.dir, log ?? ''));
    const seen = new Set<number>();
    for (let cut = 1; cut < 24; cut += 1) {
      const dir = join(await createTempDir(), 'store');
      await cp(temp.dir, dir, { recursive: true });
      await writeFile(join(dir, log ?? ''), bytes.subarray(0, Math.floor((bytes.length * cut) / 24)));
      const store = await openStore({ dir });
      await clearUnfinished(store);
      const { chats, homeless } = tally(store);
      expect(homeless).toBe(0);
      expect(chats.every((total) => total === 2 || total === LONG)).toBe(true);
      seen.add(chats.length);
      await store.close();
    }
    expect(seen.size).toBeGreaterThan(2);
  });

  it('clears away half a chat, and what is written afterwards can be found', async () => {
    const disk = createMortalDisk();
    const temp = await openWithWorkspace({ disk });
    const search = createSearchIndexer(temp.store);
    onTestFinished(() => search.close());
    const write = temp.store.write.bind(temp.store);
    let writes = 0;
    const failing: Store = Object.create(temp.store, {
      write: {
        value: (work: Parameters<typeof write>[0]) => {
          writes += 1;
          return writes === 5 ? Promise.reject(new AppError('storage_full')) : write(work);
        },
      },
    }) as Store;
    // The third piece fails: the first write clears up, the second is the short chat.
    const file = exportFileOf(exportedChat([said('short')]), longChat());
    await expect(bringIn(failing, file)).rejects.toMatchObject({
      code: 'storage_full',
      message: expect.stringContaining('Chats that are in: 1,') as string,
    });
    expect(tally(temp.store)).toEqual({ chats: [1], homeless: 0 });

    await search.catchUp();
    await bringIn(temp.store, exportFileOf(exportedChat([said('wombat')])));
    await search.catchUp();
    const find = (words: string): number => foundRoles(temp.store, WORKSPACE, words).length;
    expect([find('wombat'), find('word1')]).toEqual([1, 0]);
  });

  it('does not keep a service from starting that can not clear it away, since the disk is full', async () => {
    const disk = createMortalDisk();
    const temp = await openWithWorkspace({ disk, limits: { checkIntervalMs: 20 } });
    await temp.store.write((writer) => beginLongChat(writer, 'import', 'half'));
    const data = createDataService({
      store: temp.store,
      files: filesOf(temp),
      dataDir: join(temp.dir, '..'),
      clock: () => new Date(),
    });
    disk.isFull = true;
    await data.recover();
    expect(temp.store.read((reader) => listBegun(reader, 'import'))).toEqual(['half']);
    disk.isFull = false;
    await expect.poll(() => temp.store.writable).toBe(true);
    await data.recover();
    expect(temp.store.read((reader) => listBegun(reader, 'import'))).toEqual([]);
  });

  it('says how far it came when the disk is full, and goes on from there later', async () => {
    const disk = createMortalDisk();
    const temp = await openWithWorkspace({ disk, limits: { checkIntervalMs: 20 } });
    const chats = Array.from({ length: 300 }, () => exportedChat([said('x'.repeat(2_000))]));
    const file = exportFileOf(...chats);
    const write = temp.store.write.bind(temp.store);
    let writes = 0;
    const filling: Store = Object.create(temp.store, {
      write: {
        value: (work: Parameters<typeof write>[0]) => {
          writes += 1;
          if (writes === 3) disk.isFull = true;
          return write(work);
        },
      },
    }) as Store;
    const refusal = bringIn(filling, file);
    await expect(refusal).rejects.toMatchObject({ code: 'storage_full' });
    const { length } = tally(temp.store).chats;
    await expect(refusal).rejects.toThrow(`Chats that are in: ${length},`);
    expect(length).toBeGreaterThan(0);
    disk.isFull = false;
    await expect.poll(() => temp.store.writable).toBe(true);
    expect(await bringIn(temp.store, file)).toMatchObject({
      skipped: length,
      imported: 300 - length,
    });
  });
});

/** The same chat under other ids. */
function again(chat: ReturnType<typeof exportedChat>): ReturnType<typeof exportedChat> {
  return exportedChat(chat.messages.map(({ content }) => said(content)));
}
