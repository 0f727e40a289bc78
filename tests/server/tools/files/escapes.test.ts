import { execFileSync } from 'node:child_process';
import { constants } from 'node:fs';
import {
  link,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  unlink,
  writeFile,
} from 'node:fs/promises';
import { createServer } from 'node:net';
import { join, parse, relative } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { createPathResolver } from '../../../../server/tools/files/resolve-path.ts';
import { replaceFile } from '../../../../server/tools/files/replace-file.ts';
import { readFolder, requireSame, withFile } from '../../../../server/tools/files/safe-open.ts';
import { openAllowedFolders } from '../../../support/allowed-folders.ts';
import { HAS_PIPES } from '../../../support/platform.ts';

const SECRET = 'the secret of the house';
const NOT_ALLOWED = 'is not in a folder that tools may use';

let files: Awaited<ReturnType<typeof openAllowedFolders>>;
beforeEach(async () => {
  files = await openAllowedFolders();
  await writeFile(join(files.secret, 'key.txt'), SECRET);
  await writeFile(join(files.data, 'connection.json'), SECRET);
  await writeFile(join(files.notes, 'todo.md'), 'milk\n');
});

/** What each tool is called with to reach a path. */
const CALLS = {
  list_files: (path: string) => ({ path }),
  read_file: (path: string) => ({ path }),
  search_files: (path: string) => ({ path, text: 'secret' }),
  write_file: (path: string) => ({ path, text: 'taken' }),
};
const TOOLS = Object.keys(CALLS) as (keyof typeof CALLS)[];

async function outsideIsUntouched(): Promise<void> {
  expect(await readdir(files.secret)).toEqual(['key.txt']);
  expect(await readFile(join(files.secret, 'key.txt'), 'utf8')).toBe(SECRET);
  expect(await readdir(files.data)).toEqual(['connection.json']);
  expect(await readFile(join(files.data, 'connection.json'), 'utf8')).toBe(SECRET);
}

describe.each(TOOLS)('%s stays in the allowed folders', (tool) => {
  const refusal = (path: string): Promise<string> => files.refusal(tool, CALLS[tool](path));

  it.each([
    '../secret/key.txt',
    'Notes/../../secret/key.txt',
    'Notes/..',
    '..',
    'Notes/./../Work',
    'Notes/sub/../../../secret',
  ])('when a path climbs: %s', async (path) => {
    expect(await refusal(path)).toContain('contains “..”');
    await outsideIsUntouched();
  });

  it('when a path is absolute, there or not', async () => {
    const paths = ['/etc/passwd', '/no/such/file', files.root, `${files.notes}-other/x`, files.secret];
    for (const path of [...paths, join(files.secret, 'key.txt'), join(files.secret, 'none')]) {
      const words = await refusal(path);
      expect(words).toContain(NOT_ALLOWED);
      expect(words).toContain('“Notes”, “Work”');
    }
    expect(await refusal(`${files.notes}/../secret/key.txt`)).toContain('contains “..”');
    await outsideIsUntouched();
  });

  it('when it names no folder, or one that is not allowed', async () => {
    for (const path of ['secret/key.txt', 'todo.md', '~/x', 'C:\\Windows']) {
      expect(await refusal(path)).toContain(NOT_ALLOWED);
    }
    expect(await refusal('file:///etc/passwd')).toMatch(/is not in a folder that tools may use|on Windows/);
    for (const path of ['Notes/\0', `Notes/${'x'.repeat(5_000)}`, 'Notes/\ud800']) {
      expect(await refusal(path)).toMatch(/not a valid file path|too long/);
    }
  });

  it('when links lead out, anywhere in the path', async () => {
    await symlink(files.secret, join(files.notes, 'way'));
    await symlink(join(files.secret, 'key.txt'), join(files.notes, 'key.txt'));
    await symlink('../secret', join(files.notes, 'relative'));
    await symlink('way', join(files.notes, 'twice'));
    await symlink(parse(files.secret).root, join(files.notes, 'system'));
    for (const path of [
      'way',
      'way/key.txt',
      'way/new/file.txt',
      'key.txt',
      'relative/key.txt',
      'twice/key.txt',
      `system/${relative(parse(files.secret).root, files.secret)}/key.txt`,
    ]) {
      expect(await refusal(`Notes/${path}`)).toContain(NOT_ALLOWED);
    }
    await outsideIsUntouched();
  });

  it('when links lead nowhere, or round', async () => {
    await symlink(join(files.secret, 'new.txt'), join(files.notes, 'dangling'));
    await symlink('/no/such', join(files.notes, 'gone'));
    await symlink('round', join(files.notes, 'round'));
    for (const path of ['dangling', 'gone', 'gone/x/y']) {
      expect(await refusal(`Notes/${path}`)).toContain('is a broken link');
    }
    expect(await refusal('Notes/round')).not.toContain(files.secret);
    await outsideIsUntouched();
  });

  it('and out of Parley’s own data, by whatever way', async () => {
    await symlink(files.data, join(files.notes, 'own'));
    const paths = [
      'Work/parley-data',
      'Work/parley-data/connection.json',
      'Notes/own/connection.json',
      files.data,
    ];
    for (const path of [...paths, 'Work/parley-data/new.txt', 'Work/parley-data/new/deep.txt']) {
      expect(await refusal(path)).toContain('Parley keeps its own data there');
    }
    await outsideIsUntouched();
  });
});

