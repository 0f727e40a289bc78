import { describe, expect, it } from 'vitest';
import { changeCaseTool, type CaseStyle } from '../../../server/tools/text-case.ts';
import { countTextTool } from '../../../server/tools/text-count.ts';
import { extractFromTextTool, EXTRACT_KINDS, type ExtractKind } from '../../../server/tools/text-extract.ts';
import {
  formatTextTool,
  replaceTextTool,
  reverseTextTool,
  type TextLayout,
} from '../../../server/tools/text-format.ts';
import { removeDuplicatesTool, sortListTool } from '../../../server/tools/text-lists.ts';
import { codeBlock, escapeMarkdown, inlineCode, markdownTable } from '../../../server/tools/text-markdown.ts';
import { summariseTextTool } from '../../../server/tools/text-summary.ts';
import { sentencesOf } from '../../../server/tools/text-units.ts';
import { TEXT_TOOLS } from '../../../server/tools/index.ts';
import { ToolError } from '../../../server/tools/tool.ts';
import { run } from '../../support/run-tool.ts';
import { toolContext } from '../../support/tool-context.ts';

const context = toolContext();

describe('counting', () => {
  const count = (text: string, find?: string, wholeWords?: boolean) =>
    run(countTextTool, {
      text,
      ...(find !== undefined && { find }),
      ...(wholeWords !== undefined && { wholeWords }),
    });

  it('counts characters as a reader sees them', () => {
    expect(count('he\u0301llo 👩‍👩‍👧!')).toMatchObject({
      characters: 8,
      charactersWithoutSpaces: 7,
      letters: 5,
      words: 1,
    });
  });

  it('counts sentences, lines and paragraphs', () => {
    expect(count('Mr. Lee came. Did he?\nYes!\n\nThe end.\n')).toMatchObject({
      sentences: 4,
      lines: 4,
      paragraphs: 2,
      words: 8,
    });
  });

  it('finds nothing in an empty text', () => {
    expect(count('')).toMatchObject({ words: 0, characters: 0, sentences: 0, lines: 0, paragraphs: 0 });
  });

  it('counts occurrences without regard to case, and whole words on request', () => {
    expect(count('Foo food foo', 'foo').occurrences).toBe(3);
    expect(count('Foo food foo', 'foo', true).occurrences).toBe(2);
    expect(count('aaaa', 'aa').occurrences).toBe(2);
    expect(() => count('a', '')).toThrow(ToolError);
  });
});

describe('sentences', () => {
  it('end neither at abbreviations nor at the end of a wrapped line', () => {
    expect(sentencesOf('Dr. Lee likes\ntea, e.g. green. So do I.')).toEqual([
      'Dr. Lee likes tea, e.g. green.',
      'So do I.',
    ]);
  });
});

describe('summarising', () => {
  const text =
    'The river rose in the night. Everybody had dinner. By morning the river had reached the school. ' +
    'Somebody laughed. The school stayed closed while the river fell. It was Tuesday.';

  it('keeps the telling sentences, in their order', () => {
    const { items, sentencesInText, shortened } = run(summariseTextTool, { text, sentences: 3 });
    expect(items).toEqual([
      'The river rose in the night.',
      'By morning the river had reached the school.',
      'The school stayed closed while the river fell.',
    ]);
    expect([sentencesInText, shortened]).toEqual([6, true]);
  });

  it('says so when there is nothing to leave out', () => {
    expect(run(summariseTextTool, { text: 'Only this.', sentences: 2 })).toEqual({
      items: ['Only this.'],
      sentencesInText: 1,
      shortened: false,
    });
    expect(() => run(summariseTextTool, { text: ' \n ' })).toThrow(ToolError);
  });

  it('does not keep a sentence twice', () => {
    const repeated = 'The river rose. The river rose. Nothing else was known about that.';
    expect(run(summariseTextTool, { text: repeated, sentences: 2 }).items).toEqual([
      'The river rose.',
      'Nothing else was known about that.',
    ]);
  });
});

