import { existsSync } from 'node:fs';
import * as fs from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, test, vi } from 'vitest';
import { createBackupFolder } from '../../../server/data/backup-folder.ts';
import { openHeld, renameFile } from '../../../server/lib/held-files.ts';
import { writePrivateFile } from '../../../server/lib/private-file.ts';
import { createBlobFolder } from '../../../server/store/blob-folder.ts';
import { openStore } from '../../../server/store/store.ts';
import { faultyDisk } from '../../support/faulty-disk.ts';
import { createTempDir } from '../../support/service.ts';

vi.mock(import('node:fs/promises'), { spy: true });

const refusal = (code: string): Error => Object.assign(new Error(code), { code });
let dir: string;
beforeEach(async () => {
  vi.restoreAllMocks();
  dir = await createTempDir();
});

describe.each(['EBUSY', 'EPERM', 'EACCES'])('while another program holds files (%s)', (code) => {
  const heldDisk = () => {
    const disk = faultyDisk();
    disk.fail({ calls: ['rename'], code, times: 2 });
    disk.fail({ calls: ['unlink'], code, times: 2 });
    return disk;
  };

  it('a key is written, and leaves no copy behind', async () => {
    vi.mocked(fs.rename).mockRejectedValueOnce(refusal(code)).mockRejectedValueOnce(refusal(code));
    await writePrivateFile(join(dir, 'secrets.json'), 'text');
    expect(await fs.readdir(dir)).toEqual(['secrets.json']);
  });

  it('a store begins, keeps what is written, and is compacted', async () => {
    const disk = heldDisk();
    const store = await openStore({ dir, disk });
    await store.write((writer) =>
      writer.run("INSERT INTO workspaces (id, name, created_at) VALUES ('w', 'W', '')"),
    );
    disk.fail({ calls: ['rename', 'unlink'], code, times: 2 });
    await store.compact({ dropPrevious: true });
    expect(store.writable).toBe(true);
    await store.close();
  });

  it('a file of a message is kept', async () => {
    const folder = createBlobFolder(heldDisk(), dir);
    const draft = await folder.write(piecesOf('text'));
    await draft.place();
    expect(await folder.list()).toEqual([draft.sha256]);
    await folder.remove([draft.sha256]);
    expect(await folder.list()).toEqual([]);
  });

  it('a backup is made', async () => {
    const folder = createBackupFolder(dir, heldDisk());
    async function* text(): AsyncGenerator<string> {
      yield '{}';
    }
    const { name } = await folder.write(text(), new Date(), () => Promise.resolve());
    expect(existsSync(join(dir, name))).toBe(true);
  });
});

test('a file that stays held is reported after a while', async () => {
  vi.mocked(fs.rename).mockRejectedValue(refusal('EBUSY'));
  await expect(renameFile(join(dir, 'a'), join(dir, 'b'))).rejects.toMatchObject({ code: 'EBUSY' });
  expect(vi.mocked(fs.rename).mock.calls.length).toBeGreaterThan(3);
});

test('a missing permission to read is reported at once', async () => {
  const read = vi.fn().mockRejectedValue(refusal('EACCES'));
  await expect(openHeld(read)).rejects.toMatchObject({ code: 'EACCES' });
  expect(read).toHaveBeenCalledOnce();
});

async function* piecesOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}
