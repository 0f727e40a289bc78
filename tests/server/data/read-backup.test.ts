import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { createFindings, IN_FILE } from '../../../server/data/findings.ts';
import { openFile } from '../../../server/data/file-reader.ts';
import { withFileReader } from '../../../server/data/import-file.ts';
import { readBackup } from '../../../server/data/read-backup.ts';
import type { FileFindings } from '../../../shared/api/data.ts';
import { exportedChat, exportFileOf, said } from '../../support/exported.ts';
import { createTempDir } from '../../support/service.ts';

const TIME = '2026-11-20T09:30:00.000Z';
const HEAD = '{"format":"parley-backup","version":1,"workspaces":[';
const WORKSPACE = `{"workspace":{"id":"w","name":"Personal","createdAt":"${TIME}"},"notes":[{"id":"n","text":"a note","createdAt":"${TIME}"}],"chats":[`;

/** The lines of a backup with chats of two messages each. */
function linesOf(titles: readonly string[], text = ''): string[] {
  const chats = titles.map((title) => {
    const { chat, titleSource } = exportedChat([], { title });
    const head = `${JSON.stringify({ chat, titleSource }).slice(0, -1)},"messages":[`;
    return [
      head,
      `${JSON.stringify(said(`one of ${title}${text}`))},`,
      JSON.stringify(said(`two of ${title}`)),
      ']}',
    ];
  });
  return [
    HEAD,
    WORKSPACE,
    ...chats.flatMap((lines, index) => (index === 0 ? lines : [lines[0] ?? '', ...lines.slice(1)])),
    ']}',
    ']}',
    '',
  ];
}

async function read(bytes: Buffer): Promise<{ texts: string[]; found: FileFindings; isDamaged: boolean }> {
  const path = join(await createTempDir(), 'backup');
  await writeFile(path, bytes);
  const findings = createFindings();
  const texts: string[] = [];
  for await (const part of readBackup(path, findings))
    if ('chat' in part) texts.push(...part.chat.messages.map(({ content }) => content));
  return { texts, found: findings.found, isDamaged: findings.isDamaged };
}

const LINES = linesOf(['a', 'b', 'c']);
const ALL = ['one of a', 'two of a', 'one of b', 'two of b', 'one of c', 'two of c'];
const changed = (change: (lines: string[]) => string[]): Buffer => gzipSync(change([...LINES]).join('\n'));
const replaced = (from: string, to: string): Buffer =>
  changed((lines) => lines.map((line) => line.replace(from, to)));
const without = (...left: string[]): string[] => ALL.filter((text) => !left.includes(text));
const cut = (bytes: Buffer, from: number, to: number): Buffer => bytes.subarray(from, to);

describe('a backup', () => {
  it('is read whole', async () => {
    expect(await read(changed((lines) => lines))).toEqual({
      texts: ALL,
      isDamaged: false,
      found: { mended: 0, leftOut: 0, problems: [] },
    });
  });

  it.each<[string, Buffer, string[]]>([
    [
      'its checksum is missing',
      cut(
        changed((lines) => lines),
        0,
        -8,
      ),
      ALL,
    ],
    ['it is cut off', gzipSync(LINES.slice(0, -3).join('\n')), ALL],
    ['its last lines are missing', changed((lines) => lines.slice(0, -3)), ALL],
    ['something follows its end', changed((lines) => [...lines, '{}']), ALL],
    ['a chat can not be opened', replaced('"title":"b"', '"title":b'), without('one of b', 'two of b')],
    ['a message can not be read', replaced('"content":"one of b"', '"content":'), without('one of b')],
    ['a message has no role', replaced('"role":"user"', '"role":"nobody"'), without(...ALL)],
    ['a workspace has no good id', replaced('"id":"w"', '"id":"../w"'), ALL],
    ['a note is none', replaced('"text":"a note"', '"text":5'), ALL],
  ])('is read as far as it can be when %s, and says so', async (_what, bytes, texts) => {
    const { texts: taken, found } = await read(bytes);
    expect(taken).toEqual(texts);
    expect(found.problems.length).toBe(found.mended + found.leftOut);
    if (_what !== 'its checksum is missing') expect(found.problems).not.toEqual([]);
  });

  it('has a workspace for its chats when its own can not be read', async () => {
    const bytes = changed((lines) => lines.map((line) => (line === WORKSPACE ? line.slice(1) : line)));
    const path = join(await createTempDir(), 'backup');
    await writeFile(path, bytes);
    const names: string[] = [];
    for await (const part of readBackup(path, createFindings()))
      if ('workspace' in part) names.push(part.workspace.workspace.name);
    expect(names).toEqual(['Restored']);
  });

  it('tells that it is damaged, however much else there is to tell', () => {
    const findings = createFindings();
    for (let count = 0; count < 200; count += 1) findings.leaveOut(IN_FILE, 'It has no text.');
    findings.damage(IN_FILE, 'The file is damaged.');
    expect(findings.found.problems).toHaveLength(100);
    expect(findings.found.problems.at(-1)?.what).toBe('The file is damaged.');
  });

  it('is read up to where its bytes are damaged', async () => {
    const noise = (): string => randomBytes(40_000).toString('hex');
    const bytes = gzipSync(linesOf(['a', 'b', 'c', 'd', 'e', 'f'], noise()).join('\n'), { level: 1 });
    const middle = Math.floor(bytes.length / 2);
    bytes.fill(0xff, middle, middle + 400);
    const { texts, found, isDamaged } = await read(bytes);
    expect(texts.some((text) => text.startsWith('one of a'))).toBe(true);
    expect(isDamaged).toBe(true);
    // What is left of a line may read as something else, and be told of last.
    expect(found.problems.map(({ what }) => what).join()).toMatch(/damaged|could not be read/);
  });

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['another file', Buffer.from('not a backup')],
    ['another file, compressed', gzipSync('not a backup')],
    ['an export', replaced('parley-backup', 'parley-export')],
  ])('is refused when it is %s', async (_what, bytes) => {
    await expect(read(bytes)).rejects.toMatchObject({ code: 'invalid_request' });
  });

  it('is refused when a newer Parley wrote it', async () => {
    await expect(read(replaced('"version":1', '"version":2'))).rejects.toMatchObject({
      code: 'unsupported_import',
    });
  });

  it('has a line of no end left out', { timeout: 30_000 }, async () => {
    const long = 'x'.repeat(64 * 1024 ** 2);
    const { texts, found } = await read(
      changed((lines) => lines.map((line) => line.replace('two of b', long))),
    );
    expect([texts, found.leftOut]).toEqual([without('two of b'), 1]);
  });
});

describe('the thread that reads files', () => {
  it('ends alone when a file takes all its memory, and that is told', { timeout: 60_000 }, async () => {
    const chat = exportedChat(Array.from({ length: 50_000 }, (_, index) => said(String(index))));
    const path = join(await createTempDir(), 'import');
    await writeFile(path, JSON.stringify(exportFileOf(chat)));
    const reading = withFileReader(openFile({ kind: 'import', path }, 16), async (file) => {
      await file.call('open');
      return file.call('next');
    });
    await expect(reading).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringContaining('memory') as string,
    });
  });
});