describe('what is no file or folder', () => {
  it.runIf(HAS_PIPES)('is neither read nor written, and nobody waits for it', async () => {
    const socket = join(files.notes, 'socket');
    const server = createServer().listen(socket);
    onTestFinished(() => void server.close());
    execFileSync('mkfifo', [join(files.notes, 'pipe')]);
    for (const path of ['Notes/pipe', 'Notes/socket']) {
      for (const tool of ['read_file', 'write_file'] as const) {
        expect(await files.refusal(tool, CALLS[tool](path))).toContain('is not a regular file');
      }
    }
    expect(await files.run('search_files', { text: 'secret', path: 'Notes' })).toEqual({ matches: [] });
    expect((await stat(join(files.notes, 'pipe'))).isFIFO()).toBe(true);
  });
});

describe('walks down', () => {
  it('list and search neither follow links nor enter Parley’s own data', async () => {
    await symlink(files.secret, join(files.notes, 'way'));
    await symlink(files.notes, join(files.notes, 'loop'));
    const listed = await files.run<{ entries: object[] }>('list_files', { path: 'Notes', depth: 5 });
    expect(listed.entries).toMatchObject([
      { path: 'Notes/loop', kind: 'link' },
      { path: 'Notes/todo.md', kind: 'file' },
      { path: 'Notes/way', kind: 'link' },
    ]);
    expect(await files.run('list_files', { path: 'Work' })).toEqual({ path: 'Work', entries: [] });
    expect(await files.run('search_files', { text: 'secret' })).toEqual({ matches: [] });
    expect(await files.run('search_files', { name: 'connection' })).toEqual({ matches: [] });
  });
});

