import fc from 'fast-check';
import { lexer } from 'marked';
import { expect, test } from 'vitest';
import { splitFileBlocks } from '../../../renderer/chats/file-blocks.ts';
import { cleanFileName, fenceFor, fileBlock, languageOf } from '../../../shared/file-block.ts';

const file = (name: string, text: string): { name: string; text: string } => ({ name, text });
const plain = (files: readonly { name: string; text: string }[]) =>
  files.map(({ name, text }) => ({ name, text: text.replace(/\n$/, '') }));
const join = (text: string, files: readonly { name: string; text: string }[]): string =>
  [...(text === '' ? [] : [text]), ...files.map(fileBlock)].join('\n\n');

test('a file is a fenced block, with its language and name', () => {
  expect(fileBlock(file('costs 2026.csv', 'a,b\n1,2\n'))).toBe('```csv costs 2026.csv\na,b\n1,2\n```');
});

test('a fence is longer than any in the text', () => {
  expect(fenceFor('no fence, `code`')).toBe('```');
  expect(fenceFor('a\n```\nb\n`````x')).toBe('``````');
});

test('a name can’t break out of the line it stands on', () => {
  expect(cleanFileName('a`b```\nc\u202e.txt')).toBe("a'b''' c .txt");
  expect(cleanFileName(' \n ')).toBe('file.txt');
  expect(cleanFileName(`${'x'.repeat(400)}.csv`)).toMatch(/^x{116}\.csv$/);
});

test('Markdown sees one block per file, whatever the files hold', () => {
  const name = fc.string({
    unit: fc.constantFrom('a', '.', ' ', '`', '~', 'é', '\n'),
    minLength: 1,
    maxLength: 12,
  });
  const text = fc.string({
    unit: fc.constantFrom('`', '~', '\n', ' ', 'a', '```', '# '),
    minLength: 1,
    maxLength: 40,
  });
  fc.assert(
    fc.property(fc.array(fc.record({ name, text }), { minLength: 1, maxLength: 4 }), (given) => {
      const tokens = lexer(join('Look:', given)).filter(({ type }) => type !== 'space');
      expect(tokens.map(({ type }) => type)).toEqual(['paragraph', ...given.map(() => 'code')]);
    }),
  );
});

test('a message can be taken apart again', () => {
  const files = [file('a.ts', 'const a = "```";\n\n'), file('notes.txt', 'x\n\n```text b.txt\ny\n```')];
  for (const text of ['', 'Hello', 'Two\n\nparagraphs\n\n```js\ncode\n```', '```csv mine.csv\nunfinished']) {
    const split = splitFileBlocks(join(text, files));
    expect(split.text, text).toBe(text);
    expect(plain(split.files), text).toEqual(plain(files));
  }
});

test('a text that only looks like files, or ends in something else, stays whole', () => {
  for (const text of [
    '',
    '```csv\na,b\n```',
    '```csv a.csv\na,b',
    '```csv a.csv\na,b\n```\n\nBye',
    ' ```csv x.csv\n```',
  ]) {
    expect(splitFileBlocks(text)).toEqual({ text, files: [] });
  }
});

test('the language of a file is told by its name', () => {
  const languages = ['a.ts', 'B.MJS', 'x.tar.gz', 'Makefile', 'notes', 'run.log', '.env'];
  expect(languages.map(languageOf)).toEqual(['ts', 'js', 'gz', 'makefile', 'text', 'text', 'ini']);
});
