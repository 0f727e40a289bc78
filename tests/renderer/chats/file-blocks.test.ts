import fc from 'fast-check';
import { lexer } from 'marked';
import { expect, test } from 'vitest';
import { joinWriting, splitWriting } from '../../../renderer/chats/file-blocks.ts';
import type { TextFile } from '../../../renderer/chats/files.ts';
import { cleanFileName, fenceFor, languageOf } from '../../../shared/file-block.ts';

const file = (name: string, text: string): TextFile => ({ id: name, name, text, bytes: text.length });
const plain = (files: readonly TextFile[]): { name: string; text: string }[] =>
  files.map(({ name, text }) => ({ name, text: text.replace(/\n$/, '') }));

test('a file is a fenced block after the text, with its language and name', () => {
  const joined = joinWriting({ text: 'What is this?', files: [file('costs 2026.csv', 'a,b\n1,2\n')] });
  expect(joined).toBe('What is this?\n\n```csv costs 2026.csv\na,b\n1,2\n```');
});

test('a fence is longer than any in the text', () => {
  expect(fenceFor('no fence, `code`')).toBe('```');
  expect(fenceFor('a\n```\nb\n`````x')).toBe('``````');
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
      const files = given.map((one) => file(cleanFileName(one.name), one.text));
      const tokens = lexer(joinWriting({ text: 'Look:', files })).filter(({ type }) => type !== 'space');
      expect(tokens.map(({ type }) => type)).toEqual(['paragraph', ...files.map(() => 'code')]);
    }),
  );
});

test('a message can be taken apart again', () => {
  const files = [file('a.ts', 'const a = "```";\n\n'), file('notes.txt', 'x\n\n```text b.txt\ny\n```')];
  for (const text of ['', 'Hello', 'Two\n\nparagraphs\n\n```js\ncode\n```', '```csv mine.csv\nunfinished']) {
    const split = splitWriting(joinWriting({ text, files }));
    expect(split.text, text).toBe(text);
    expect(plain(split.files), text).toEqual(plain(files));
  }
});

test('taking apart and joining never changes a text', () => {
  const line = fc.constantFrom(
    '',
    '```',
    '````',
    '```csv a.csv',
    '```csv',
    '````text b c.txt',
    'a,b',
    ' ```csv x.csv',
  );
  fc.assert(
    fc.property(fc.array(line, { maxLength: 12 }), (lines) => {
      const text = lines.join('\n');
      expect(joinWriting(splitWriting(text))).toBe(text);
    }),
    { numRuns: 2_000 },
  );
});

test('the language comes from the name', () => {
  const names = ['a.py', 'b.TXT', 'c', 'Makefile', 'x.tar.yaml', 'App.svelte', '.env', 'a.b c'];
  expect(names.map(languageOf)).toEqual(['py', 'text', 'text', 'makefile', 'yaml', 'html', 'ini', 'text']);
});