describe('sorting and duplicates', () => {
  const sort = (items: string[], options: object = {}) => run(sortListTool, { items, ...options }).items;

  it('sorts as people do: accents, case and numbers inside words', () => {
    expect(sort(['zebra', 'Äpfel', 'file 10', 'apple', 'file 9'])).toEqual([
      'Äpfel',
      'apple',
      'file 9',
      'file 10',
      'zebra',
    ]);
  });

  it('sorts by number, with what has none at the end', () => {
    expect(sort(['10', '-2', 'x', '1,500', '3.5'], { by: 'number' })).toEqual([
      '-2',
      '3.5',
      '10',
      '1,500',
      'x',
    ]);
  });

  it('sorts by length and descending', () => {
    expect(sort(['bb', 'a', '👩‍👩‍👧', 'ccc'], { by: 'length', descending: true })).toEqual([
      'ccc',
      'bb',
      'a',
      '👩‍👩‍👧',
    ]);
  });

  it('keeps the first of equal items', () => {
    expect(run(removeDuplicatesTool, { items: ['b', 'a', 'b ', 'B'] })).toEqual({
      items: ['b', 'a', 'B'],
      removed: 1,
    });
    expect(run(removeDuplicatesTool, { items: ['b', 'B'], ignoreCase: true })).toEqual({
      items: ['b'],
      removed: 1,
    });
    expect(sort(['b', 'a', 'b'], { removeDuplicates: true })).toEqual(['a', 'b']);
  });
});

describe('extracting', () => {
  const cases: [ExtractKind, string, string[]][] = [
    [
      'emails',
      'Ana <ana.b+x@mail.example.com>, bo@x.org. ana.b+x@mail.example.com @nobody',
      ['ana.b+x@mail.example.com', 'bo@x.org'],
    ],
    [
      'links',
      'See https://a.com/x?y=1, (http://b.org/w_(z)) and www.c.net.',
      ['https://a.com/x?y=1', 'http://b.org/w_(z)', 'www.c.net'],
    ],
    ['numbers', 'I have 3 cats, 1,200.50 coins, -4 and v2 of 3.', ['3', '1,200.50', '-4', '3']],
    [
      'numbers',
      '3.5kg, $1.5M, 1.5e3, 1,000kg, 5kg, 3,5 or 1.234,56, .5, -.5 and 30m2. Not 1st, 4x3, v1.2 or 192.168.0.1',
      ['3.5', '1.5', '1.5e3', '1,000', '5', '3,5', '1.234,56', '.5', '-.5', '30'],
    ],
    ['numbers', 'a,1,2,3\nb,4,5\n3, 4. 10-20', ['1', '2', '3', '4', '5', '3', '4', '10', '20']],
    [
      'dates',
      '2026-02-30, 32/1/2026, 30 February 2026, 31.12.2026, 12/31/2026, 3rd of March, 2026, 5 Sept. 2026, Sept 5th, 29 Feb, 1/2/26',
      ['31.12.2026', '12/31/2026', '3rd of March, 2026', '5 Sept. 2026', 'Sept 5th', '29 Feb', '1/2/26'],
    ],
    [
      'dates',
      'On 2026-03-01, 3 March 2026, March 4th and 5/6/2026.',
      ['2026-03-01', '3 March 2026', 'March 4th', '5/6/2026'],
    ],
    [
      'phone_numbers',
      'Call +44 20 7946 0958 or (555) 123-4567, not 2026-03-01 or 123456789.',
      ['+44 20 7946 0958', '(555) 123-4567'],
    ],
    ['hashtags', '#one, a#b #2 #tag_2', ['#one', '#tag_2']],
    ['mentions', 'ask @ana or @bo.b. not a@b.co', ['@ana', '@bo.b']],
  ];
  it.each(cases)('finds %s', (kind, text, items) => {
    expect(run(extractFromTextTool, { text, kind }).items).toEqual(items);
  });
});

describe('letter case', () => {
  const cases: [CaseStyle, string, string][] = [
    ['upper', 'straße', 'STRASSE'],
    ['lower', 'ABC', 'abc'],
    ['title', 'the lord of the rings', 'The Lord of the Rings'],
    ['title', "a well-known o'neill story", "A Well-Known O'neill Story"],
    ['sentence', 'HELLO THERE. HOW AM I?', 'Hello there. How am I?'],
    ['camel', 'parse HTML text', 'parseHtmlText'],
    ['pascal', 'parse-html', 'ParseHtml'],
    ['snake', 'parseHTMLText 2', 'parse_html_text_2'],
    ['kebab', 'Some text\nmore', 'some-text\nmore'],
    ['constant', 'maxSize', 'MAX_SIZE'],
    ['slug', 'Crème Brûlée: a Story!', 'creme-brulee-a-story'],
  ];
  it.each(cases)('%s: %s', (style, text, expected) => {
    expect(run(changeCaseTool, { text, style }).text).toBe(expected);
  });
});