describe('what is swapped between the look and the use', () => {
  const places = () =>
    createPathResolver({
      folders: () =>
        Promise.resolve([{ id: '1', name: 'Notes', path: files.notes, available: true, createdAt: '' }]),
      dataDir: files.data,
    });
  const read = (path: string): Promise<string> =>
    places()
      .find(path)
      .then(async (place) => {
        await swap();
        return withFile(place, (handle) => handle.readFile('utf8'));
      });
  let swap: () => Promise<void>;

  it('a file that became a link is not opened', async () => {
    swap = async () => {
      await unlink(join(files.notes, 'todo.md'));
      await symlink(join(files.secret, 'key.txt'), join(files.notes, 'todo.md'));
    };
    await expect(read('Notes/todo.md')).rejects.toThrow('was changed by somebody else');
  });

  it('a folder that became a link gives nothing away', async () => {
    await mkdir(join(files.notes, 'sub'));
    await writeFile(join(files.notes, 'sub', 'key.txt'), 'harmless');
    swap = async () => {
      await rename(join(files.notes, 'sub'), join(files.notes, 'old'));
      await symlink(files.secret, join(files.notes, 'sub'));
    };
    await expect(read('Notes/sub/key.txt')).rejects.toThrow('was changed by somebody else');
    await expect(readFolder(join(files.notes, 'sub'), 'Notes/sub', 9)).rejects.toThrow('changed by somebody');
  });

  it('a file that was opened by a way that is closed again is not taken for the one that was judged', async () => {
    const judged = join(files.notes, 'todo.md');
    const [inside, outside] = await Promise.all([
      stat(judged, { bigint: true }),
      stat(join(files.secret, 'key.txt'), { bigint: true }),
    ]);
    await requireSame(judged, 'Notes/todo.md', inside);
    await expect(requireSame(judged, 'Notes/todo.md', outside)).rejects.toThrow(
      'was changed by somebody else',
    );
  });

  it.runIf(HAS_PIPES)('a pipe in a file’s place is not waited for', async () => {
    swap = async () => {
      await unlink(join(files.notes, 'todo.md'));
      execFileSync('mkfifo', [join(files.notes, 'todo.md')]);
    };
    await expect(read('Notes/todo.md')).rejects.toThrow('is not a regular file');
  });

  it.each([
    ['a folder that became a link', 'Notes/sub/key.txt'],
    ['a folder that became a link, for a new file', 'Notes/sub/new.txt'],
    ['a folder that became a link, for a new folder', 'Notes/sub/new/deep.txt'],
  ])('%s is not written through', async (_what, path) => {
    await mkdir(join(files.notes, 'sub'));
    await writeFile(join(files.notes, 'sub', 'key.txt'), 'harmless');
    const place = await places().find(path);
    await rename(join(files.notes, 'sub'), join(files.notes, 'old'));
    await symlink(files.secret, join(files.notes, 'sub'));
    await expect(replaceFile(place, Buffer.from('taken'))).rejects.toThrow('changed by somebody else');
    await outsideIsUntouched();
    expect(await readFile(join(files.notes, 'old', 'key.txt'), 'utf8')).toBe('harmless');
  });

  it('a file that somebody else wrote, or made, stays as they left it', async () => {
    const there = await places().find('Notes/todo.md');
    const fresh = await places().find('Notes/new.md');
    await writeFile(join(files.notes, 'todo.md'), 'milk and honey\n');
    await symlink(join(files.secret, 'key.txt'), join(files.notes, 'new.md'));
    for (const place of [there, fresh]) {
      await expect(replaceFile(place, Buffer.from('taken'))).rejects.toThrow('changed by somebody else');
    }
    expect(await readFile(join(files.notes, 'todo.md'), 'utf8')).toBe('milk and honey\n');
    expect((await readdir(files.notes)).sort()).toEqual(['new.md', 'todo.md']);
    await outsideIsUntouched();
  });

  it('an allowed folder that became a link to elsewhere is not available any more', async () => {
    await rm(files.notes, { recursive: true });
    await symlink(files.secret, files.notes);
    for (const tool of TOOLS) {
      expect(await files.refusal(tool, CALLS[tool]('Notes/key.txt'))).toContain('isn’t there any more');
    }
    expect(await files.run('list_files', {})).toMatchObject({
      folders: [{ name: 'Notes', note: 'It isn’t there any more.' }, { name: 'Work' }],
    });
    await outsideIsUntouched();
  });
});

it('a file that is written is a new one: another name of the old one keeps the old text', async () => {
  await link(join(files.secret, 'key.txt'), join(files.notes, 'twin.txt'));
  await files.run('write_file', { path: 'Notes/twin.txt', text: 'new' });
  await outsideIsUntouched();
  const handle = await open(join(files.notes, 'twin.txt'), constants.O_RDONLY);
  expect(await handle.readFile('utf8')).toBe('new');
  await handle.close();
});
