import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createFindings } from '../../../server/data/findings.ts';
import { openImport } from '../../../server/data/read-import.ts';
import type { FileFindings } from '../../../shared/api/data.ts';
import { exportedChat, exportFileOf, said } from '../../support/exported.ts';
import { createTempDir } from '../../support/service.ts';

async function read(json: string | Buffer): Promise<{ texts: string[]; found: FileFindings }> {
  const findings = createFindings();
  const texts: string[] = [];
  const path = join(await createTempDir(), 'import');
  await writeFile(path, json);
  const source = await openImport(path);
  for await (const part of source.parts(findings))
    if ('chat' in part) texts.push(...part.chat.messages.map(({ content }) => content));
  return { texts, found: findings.found };
}

const TEXTS = ['plain', '"quoted\\"', '\\', '\\\\"', ']}', '{"chats":[', 'é\u{1f600}\0\ud800', '\u2028'];
const FILE = exportFileOf(
  exportedChat(TEXTS.map((text) => said(text))),
  exportedChat([]),
  exportedChat([said('last')]),
);

const ASKED = exportFileOf(exportedChat([said('Grüße, 漢字 😀')]));

describe('an export that is taken apart', () => {
  it.each([
    ['on one line', JSON.stringify(FILE)],
    ['over many lines', JSON.stringify(FILE, null, 2)],
    ['behind a byte order mark', `\ufeff${JSON.stringify(FILE)}`],
    ['with white space around it', `\r\n\t ${JSON.stringify(FILE)} \n`],
    [
      'with its fields the other way round',
      JSON.stringify(Object.fromEntries(Object.entries(FILE).reverse())),
    ],
  ])('holds what it holds when it is parsed: %s', async (_what, json) => {
    expect(await read(json)).toEqual({
      texts: [...TEXTS, 'last'],
      found: { mended: 0, leftOut: 0, problems: [] },
    });
  });

  it.each([
    ['UTF-16 with a mark', Buffer.from(`\ufeff${JSON.stringify(ASKED)}`, 'utf16le')],
    ['UTF-16, big end first', Buffer.from(`\ufeff${JSON.stringify(ASKED)}`, 'utf16le').swap16()],
    ['UTF-16 without a mark', Buffer.from(JSON.stringify(ASKED), 'utf16le')],
    ['UTF-16 without a mark, big end first', Buffer.from(JSON.stringify(ASKED), 'utf16le').swap16()],
  ])('is read in another encoding: %s', async (_what, bytes) => {
    expect(await read(bytes)).toEqual({
      texts: ['Grüße, 漢字 😀'],
      found: { mended: 0, leftOut: 0, problems: [] },
    });
  });

  it('is read as what it most likely is, and says so', async () => {
    const text = 'Prénom; Âge; Hélène; Éric; où êtes-vous allé cet été ?';
    const json = JSON.stringify(exportFileOf(exportedChat([said(text)])));
    const { texts, found } = await read(Buffer.from(json, 'latin1'));
    expect(texts).toEqual([text]);
    expect(found.problems).toEqual([
      { chat: null, message: null, what: 'The file is not UTF-8. It was read as windows-1252.' },
    ]);
  });

  it.each([
    '{',
    '{"format":"parley-export","version":1,"chats":[',
    '[1,]',
    '{"a":1,}',
    '{"a" 1}',
    '{}}',
    'nul',
    '"',
    '"\\"',
  ])('is refused as a whole when it is no JSON: %j', async (json) => {
    await expect(read(json)).rejects.toThrow(expect.objectContaining({ code: 'invalid_json' }));
  });

  it('is refused wherever it is cut off', async () => {
    const json = JSON.stringify(FILE);
    for (let end = 1; end < json.length; end += 7)
      await expect(read(json.slice(0, end)), String(end)).rejects.toThrow(
        expect.objectContaining({ code: 'invalid_json' }),
      );
  });

  it('gives up a chat that would take too much memory once it is parsed, and takes the others', async () => {
    const nested = `[${'[],'.repeat(20_000_000)}[]]`;
    const odd = JSON.stringify(exportedChat([{ ...said('odd'), mode: 'NESTED' as never }]));
    const chats = [exportedChat([said('one')]), exportedChat([said('ODD')]), exportedChat([said('two')])];
    const [head = '', ...parts] = JSON.stringify(exportFileOf(...chats)).split(JSON.stringify(chats[1]));
    const { texts, found } = await read([head, odd.replace('"NESTED"', nested), ...parts].join(''));
    expect([texts, found.leftOut]).toEqual([['one', 'two'], 1]);
    expect(found.problems[0]).toMatchObject({
      chat: 2,
      what: expect.stringContaining('too large') as string,
    });
  });

  it('takes of a chat no more messages than there may be, and says that there were more', async () => {
    const most = 500_000;
    const json = JSON.stringify(exportFileOf(exportedChat([said('one')]))).replace(
      ']}]',
      `${',1'.repeat(most)}]}]`,
    );
    const { texts, found } = await read(json);
    // None of the others is a message, and the last one isn't looked at.
    expect([texts, found.leftOut]).toEqual([['one'], most]);
    expect(found.problems).toHaveLength(100);
  });
});
