import { stripVTControlCharacters } from 'node:util';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { renderMarkdown } from '../../../server/cli/markdown.ts';
import { fit, widthOf } from '../../../server/cli/text-width.ts';
import { sayJson, withoutControls } from '../../../server/cli/terminal.ts';

const render = (text: string, columns = 40): string =>
  renderMarkdown(text, columns).map(stripVTControlCharacters).join('\n');

describe('width', () => {
  it.each([
    ['plain', 5],
    ['中文', 4],
    ['é', 1],
    ['👩‍👩‍👧', 2],
    ['한국어', 6],
    ['', 0],
  ])('of %j is %i', (text, columns) => expect(widthOf(text)).toBe(columns));

  it('is kept to by a cut, which an ellipsis marks', () => {
    expect(fit('a title that is long', 10)).toBe('a title t…');
    expect(fit('非常に長い', 7)).toBe('非常に…');
    expect(fit('two\n lines', 20)).toBe('two lines');
  });
});

describe('Markdown on a terminal', () => {
  const { isTTY } = process.stdout;
  beforeEach(() => void (process.stdout.isTTY = true));
  afterEach(() => {
    process.stdout.isTTY = isTTY;
    Reflect.deleteProperty(process.stdout, 'getColorDepth');
    vi.unstubAllEnvs();
  });

  it('breaks lines between words, and between wide characters', () => {
    expect(render('one two three four five six seven eight nine', 20)).toBe(
      'one two three four\nfive six seven eight\nnine',
    );
    expect(render('中文字符'.repeat(6), 20)).toBe('中文字符中文字符中文\n字符中文字符中文字符\n中文字符');
    expect(render('x'.repeat(25), 20)).toBe(`${'x'.repeat(20)}\n${'x'.repeat(5)}`);
  });

  it('shows lists, nested ones, numbers and boxes', () => {
    expect(render('- a\n- b\n  1. c\n  2. d\n- [x] done\n- [ ] not')).toBe(
      '• a\n• b\n  1. c\n  2. d\n☑ done\n☐ not',
    );
    expect(render('9. nine\n10. ten')).toBe('9.  nine\n10. ten');
    expect(render('3. c\n2. b\n1. a')).toBe('3. c\n2. b\n1. a');
    expect(render('2*3*4, x**2 + y**2 and src/**/*.ts')).toBe('2*3*4, x**2 + y**2 and src/**/*.ts');
    expect(render('- a\n\n- b')).toBe('• a\n\n• b');
  });

  it('fits tables into the width, and keeps to their alignment', () => {
    expect(render('| n | a |\n| - | -: |\n| x | 1 |\n| y | 200 |')).toBe(
      'n    │    a\n─────┼─────\nx    │    1\ny    │  200',
    );
    expect(render('| n |\n| - |\n| x | `a|b` |')).toBe('n    │ \n─────┼─────\nx    │ a|b');
    const narrow = render(`| a | b |\n| - | - |\n| x | ${'word '.repeat(12)}|`, 30);
    for (const line of narrow.split('\n')) expect(widthOf(line)).toBeLessThanOrEqual(30);
    expect(narrow.match(/word/g)).toHaveLength(12);
  });

  it('tells links’ addresses, quotes, code and entities', () => {
    expect(render('[here](https://a.example) and <https://b.example>', 80)).toBe(
      'here (https://a.example) and https://b.example',
    );
    expect(render('> quoted\n> text')).toBe('│ quoted\n│ text');
    expect(render('```js\nlet a;\n  b\n```')).toBe('    let a;\n      b');
    expect(render('a &amp; b &lt; c')).toBe('a & b < c');
    expect(render('one<br>two')).toBe('one\ntwo');
    expect(render('one<br>\ntwo')).toBe('one\ntwo');
  });

  it('has no colours where there can be none, and then says headings and code by their marks', () => {
    vi.stubEnv('FORCE_COLOR', undefined);
    Object.assign(process.stdout, { getColorDepth: () => 1 });
    expect(renderMarkdown('## Title\n\n`x`', 40).join('\n')).toBe('## Title\n\n`x`');
  });

  it('is of text that commands nothing', () => {
    expect(withoutControls('a\u001b[2Jb\u0007\r\nc\td\u009b1m\u202e')).toBe('a[2Jb\nc\td1m');
    for (const text of [
      'x&#27;]52;c;aGk=&#7;',
      '**x&#x1b;[2J**',
      '[x&#27;](https://a.example)',
      '| &#x202e;x |\n| - |',
    ])
      expect(
        renderMarkdown(text, 40)
          .join('\n')
          .replace(/\u001b\[\d*m/g, ''),
      ).not.toMatch(/[\u0007\u001b\u202e]/);
    const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    sayJson({ text: 'é\u009b2J\u202e\u007f\n' });
    const [printed] = write.mock.lastCall ?? [];
    write.mockRestore();
    expect(printed).toBe('{\n  "text": "é\\u009b2J\\u202e\\u007f\\n"\n}\n');
  });

  it('is made of anything, however odd, within the width', () => {
    for (const text of ['', '|', '- ', '>', '#', '***', '[', '```', '| a |\n| - |', '1)', '<x', '&', '\\'])
      for (const line of render(text).split('\n')) expect(widthOf(line)).toBeLessThanOrEqual(40);
  });
});
