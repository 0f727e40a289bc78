import { describe, expect, it } from 'vitest';
import { createFindings } from '../../../server/data/findings.ts';
import { openImport, readChats } from '../../../server/data/read-import.ts';
import type { FileFindings } from '../../../shared/api/data.ts';
import { exportedChat, exportFileOf, said } from '../../support/exported.ts';

async function read(json: string): Promise<{ texts: string[]; found: FileFindings }> {
  const findings = createFindings();
  const texts: string[] = [];
  for await (const part of readChats(openImport(Buffer.from(json)), findings))
    if ('chat' in part) texts.push(...part.chat.messages.map(({ content }) => content));
  return { texts, found: findings.found };
}

const TEXTS = ['plain', '"quoted\\"', '\\', '\\\\"', ']}', '{"chats":[', 'é\u{1f600}\0\ud800', '\u2028'];
const FILE = exportFileOf(
  exportedChat(TEXTS.map((text) => said(text))),
  exportedChat([]),
  exportedChat([said('last')]),
);

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

  it('gives up nothing but what would take too much memory once it is parsed', async () => {
    const nested = `[${'[],'.repeat(4_500_000)}[]]`;
    const odd = JSON.stringify({ ...said('odd'), mode: 'NESTED' }).replace('"NESTED"', nested);
    const json = JSON.stringify(exportFileOf(exportedChat([said('one'), said('ODD'), said('two')])));
    const { texts, found } = await read(json.replace(/\{[^{}]*"ODD"[^{}]*\}/, odd));
    expect([texts, found.leftOut]).toEqual([['one', 'two'], 1]);
  });

  it('takes of a chat no more than memory can hold, and says that there was more', async () => {
    const step = `{"id":"1","tool":"t","status":"done","input":[${'{},'.repeat(1_000_000)}{}]}`;
    const messages = Array.from({ length: 10 }, (_, index) =>
      JSON.stringify({ ...said(String(index)), steps: [0] }).replace('"steps":[0]', `"steps":[${step}]`),
    );
    const json = JSON.stringify(exportFileOf(exportedChat([]))).replace(
      '"messages":[]',
      `"messages":[${messages.join(',')}]`,
    );
    const { texts, found } = await read(json);
    expect([texts.length, found.leftOut]).toEqual([7, 1]);
    expect(found.problems[0]?.what).toContain('too large');
  });
});
