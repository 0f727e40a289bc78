import {
  chmod,
  mkdir,
  open,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { Value } from 'typebox/value';
import { beforeEach, describe, expect, it, test, vi } from 'vitest';
import { createFileTools } from '../../../../server/tools/files/file-tools.ts';
import { explainFileError } from '../../../../server/tools/files/file-words.ts';
import { createPathResolver } from '../../../../server/tools/files/resolve-path.ts';
import { createSearchFiles } from '../../../../server/tools/files/search-files.ts';
import { ToolError } from '../../../../server/tools/tool.ts';
import { openAllowedFolders } from '../../../support/allowed-folders.ts';
import { HAS_FILE_MODES } from '../../../support/platform.ts';
import { toolContext } from '../../../support/tool-context.ts';

let files: Awaited<ReturnType<typeof openAllowedFolders>>;
beforeEach(async () => {
  files = await openAllowedFolders();
});
const note = (name: string): string => join(files.notes, name);
const write = (input: object): Promise<Record<string, unknown>> => files.run('write_file', input);

test.each([
  ['one\r\ntwo\r\n', 'one\n2\nthree\n', 'one\r\n2\r\nthree\r\n'],
  ['\ufeffName;Age\r\nAna;3\r\n', 'Name;Age\nAna;4\n', '\ufeffName;Age\r\nAna;4\r\n'],
  ['\ufeffone\n', '\ufefftwo\n', '\ufefftwo\n'],
  ['one\ntwo\n', 'one\r\ntwo\r\n', 'one\r\ntwo\r\n'],
  ['one\r\ntwo\r\n', 'one\r\n2\n', 'one\r\n2\r\n'],
  ['one\ntwo\nthree\r\n', 'one\n', 'one\n'],
  ['', 'one\n', 'one\n'],
])('a file with the style of %j keeps it when %j replaces its text', async (before, text, after) => {
  await writeFile(note('list.md'), before);
  await write({ path: 'Notes/list.md', text });
  expect(await readFile(note('list.md'), 'utf8')).toBe(after);
});

describe('the tools', () => {
  it('ask before they change something, and only then', async () => {
    for (const name of ['list_files', 'read_file', 'search_files']) {
      expect(await files.tool(name)).toMatchObject({ asks: 'never', changes: false });
    }
    expect(await files.tool('write_file')).toMatchObject({ asks: 'always', changes: true });
  });

  it('are listed only while a folder is allowed, whatever its disk says or does not say', async () => {
    let isAny = false;
    const folders = () => new Promise<never>(() => undefined);
    const source = createFileTools({ folders, isAnyAllowed: () => isAny, dataDir: files.data });
    expect(await source.list(['writer'])).toEqual([]);
    isAny = true;
    const names = (await source.list(['writer'])).map(({ name }) => name);
    expect(names).toEqual(['list_files', 'read_file', 'search_files', 'write_file']);
  });

  it.each([
    ['read_file', {}],
    ['read_file', { path: 7 }],
    ['read_file', { path: '' }],
    ['read_file', { path: 'Notes/a', from_line: 0 }],
    ['list_files', { path: 'Notes', depth: 99 }],
    ['write_file', { path: 'Notes/a' }],
    ['write_file', { path: 'Notes/a', text: '', append: 'yes' }],
  ])('%s takes no input like %j', async (name, input) => {
    expect(Value.Check((await files.tool(name)).input, input)).toBe(false);
  });

  it('want something to search for', async () => {
    expect(await files.refusal('search_files', {})).toContain('Give a “name”');
    expect(await files.refusal('search_files', { name: '', text: '' })).toContain('Give a “name”');
  });

  it('stop when they are told to', async () => {
    await writeFile(note('a.txt'), 'a');
    const stopped = AbortSignal.abort();
    for (const [name, input] of [
      ['list_files', { path: 'Notes' }],
      ['read_file', { path: 'Notes/a.txt' }],
      ['search_files', { text: 'a' }],
      ['write_file', { path: 'Notes/b.txt', text: 'b' }],
    ] as const) {
      await expect(files.run(name, input, stopped)).rejects.toThrow('aborted');
    }
    expect(await readdir(files.notes)).toEqual(['a.txt']);
  });
});

describe('list_files', () => {
  it('tells what is there: folders first, in the order people count', async () => {
    await mkdir(note('zoo'));
    await writeFile(note('part 10.md'), '1234567');
    await writeFile(note('part 9.md'), '');
    await utimes(note('part 9.md'), 0, 0);
    await writeFile(note('zoo/deep.txt'), 'x');
    const changed = expect.stringMatching(/^\d{4}-.*Z$/) as string;
    expect(await files.run('list_files', { path: 'Notes' })).toEqual({
      path: 'Notes',
      entries: [
        { path: 'Notes/zoo', kind: 'folder' },
        { path: 'Notes/part 9.md', kind: 'file', size: 0, changed: '1970-01-01T00:00:00.000Z' },
        { path: 'Notes/part 10.md', kind: 'file', size: 7, changed },
      ],
    });
    const deep = await files.run<{ entries: { path: string }[] }>('list_files', {
      path: files.notes,
      depth: 2,
    });
    expect(deep.entries.map(({ path }) => path)).toContain('Notes/zoo/deep.txt');
    expect(await files.refusal('list_files', { path: 'Notes/part 9.md' })).toContain(
      'is a file; use read_file',
    );
    expect(await files.refusal('list_files', { path: 'Notes/none' })).toContain('There is no “Notes/none”');
  });

  it('names the allowed folders where no path is given, and ends where there is too much', async () => {
    expect(await files.run('list_files', {})).toEqual({
      folders: [
        { name: 'Notes', path: files.notes },
        { name: 'Work', path: files.work },
      ],
    });
    await Promise.all(Array.from({ length: 600 }, (_, index) => writeFile(note(`${index}.txt`), '')));
    const listed = await files.run<{ entries: object[]; note: string }>('list_files', { path: 'notes' });
    expect(listed.entries).toHaveLength(500);
    expect(listed.note).toContain('first 500');
  });
});

describe('read_file', () => {
  it('reads texts whole, without their mark, and through a link that stays inside', async () => {
    await writeFile(note('a.md'), '\ufeffone\r\ntwo\r\n');
    await symlink(note('a.md'), join(files.work, 'a'));
    expect(await files.run('read_file', { path: 'Work/a' })).toEqual({
      path: 'Notes/a.md',
      size: 13,
      text: 'one\ntwo',
      lines: 2,
      from_line: 1,
      to_line: 2,
      line_ends: 'CRLF',
    });
    await writeFile(note('empty'), '');
    expect(await files.run('read_file', { path: 'Notes/empty' })).toMatchObject({ text: '', lines: 0 });
  });

  it('reads long files in parts, and says where to go on', async () => {
    await writeFile(
      note('long.log'),
      Array.from({ length: 5_000 }, (_, index) => `line ${index + 1}\n`).join(''),
    );
    expect(await files.run('read_file', { path: 'Notes/long.log', from_line: 3, lines: 2 })).toMatchObject({
      text: 'line 3\nline 4',
      lines: 5_000,
      note: 'There is more: read on with from_line 5.',
    });
    expect(await files.run('read_file', { path: 'Notes/long.log' })).toMatchObject({ to_line: 2_000 });
    const last = await files.run('read_file', { path: 'Notes/long.log', from_line: 5_000 });
    expect(last).not.toHaveProperty('note');
    expect(await files.refusal('read_file', { path: 'Notes/long.log', from_line: 5_001 })).toContain(
      '5000 lines',
    );
    await writeFile(note('wide'), 'x'.repeat(200_000));
    const wide = await files.run<{ text: string; note: string }>('read_file', { path: 'Notes/wide' });
    expect(wide.text).toHaveLength(60_000);
    expect(wide.note).toContain('was cut');
  });

  it.each([
    ['pixel.png', Buffer.from('89504e470d0a1a0a0000', 'hex'), 'a PNG picture (10 bytes)'],
    ['letter.docx', Buffer.from('504b03040000ff', 'hex'), 'a Word document'],
    ['x.zip', Buffer.from('504b03040000ff', 'hex'), 'a ZIP archive'],
    ['data.bin', Buffer.from([0, 1, 2, 3]), 'binary data (4 bytes)'],
  ])('says what %s is, and does not show it', async (name, bytes, words) => {
    await writeFile(note(name), bytes);
    expect(await files.refusal('read_file', { path: `Notes/${name}` })).toContain(words);
  });

  it.each([
    ['windows-1252', Buffer.from('caf\xe9 cr\xe8me\r\n', 'latin1'), 'café crème'],
    ['utf-16le', Buffer.from('\ufeffhello\n', 'utf16le'), 'hello'],
    ['utf-16be', Buffer.from('\ufeffhello\n', 'utf16le').swap16(), 'hello'],
    ['gb18030', Buffer.from('d0d5c3fb2cb3c7cad00ad5c5c8fd2cb1b1bea90a', 'hex'), '姓名,城市\n张三,北京'],
    ['shift_jis', Buffer.from('82b182ea82cd83658358836782c582b781420a', 'hex'), 'これはテストです。'],
  ])('reads, finds, adds to and replaces text in %s, which stays in it', async (encoding, bytes, text) => {
    const path = 'Notes/old.txt';
    await writeFile(note('old.txt'), bytes);
    expect(await files.run('read_file', { path })).toMatchObject({ text, encoding });
    const [first = ''] = text.split('\n');
    expect(await files.run('search_files', { text: first })).toMatchObject({
      matches: [{ path, text: first }],
    });
    await write({ path, text: 'one more', append: true });
    const textNow = async (): Promise<string> =>
      new TextDecoder(encoding).decode(await readFile(note('old.txt'))).replaceAll('\r', '');
    expect(await textNow()).toBe(`${text}\none more`);
    await write({ path, text: `2: ${text}\n` });
    expect(await textNow()).toBe(`2: ${text}\n`);
  });

  it('refuses to write what the encoding of a file lacks, and leaves the file alone', async () => {
    const bytes = Buffer.from('caf\xe9 cr\xe8me', 'latin1');
    await writeFile(note('old.txt'), bytes);
    for (const append of [false, true]) {
      const words = await files.refusal('write_file', { path: 'Notes/old.txt', text: '漢字 😀', append });
      expect(words).toContain('is text in windows-1252');
      expect(await readFile(note('old.txt'))).toEqual(bytes);
    }
  });

  it('refuses folders, what is not there, and what is too large, each in words', async () => {
    expect(await files.refusal('read_file', { path: 'Notes' })).toContain('is a folder; use list_files');
    expect(await files.refusal('read_file', { path: 'Notes/none.md' })).toContain(
      'There is no “Notes/none.md”',
    );
    const large = await open(note('large'), 'w');
    await large.truncate(10_000_001);
    await large.close();
    expect(await files.refusal('read_file', { path: 'Notes/large' })).toContain('too large to be read');
  });
});

describe('search_files', () => {
  beforeEach(async () => {
    await mkdir(note('bills'));
    await writeFile(note('bills/Invoice May.md'), 'Total\n  amount DUE: 12\nand more amount due\n');
    await writeFile(note('bills/photo.png'), Buffer.from('89504e47000000616d6f756e7420647565', 'hex'));
    await mkdir(note('node_modules'));
    await writeFile(note('node_modules/invoice.md'), 'amount due');
    await writeFile(join(files.work, 'plan.txt'), 'no amount');
  });

  it('finds by name, by text, or both, whatever the capitals', async () => {
    const invoice = 'Notes/bills/Invoice May.md';
    expect(await files.run('search_files', { name: 'invoice' })).toEqual({ matches: [{ path: invoice }] });
    expect(await files.run('search_files', { name: 'i*may.??' })).toEqual({ matches: [{ path: invoice }] });
    expect(await files.run('search_files', { text: 'Amount due', path: 'Notes' })).toEqual({
      matches: [
        { path: invoice, line: 2, text: 'amount DUE: 12' },
        { path: invoice, line: 3, text: 'and more amount due' },
      ],
    });
    expect(await files.run('search_files', { text: 'amount', name: '*.txt' })).toEqual({
      matches: [{ path: 'Work/plan.txt', line: 1, text: 'no amount' }],
    });
    expect(await files.run('search_files', { text: 'due', path: invoice })).toMatchObject({
      matches: [{ line: 2 }, { line: 3 }],
    });
    expect(await files.refusal('search_files', { name: 'x', path: 'Notes/none' })).toContain('There is no');
  });

  it.each([
    ['matches', { matches: 1 }],
    ['files', { visited: 1 }],
    ['depth', { depth: 0 }],
    ['bytes', { totalBytes: 1 }],
    ['time', { milliseconds: -1 }],
  ])('ends at its bound of %s, and says so', async (_what, bound) => {
    const folders = [{ id: '1', name: 'Notes', path: files.notes, available: true, createdAt: '' }];
    const places = createPathResolver({ folders: () => Promise.resolve(folders), dataDir: files.data });
    await writeFile(note('bills/second.md'), 'amount due');
    const tool = createSearchFiles(places, {
      matches: 100,
      visited: 1_000,
      depth: 9,
      totalBytes: 1_000,
      fileBytes: 1_000,
      milliseconds: 60_000,
      ...bound,
    });
    const found = await tool.run({ text: 'amount' }, toolContext());
    expect(found).toMatchObject({ note: expect.stringContaining('before it had seen everything') as string });
  });

  it('says that large files were not searched', async () => {
    await writeFile(note('large.txt'), 'amount '.repeat(400_000));
    expect(await files.run('search_files', { text: 'amount', name: 'large' })).toEqual({
      matches: [],
      note: 'Too large to search for the text: 1 file.',
    });
  });
});

describe('write_file', () => {
  it('makes a file, with the folders on the way', async () => {
    expect(await write({ path: 'Notes/2026/may/todo.md', text: 'héllo\n' })).toEqual({
      path: 'Notes/2026/may/todo.md',
      done: 'made',
      size: 7,
    });
    expect(await readFile(note('2026/may/todo.md'), 'utf8')).toBe('héllo\n');
    expect(await readdir(note('2026/may'))).toEqual(['todo.md']);
  });

  it.runIf(HAS_FILE_MODES)(
    'replaces a file and keeps its mode, whatever the system gives new ones',
    async () => {
      await writeFile(note('run.sh'), 'old');
      await chmod(note('run.sh'), 0o4757);
      expect(await write({ path: 'Notes/run.sh', text: '' })).toMatchObject({ done: 'replaced', size: 0 });
      expect((await stat(note('run.sh'))).mode & 0o7777).toBe(0o757);
      expect(await readdir(files.notes)).toEqual(['run.sh']);
    },
  );

  it('writes at the file that a link inside leads to, and the link stays', async () => {
    await writeFile(note('real.md'), 'old');
    await symlink('real.md', note('link.md'));
    await write({ path: 'Notes/link.md', text: 'new' });
    expect(await readFile(note('real.md'), 'utf8')).toBe('new');
    expect(
      (await readdir(files.notes, { withFileTypes: true }))
        .find((one) => one.name === 'link.md')
        ?.isSymbolicLink(),
    ).toBe(true);
  });

  it.each([
    ['on a new line', 'one', 'two\n', 'one\ntwo\n'],
    ['after a line end', 'one\n', 'two', 'one\ntwo'],
    ['with the file’s line ends', '\ufeffone\r\n', 'two\nthree\r\n', '\ufeffone\r\ntwo\r\nthree\r\n'],
    ['on a new line of that kind', 'one\r\ntwo', 'three', 'one\r\ntwo\r\nthree'],
    ['to nothing', '', 'one\n', 'one\n'],
  ])('appends %s', async (_how, before, text, after) => {
    await writeFile(note('list.md'), before);
    await write({ path: 'Notes/list.md', text, append: true });
    expect(await readFile(note('list.md'), 'utf8')).toBe(after);
  });

  it('appends to a file that is not there by making it, and to nothing but text', async () => {
    expect(await write({ path: 'Notes/new.md', text: 'a', append: true })).toMatchObject({ done: 'made' });
    await writeFile(note('old.png'), Buffer.from('89504e470d0a1a0a0000', 'hex'));
    expect(await files.refusal('write_file', { path: 'Notes/old.png', text: 'x', append: true })).toContain(
      'no text can be added',
    );
  });

  it('refuses folders, names that deceive and texts that are none', async () => {
    await mkdir(note('sub'));
    const refusal = (path: string, text = 'x'): Promise<string> =>
      files.refusal('write_file', { path, text });
    expect(await refusal('Notes/sub')).toContain('is a folder');
    expect(await refusal('Notes')).toContain('is a folder');
    expect(await refusal('Notes/new/')).toContain('names a folder');
    expect(await refusal('Notes/a\u202etxt.exe')).toContain('invisible characters');
    expect(await refusal('Notes/a', 'x\0')).toContain('no text file can hold');
    expect(await refusal('Notes/a', 'x'.repeat(1_000_001))).toContain('too long');
    expect(await refusal(`Notes/${'n'.repeat(300)}`)).toContain('too long');
    await writeFile(note('file'), '');
    expect(await refusal('Notes/file/x')).toContain('There is no');
    expect((await readdir(files.notes)).sort()).toEqual(['file', 'sub']);
  });

  it('leaves a file alone that is locked', async () => {
    await writeFile(note('locked'), 'old', { mode: 0o444 });
    expect(await files.refusal('write_file', { path: 'Notes/locked', text: 'x' })).toContain('is read-only');
    expect(await readFile(note('locked'), 'utf8')).toBe('old');
  });

  it('leaves the old file, and nothing else, when it can not go on', async () => {
    await writeFile(note('todo.md'), 'old');
    const handle = await open(note('todo.md'));
    const prototype = Object.getPrototypeOf(handle) as { sync(): Promise<void> };
    await handle.close();
    const full = Object.assign(new Error('no space'), { code: 'ENOSPC' });
    const sync = vi.spyOn(prototype, 'sync').mockRejectedValue(full);
    try {
      expect(await files.refusal('write_file', { path: 'Notes/todo.md', text: 'new' })).toBe(
        'The disk is full, so “Notes/todo.md” could not be written. It is as it was before.',
      );
    } finally {
      sync.mockRestore();
    }
    expect(await readFile(note('todo.md'), 'utf8')).toBe('old');
    expect(await readdir(files.notes)).toEqual(['todo.md']);
  });

  it('says beforehand what it would do', async () => {
    const tool = await files.tool('write_file');
    const say = async (input: Record<string, unknown>) => (await tool.describe?.(input))?.summary;
    await writeFile(note('a.md'), 'x'.repeat(1_234));
    expect(await say({ path: 'Notes/new/b.md', text: '👍' })).toBe(
      `Makes a new file with 1 character: ${note('new/b.md')}`,
    );
    expect(await say({ path: 'Notes/a.md', text: 'ab' })).toBe(
      `Replaces all of a file that has 1,234 bytes with 2 characters: ${note('a.md')}`,
    );
    expect(await say({ path: 'Notes/a.md', text: 'ab', append: true })).toBe(
      `Adds 2 characters to the end of a file that has 1,234 bytes: ${note('a.md')}`,
    );
    expect(await say({ path: '/etc/passwd', text: 'ab' })).toContain(
      'This can’t be done: “/etc/passwd” is not in',
    );
    expect(await readdir(files.notes)).toEqual(['a.md']);
  });

  it.each([
    ['another file was put there', () => writeFile(note('a.md'), 'theirs')],
    ['the file was changed', () => writeFile(note('old.md'), 'theirs')],
    ['the file was removed', () => rm(note('old.md'))],
  ])('leaves everything alone when %s since the person was asked', async (_, change) => {
    await writeFile(note('old.md'), 'mine');
    const tool = await files.tool('write_file');
    const ask = async (path: string) => {
      const basis = (await tool.describe?.({ path, text: 'new' }))?.basis ?? '';
      return () => tool.run({ path, text: 'new' }, toolContext({ basis }));
    };
    const runs = [await ask('Notes/a.md'), await ask('Notes/old.md')];
    await change();
    const ends = await Promise.allSettled(runs.map((run) => run()));
    const refused = ends.filter(({ status }) => status === 'rejected');
    expect(refused).toHaveLength(1);
    expect(String((refused[0] as PromiseRejectedResult).reason)).toContain(
      'has changed since you were asked',
    );
  });
});

it('every error of the file system has words, and others stay what they are', () => {
  for (const code of [
    'ENOENT',
    'EACCES',
    'EPERM',
    'EROFS',
    'ENOSPC',
    'EDQUOT',
    'EISDIR',
    'ELOOP',
    'EIO',
    'EBUSY',
  ]) {
    const error = explainFileError(Object.assign(new Error(code), { code }), 'Notes/a');
    expect(error).toBeInstanceOf(ToolError);
    expect((error as Error).message).toMatch(/“Notes\/a”.*\.$/);
  }
  const fault = new TypeError('ours');
  expect(explainFileError(fault, 'Notes/a')).toBe(fault);
});

it('a folder that has gone is said to be gone', async () => {
  await rm(files.notes, { recursive: true });
  expect(await files.refusal('read_file', { path: 'Notes/a.md' })).toContain('isn’t there any more');
  expect(await files.refusal('write_file', { path: 'Notes/a.md', text: '' })).toContain(
    'isn’t there any more',
  );
});
