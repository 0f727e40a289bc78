import { expect, test } from 'vitest';
import { countCharacters, readTextFile } from '../../../renderer/chats/files.ts';
import { cleanFileName } from '../../../shared/file-block.ts';
import { MAX_CONTENT_CHARACTERS } from '../../../shared/limits.ts';

const bytes = (...values: number[]): Uint8Array<ArrayBuffer> => Uint8Array.from(values);
const file = (name: string, ...parts: BlobPart[]): File => new File(parts, name);

test('characters are counted as the service counts them', () => {
  for (const text of ['', 'abc', '😀', 'a😀b', '\ud800', '\ud800\ud800\udc00', '\udc00\ud800']) {
    expect(countCharacters(text), JSON.stringify(text)).toBe(Array.from(text).length);
  }
});

test('a name can’t break out of the line it stands on', () => {
  expect(cleanFileName('a`b```\nc\u202e.txt')).toBe("a'b''' c .txt");
  expect(cleanFileName(' \n ')).toBe('file.txt');
  expect(cleanFileName(`${'x'.repeat(400)}.csv`)).toMatch(/^x{116}\.csv$/);
});

test('a file is taken up to what a message holds, whatever its size in bytes', async () => {
  const most = '😀'.repeat(MAX_CONTENT_CHARACTERS);
  await expect(readTextFile(file('a.txt', most))).resolves.toMatchObject({ name: 'a.txt', text: most });
  await expect(readTextFile(file('a.txt', most, 'x'))).resolves.toEqual({
    name: 'a.txt',
    trouble: 'too_long',
  });
  await expect(readTextFile(file('a.txt', 'x'.repeat(150_000)))).resolves.toEqual({
    name: 'a.txt',
    trouble: 'too_long',
  });
  const huge = new File([new Uint8Array(5 * MAX_CONTENT_CHARACTERS)], 'huge.bin');
  await expect(readTextFile(huge)).resolves.toEqual({ name: 'huge.bin', trouble: 'too_long' });
});

test('why a file is refused is told apart', async () => {
  const longest = 'x'.repeat(MAX_CONTENT_CHARACTERS);
  await expect(readTextFile(file('a.txt', longest))).resolves.toMatchObject({ text: longest });
  await expect(readTextFile(file('a.txt', longest, 'x'))).resolves.toMatchObject({ trouble: 'too_long' });
  await expect(readTextFile(file('a.txt', ' \n'))).resolves.toMatchObject({ trouble: 'empty' });
  await expect(readTextFile(file('a.png', bytes(0x89, 0x50)))).resolves.toMatchObject({
    trouble: 'not_text',
  });
  const folder = Object.assign(file('folder'), { arrayBuffer: () => Promise.reject(new Error('A folder.')) });
  await expect(readTextFile(folder)).resolves.toMatchObject({ trouble: 'unreadable' });
});