describe('layout', () => {
  const cases: [TextLayout, string, string][] = [
    ['bullet_list', 'milk, bread and eggs', '- milk\n- bread\n- eggs'],
    ['bullet_list', '1. a\n2) b\n\n* c', '- a\n- b\n- c'],
    ['numbered_list', 'a; b, c; d', '1. a\n2. b, c\n3. d'],
    ['comma_list', '- a\n- b', 'a, b'],
    ['lines', '1,500, 2,000', '1,500\n2,000'],
    ['collapse_spaces', '  a   b \n c ', 'a b\nc'],
    ['trim_lines', ' a \n b', 'a\nb'],
    ['remove_blank_lines', 'a\n\n \nb', 'a\nb'],
    ['join_lines', 'a\nb\n', 'a b'],
  ];
  it.each(cases)('%s: %j', (layout, text, expected) => {
    expect(run(formatTextTool, { text, layout }).text).toBe(expected);
  });

  it('wraps between words and leaves long words whole', () => {
    const { text } = run(formatTextTool, {
      text: 'the quick brown fox extraordinarily',
      layout: 'wrap',
      width: 10,
    });
    expect(text).toBe('the quick\nbrown fox\nextraordinarily');
  });

  it('reverses characters, words, lines and items', () => {
    const reverse = (text: string, unit?: 'characters' | 'words' | 'lines' | 'items') =>
      run(reverseTextTool, { text, ...(unit && { unit }) }).text;
    expect(reverse('añ👩‍👩‍👧')).toBe('👩‍👩‍👧ña');
    expect(reverse('a b c', 'words')).toBe('c b a');
    expect(reverse('a\nb', 'lines')).toBe('b\na');
    expect(reverse('a, b, c', 'items')).toBe('c, b, a');
  });

  it('replaces literally, in any case on request, and refuses to blow a text up', () => {
    const replace = (find: string, replacement: string, ignoreCase = false) =>
      run(replaceTextTool, { text: 'a.b A.B $& a.b', find, replacement, ignoreCase });
    expect(replace('a.b', '$&')).toEqual({ text: '$& A.B $& $&', replaced: 2 });
    expect(replace('a.b', 'x', true)).toEqual({ text: 'x x $& x', replaced: 3 });
    expect(() => replace('', 'x')).toThrow(ToolError);
    const bomb = { text: 'a'.repeat(100_000), find: 'a', replacement: 'b'.repeat(100) };
    expect(() => run(replaceTextTool, bomb)).toThrow(ToolError);
  });
});

describe('Markdown', () => {
  it('shows text of any content as text', () => {
    expect(escapeMarkdown('<b>*x*</b> [a](b) snake_case _y_ &lt;')).toBe(
      '\\<b>\\*x\\*\\</b> \\[a](b) snake_case \\_y\\_ \\&lt;',
    );
    expect(escapeMarkdown('1. a\n# b')).toBe('1\\. a # b');
    expect(codeBlock('a ``` b')).toBe('````\na ``` b\n````');
    expect(inlineCode('a`b')).toBe('``a`b``');
    expect(markdownTable(['a|b'], [['x\ny|<i>']], [true])).toBe('| a\\|b |\n| ---: |\n| x y\\|\\<i> |');
  });
});

describe('every text tool', () => {
  const length = 100_000;
  const texts = [
    'a',
    ' ',
    '\n',
    '1',
    '1,',
    'a@',
    '@a.',
    '#1',
    '(1) ',
    'http://a(',
    '👩‍👩‍👧',
    'A b. ',
    'e.g. ',
    'AAa',
    '... ',
  ];
  const inputs: Record<string, object[]> = {
    extract_from_text: EXTRACT_KINDS.map((kind) => ({ kind })),
    change_case: ['title', 'sentence', 'snake', 'slug'].map((style) => ({ style })),
    format_text: ['bullet_list', 'comma_list', 'collapse_spaces', 'wrap'].map((layout) => ({ layout })),
    replace_text: [{ find: 'a', replacement: 'b', ignoreCase: true }],
  };
  it.each(TEXT_TOOLS.map((tool) => tool.name))(
    '%s takes time in proportion to the longest message',
    async (name) => {
      const tool = TEXT_TOOLS.find((one) => one.name === name);
      const time = async (size: number): Promise<number> => {
        const start = process.cpuUsage();
        for (const unit of texts) {
          const text = unit.repeat(Math.ceil(size / unit.length)).slice(0, size);
          for (const input of inputs[name] ?? [{}]) {
            try {
              await tool?.run({ text, items: text.split(/[\n ,]/), ...input }, context);
            } catch (error) {
              expect(error).toBeInstanceOf(ToolError);
            }
          }
        }
        const { user, system } = process.cpuUsage(start);
        return (user + system) / 1000;
      };
      await time(1_000);
      const [tenth, whole] = [await time(length / 10), await time(length)];
      // Linear is ten times as much; quadratic a hundred. The constant keeps noise of tiny times out.
      expect(whole).toBeLessThan(30 * tenth + 500);
    },
  );
});
