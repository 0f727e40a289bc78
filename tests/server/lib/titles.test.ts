import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { titleFrom } from '../../../server/lib/titles.ts';
import { anyCharacter } from '../../support/any-character.ts';

const FAMILY = '👨‍👩‍👧‍👦';
const SIXTY = 'a'.repeat(29) + ' ' + 'b'.repeat(30);

describe('a title', () => {
  test.each([
    ['plain text', 'How far is the moon?', 'How far is the moon?'],
    ['the first line only', 'First line\nsecond line', 'First line'],
    ['the first line that says something', '\n  \n\t\n---\n***\n\nWords at last', 'Words at last'],
    ['Windows and old Mac line ends', '\r\n\rHello\r\nthere', 'Hello'],
    ['runs of white space', '  a\t\tb \u00a0 c  ', 'a b c'],
    ['a heading', '## Plan for **today**', 'Plan for today'],
    ['a quote', '> > quoted', 'quoted'],
    ['a list item', '- [x] buy milk', 'buy milk'],
    ['a numbered item', '12. twelfth', 'twelfth'],
    [
      'links and images',
      'see ![the logo](a.png) and [the docs](https://x.test)',
      'see the logo and the docs',
    ],
    ['emphasis', '**bold** _italic_ *it* ~~gone~~ `code`', 'bold italic it gone code'],
    [
      'sums and names, which only look like marks',
      '2 * 3 * 4 = snake_case_name',
      '2 * 3 * 4 = snake_case_name',
    ],
    ['powers', 'Plot x**2 + y**2 for **both**', 'Plot x**2 + y**2 for both'],
    ['a line that leads over to the next', 'Sort these:\npears\napples', 'Sort these'],
    ['a negative number', '-5 + 3', '-5 + 3'],
    ['what a code block holds', '```js\nconst a = 1;\n```', 'const a = 1;'],
    ['control characters', 'a\u0000b\u001b[31mc\u0007', 'ab[31mc'],
    ['characters that turn the text round', 'abc\u202edef\u2066', 'abcdef'],
    ['halves of surrogate pairs', 'a\ud800b\udc00', 'ab'],
    ['a form', '/tool change_case\nstyle: upper\ntext: hello', 'Change case: upper'],
    ['a form whose text follows its name', '/tool calculate 2 + 2', 'Calculate: 2 + 2'],
    [
      'a form with a block',
      '/tool count_text\ntext:\n```\nOne two\n```',
      'Count words and characters: One two',
    ],
    ['a form that gives nothing', '/tool generate_uuid', 'Generate UUIDs'],
    ['punctuation alone', '???', '???'],
    ['emoji alone', FAMILY, FAMILY],
  ])('keeps the words of %s', (_what, text, title) => {
    expect(titleFrom(text)).toBe(title);
  });

  test.each([
    ['a tag', '<conversation>\nPerson: hi\n</conversation>', 'Person: hi'],
    ['a tag before the words', '<p>Why is this <b>bold</b>, really?</p>', 'Why is this bold, really?'],
    ['a tag that isn’t closed', '<p>Hello there', 'Hello there'],
    ['tags with attributes', '<doc id="1" lang="en">\n<title>Cats</title>\n</doc>', 'Cats'],
    ['a whole page', '<!DOCTYPE html>\n<!-- made by hand -->\n<html>\n<h1>My page</h1>\n</html>', 'My page'],
    ['a table of HTML', '<table><tr><td>Name</td><td>Age</td></tr></table>', 'Name Age'],
    ['line breaks of HTML', 'One<br>Two<br/>Three', 'One Two Three'],
    ['a tag over several lines', '<img\n  alt="x"\n>\nWhat is in this picture?', 'What is in this picture?'],
    ['a table', '| Name | Age |\n|:-----|----:|\n| Ann | 3 |\n\nWho is older?', 'Who is older?'],
    ['code', '```python\nimport os\nprint(1)\n```\nWhat does this do?', 'What does this do?'],
    ['JSON', '{\n  "name": "Ann"\n}\nMake this YAML', 'Make this YAML'],
    ['JSON in one line', '[{"name": "Ann"}]\nMake this YAML', 'Make this YAML'],
    ['LaTeX', '\\begin{align}\nx &= 1\n\\end{align}', 'x &= 1'],
    ['an address', 'https://www.example.com/a/b?x=1#y\nSummarise this page', 'Summarise this page'],
    ['emoji', '🎉🎉\nWhere shall we go?', 'Where shall we go?'],
    ['an alert', '> [!NOTE]\n> Mind the gap', 'Mind the gap'],
    ['a picture with a link', '[![build](b.svg)](https://x.test) Parley', 'build Parley'],
    ['a long key', `${'aGVsbG8'.repeat(20)}\nWhat is this?`, 'What is this?'],
  ])('passes over %s', (_what, text, title) => {
    expect(titleFrom(text)).toBe(title);
  });

  test.each([
    ['tags that are only mentioned', 'What does <div> do, and <br>?', 'What does <div> do, and <br>?'],
    ['types', 'Is List<String> a Map<K, V>?', 'Is List<String> a Map<K, V>?'],
    ['comparisons', 'When is a < b and c > d?', 'When is a < b and c > d?'],
    ['a tag alone', '<conversation>', '<conversation>'],
    ['a table alone', '| Name | Age |\n|---|---|\n| Ann | 3 |', 'Name, Age'],
    ['code alone', '~~~\n{\n  return 1;\n}\n~~~', 'return 1;'],
    ['an address alone', 'https://www.example.com/a/b?x=1#y', 'example.com/a/b'],
    ['an address within words', 'See <https://x.test/a_b_c/?q=1>, please', 'See x.test/a_b_c, please'],
    ['an address with brackets', '[Mercury](https://x.test/Mercury_(planet)) is hot', 'Mercury is hot'],
    ['several scripts', '今天天气如何？ What about مراكش?', '今天天气如何？ What about مراكش?'],
    ['letters under many accents', `Z${'\u0351'.repeat(100)}algo`, `Z${'\u0351'.repeat(4)}algo`],
  ])('shows %s', (_what, text, title) => {
    expect(titleFrom(text)).toBe(title);
  });

  test.each([
    ['exactly sixty characters', SIXTY, SIXTY],
    ['one word too many', `${SIXTY} c`, SIXTY],
    ['a word across the end', `${'a'.repeat(40)} ${'b'.repeat(40)}`, `${'a'.repeat(40)}…`],
    ['a word that would leave no room', `${'a'.repeat(59)} bbb`, `${'a'.repeat(59)}…`],
    ['a comma at the cut', `${'a'.repeat(20)}, ${'b'.repeat(60)}`, `${'a'.repeat(20)}…`],
    ['one word that is too long', 'x'.repeat(100), `${'x'.repeat(59)}…`],
    ['a short word before one that is too long', `See ${'x'.repeat(100)}`, `See ${'x'.repeat(55)}…`],
    ['a script without blanks', `请看 ${'天'.repeat(100)}`, `请看 ${'天'.repeat(56)}…`],
    ['emoji of several code points', FAMILY.repeat(20), `${FAMILY.repeat(8)}…`],
    ['sixty emoji of one code point', '😀'.repeat(60), '😀'.repeat(60)],
  ])('fits in sixty characters with %s', (_what, text, title) => {
    expect(titleFrom(text)).toBe(title);
  });

  test.each(['', ' \n\t', '---', '```\n```', '\u200d\u0301', '# ', '**', '>'])(
    'is "New chat" for %j, which says nothing',
    (text) => {
      expect(titleFrom(text)).toBe('New chat');
    },
  );

  test('is never empty, never longer than sixty code points and never holds control characters', () => {
    const marks = fc.constantFrom(
      '#',
      '*',
      '_',
      '`',
      '[',
      ']',
      '(',
      ')',
      '>',
      '-',
      ' ',
      '\n',
      '\r',
      '\u0000',
      '~',
      '.',
    );
    const piece = fc.oneof(
      marks,
      fc.string({ unit: anyCharacter }),
      fc.string({ unit: 'grapheme', maxLength: 80 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const title = titleFrom(pieces.join(''));
        expect(title.trim()).toBe(title);
        expect(title).not.toBe('');
        expect(Array.from(title).length).toBeLessThanOrEqual(60);
        expect(title).not.toMatch(/\p{Cc}|\p{Cs}/u);
      }),
    );
  });

  test('takes no long time for the longest message of nothing but marks', () => {
    for (const mark of [
      '[',
      '*',
      '`',
      '**a',
      '> ',
      '1. ',
      '\n',
      ' ',
      '![](',
      '<',
      '<a ',
      '</a>',
      '|',
      '\u0351',
    ])
      titleFrom(mark.repeat(100_000 / mark.length));
  });
});
