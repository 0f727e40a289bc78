import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import type { Description } from '../../../../server/tools/tool.ts';
import { openAllowedFolders } from '../../../support/allowed-folders.ts';

let files: Awaited<ReturnType<typeof openAllowedFolders>>;
beforeEach(async () => {
  files = await openAllowedFolders();
});

const ask = async (before: string | Buffer, input: object): Promise<Description> => {
  await writeFile(join(files.notes, 'list.md'), before);
  const tool = await files.tool('write_file');
  const about = await tool.describe?.({ path: 'Notes/list.md', ...input });
  if (!about) throw new Error('It asks nothing.');
  return about;
};
const lines = (count: number, word = 'line'): string =>
  Array.from({ length: count }, (_, index) => `${word} ${index}\n`).join('');

test.each([
  ['milk\nbread\neggs\n', 'milk\ntwo loaves\neggs\n', '@@ -1,3 +1,3 @@\n milk\n-bread\n+two loaves\n eggs'],
  ['one', '', '@@ -1,1 +0,0 @@\n-one\n\\ No newline at end of file'],
  ['a\r\nb\r\n', 'a\nc\n', '@@ -1,2 +1,2 @@\n a\r\n-b\r\n+c\r'],
  ['a\r\n', 'a\n', ''],
  ['a\n', 'a\r b\n', '@@ -1,1 +1,1 @@\n-a\n+a\r b'],
  ['a\n', 'a\n\u3000\u2028\r\n', '@@ -1,1 +1,2 @@\n a\n+\u3000\u2028\r'],
  ['\ufeffa\n', 'a\n', ''],
  ['a\n', 'a\n', ''],
])('a file that is replaced is asked about with what changes: %j', async (before, text, diff) => {
  expect((await ask(before, { text })).diff).toBe(diff);
});

test('a change in a long file shows a little around it, not all of the file', async () => {
  const before = lines(2_000);
  const { diff = '' } = await ask(before, { text: before.replace('line 1000\n', 'changed\n') });
  expect(diff.split('\n')).toHaveLength(9);
  expect(diff).toContain('-line 1000\n+changed');
});

test.each([
  ['that are added to', 'one\n', { text: 'two', append: true }],
  ['that are no text', Buffer.from('89504e470d0a1a0a0000', 'hex'), { text: 'café' }],
  ['that are too large', 'x'.repeat(300_000), { text: 'x' }],
  ['whose change nobody could read', lines(4_000), { text: lines(4_000, 'other') }],
])('files %s are asked about without', async (_which, before, input) => {
  const about = await ask(before, input);
  expect(about.diff).toBeUndefined();
  expect(about.summary).toContain('list.md');
});
