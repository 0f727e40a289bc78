import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findColumn } from '../../../server/tools/data-columns.ts';
import { convertTableTool, MAX_MARKDOWN_ROWS } from '../../../server/tools/data-convert.ts';
import { positionIn, scanJson } from '../../../server/tools/data-json-scan.ts';
import { checkJsonTool, formatJsonTool, getJsonValueTool } from '../../../server/tools/data-json.ts';
import { queryTableTool } from '../../../server/tools/data-query.ts';
import { looksTabular, readTable } from '../../../server/tools/data-table.ts';
import { DATA_TOOLS } from '../../../server/tools/index.ts';
import { ToolError } from '../../../server/tools/tool.ts';
import { run } from '../../support/run-tool.ts';
import { toolContext } from '../../support/tool-context.ts';

const context = toolContext();

describe('checking JSON', () => {
  const wrong: [string, number, number, RegExp][] = [
    ['{"a":1,}', 1, 8, /comma before "}"/],
    ['{\n  a: 1\n}', 2, 3, /word a needs double quotes/],
    ["{'a':1}", 1, 2, /not single/],
    ['{“a”:1}', 1, 2, /straight double quotes/],
    ['{1:2}', 1, 2, /key in double quotes/],
    ['{"a" 1}', 1, 6, /colon is missing/],
    ['{"a":1 "b":2}', 1, 8, /comma is missing between two entries/],
    ['[1,\n2', 2, 2, /ends before a list is closed/],
    ['', 1, 1, /nothing here/],
    ['{"a":None}', 1, 6, /does not know None; it would be null/],
    ['[1,,2]', 1, 4, /comma too many/],
    ['["x\ny"]', 1, 2, /not closed on its line/],
    ['[1]]', 1, 4, /more text after the end/],
    ['[01]', 1, 3, /begins with a zero/],
    ['{"a":1} // x', 1, 9, /no comments/],
    ['{"a":1, // x\n"b":2}', 1, 9, /no comments/],
    ['{"p":"C:\\x"}', 1, 6, /an escape that JSON does not know/],
    ['["é😀" 1]', 1, 7, /comma is missing/],
    ['{"a":[1}', 1, 8, /isn’t closed with "}"/],
    ['{"a":True}', 1, 6, /true and false in small letters/],
    ['["x', 1, 2, /not closed on its line/],
  ];
  it.each(wrong)('says where and why: %j', (text, line, column, problem) => {
    const result = run(checkJsonTool, { text });
    expect(result).toMatchObject({ valid: false, line, column });
    expect(result.problem).toMatch(problem);
  });

  it('says what valid JSON holds', () => {
    expect(run(checkJsonTool, { text: '{"a":[1,2],"b":{}}' })).toEqual({
      valid: true,
      kind: 'object',
      entries: 2,
    });
    expect(run(checkJsonTool, { text: '[]' })).toEqual({ valid: true, kind: 'list', entries: 0 });
    expect(run(checkJsonTool, { text: ' "x" ' })).toEqual({ valid: true, kind: 'text' });
    expect(run(checkJsonTool, { text: '[{"a":1},2,[3,4]]' })).toMatchObject({ entries: 3 });
  });

  it('knows what JSON is and what isn’t, with a place in the text', () => {
    const piece = fc.constantFrom('{', '}', '[', ']', ',', ':', '"a"', '"\\n"', '1', '-0', '1.5e3', 'true', 'null', ' ', '\n', '01', '.5', '"', '\\', "'x'", 'tru', '"\\u12"', '-', '1.', 'é'); // oxfmt-ignore
    const texts = fc.oneof(
      fc.array(piece, { maxLength: 9 }).map((pieces) => pieces.join('')),
      fc.json(),
      fc.tuple(fc.json(), fc.nat(), piece).map(([json, at, part]) => {
        const index = at % (json.length + 1);
        return json.slice(0, index) + part + json.slice(index + 1);
      }),
    );
    fc.assert(
      fc.property(texts, (text) => {
        const scan = scanJson(text);
        if (scan.ok) expect(scan.value).toEqual(JSON.parse(text));
        else {
          expect(() => JSON.parse(text) as unknown).toThrow();
          expect(scan.offset).toBeLessThanOrEqual(text.length);
          expect(scan.problem).toMatch(/\.$/);
        }
      }),
      { numRuns: 3000 },
    );
  });

  it('counts lines and columns from one, in characters', () => {
    expect(positionIn('a\r\nb😀c', 'a\r\nb😀'.length)).toEqual({ line: 2, column: 3 });
  });
});

describe('formatting JSON', () => {
  const format = (text: string, options: object = {}) => run(formatJsonTool, { text, ...options }).text;

  it('changes nothing but white space', () => {
    const text = '{"b":12345678901234567890,"a":[1.0,{},[],"x, {y"],"b":1e5}';
    expect(format(text, { style: 'minified' })).toBe(text);
    expect(format(text, { indent: 1 })).toBe(
      '{\n "b": 12345678901234567890,\n "a": [\n  1.0,\n  {},\n  [],\n  "x, {y"\n ],\n "b": 1e5\n}',
    );
  });

  it('keeps the value, whatever it is', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value);
        expect(JSON.parse(format(text))).toEqual(JSON.parse(text));
        expect(format(text, { style: 'minified' })).toBe(text);
      }),
    );
  });

  it('sorts keys at every level and keeps long numbers', () => {
    expect(
      format('{"b":{"d":1,"c":2},"a":12345678901234567890}', { sortKeys: true, style: 'minified' }),
    ).toBe('{"a":12345678901234567890,"b":{"c":2,"d":1}}');
  });

  it('refuses what is no JSON, with the place', () => {
    expect(() => format('{"a":1,}')).toThrow(/line 1, column 8/);
  });
});

describe('looking up in JSON', () => {
  const text = '{"user":{"emails":[{"to":"a@b.co"}],"a b":null},"big":12345678901234567890}';
  const look = (path: string) => run(getJsonValueTool, { text, path });

  it('follows keys and positions', () => {
    expect(look('user.emails[0].to')).toEqual({ found: true, kind: 'text', text: 'a@b.co' });
    expect(look('$.user["a b"]')).toEqual({ found: true, kind: 'null', text: 'null' });
    expect(look('big')).toEqual({ found: true, kind: 'number', text: '12345678901234567890' });
    expect(look('user.emails')).toMatchObject({ kind: 'list' });
  });

  it('says what is missing', () => {
    expect(look('user.phone.home')).toEqual({ found: false, missing: 'user.phone' });
    expect(look('__proto__')).toEqual({ found: false, missing: '__proto__' });
    expect(() => look(' ')).toThrow(ToolError);
  });
});

describe('reading tables', () => {
  const texts = (text: string) => {
    const { columns, rows } = readTable(text);
    return [columns, ...rows.map((row) => row.map((cell) => cell.text))];
  };

  it('reads CSV with any usual delimiter, quotes included', () => {
    expect(texts('a;b\n1;"x; ""y"""')).toEqual([
      ['a', 'b'],
      ['1', 'x; "y"'],
    ]);
    expect(texts('a\tb\n1\t2')).toEqual([
      ['a', 'b'],
      ['1', '2'],
    ]);
  });

  it.each(['sep=;\r\na;b\r\n1;2,5', '"sep=;"\na;b\n1;2,5', 'sep=;\ra;b\r1;2,5', '\ufeffsep=;\na;b\n1;2,5'])(
    'takes a line that tells Excel the delimiter for no row: %j',
    (text) => {
      expect(looksTabular(text)).toBe(true);
      expect(texts(text)).toEqual([
        ['a', 'b'],
        ['1', '2,5'],
      ]);
    },
  );

  it('names columns where the first row is no header', () => {
    expect(texts('Ana,30\nBo,40')).toEqual([
      ['Column 1', 'Column 2'],
      ['Ana', '30'],
      ['Bo', '40'],
    ]);
    expect(texts('region,2024,2025\nNorth,1,2')[0]).toEqual(['region', '2024', '2025']);
    expect(texts('a,a,\nx,y,z')[0]).toEqual(['a', 'a (2)', 'Column 3']);
  });

  it('reads Markdown tables and JSON of several shapes', () => {
    expect(texts('| a | b |\n|---|--:|\n| x \\| y | 2 |')).toEqual([
      ['a', 'b'],
      ['x | y', '2'],
    ]);
    expect(texts('[{"a":1},{"b":[2]}]')).toEqual([
      ['a', 'b'],
      ['1', ''],
      ['', '[2]'],
    ]);
    expect(texts('{"total":1,"items":[{"a":1}]}')).toEqual([['a'], ['1']]);
    expect(texts('{"a":1,"b":"x"}')).toEqual([
      ['Key', 'Value'],
      ['a', '1'],
      ['b', 'x'],
    ]);
    expect(texts('[["h","i"],[1,2]]')).toEqual([
      ['h', 'i'],
      ['1', '2'],
    ]);
  });

  it('fills up short rows, cuts long ones and says how many', () => {
    expect(readTable('a,b\n1\n1,2,3\n1,2').unevenRows).toBe(2);
  });

  it('refuses what is no table or would be a monstrous one', () => {
    expect(() => readTable('')).toThrow(ToolError);
    expect(() => readTable('{"a":')).toThrow(ToolError);
    expect(() => readTable('a,b\n"x,y')).toThrow(/row 2/);
    expect(() => readTable(`${'a,'.repeat(25_000)}\n${'b\n'.repeat(25_000)}`)).toThrow(/too many cells/);
  });

  it('can tell prose from a table', () => {
    expect(looksTabular('a,b\n1,2')).toBe(true);
    expect(looksTabular('Hello, you.\nHow are you, and how is Ana, Bo?')).toBe(false);
    expect(looksTabular('one\ntwo')).toBe(false);
  });

  it('finds the column meant', () => {
    const columns = ['Name', 'Unit price', 'Amounts', '2'];
    expect(
      ['name', 'price', 'amount', '2', '1', 'nothing'].map((asked) => findColumn(columns, asked)),
    ).toEqual([0, 1, 2, 3, 0, null]);
  });
});

describe('converting tables', () => {
  const csv = 'name,price,note\nB,"1,200.50","a|b"\nA,30,<b>\nC,,007\n';
  const convert = (to: 'markdown' | 'csv' | 'tsv' | 'json', options: object = {}, text = csv) =>
    run(convertTableTool, { text, to, ...options });

  it('escapes what would break a Markdown table', () => {
    expect(convert('markdown').text).toBe(
      '| name | price | note |\n| --- | ---: | --- |\n| B | 1,200.50 | a\\|b |\n| A | 30 | \\<b> |\n| C |  | 007 |',
    );
  });

  it('sorts by number, with empty cells last either way', () => {
    const order = (descending: boolean) =>
      convert('csv', { sortBy: 'price', descending })
        .text.split('\n')
        .slice(1)
        .map((row) => row[0]);
    expect(order(false)).toEqual(['A', 'B', 'C']);
    expect(order(true)).toEqual(['B', 'A', 'C']);
  });

  it('writes numbers as numbers in JSON, but not what only looks like one', () => {
    expect(JSON.parse(convert('json').text)).toEqual([
      { name: 'B', price: '1,200.50', note: 'a|b' },
      { name: 'A', price: 30, note: '<b>' },
      { name: 'C', price: '', note: '007' },
    ]);
  });

  it('gives back JSON as CSV and CSV as JSON', () => {
    const json = '[{"id":12345678901234567890,"t":"12","x":null},{"id":2,"t":"a,b","x":true}]';
    expect(convert('csv', {}, json).text).toBe('id,t,x\n12345678901234567890,12,\n2,"a,b",true');
    expect(JSON.parse(convert('json', {}, json).text)).toEqual(JSON.parse(json));
  });

  it('cuts a long Markdown table and says how much', () => {
    const long = `a,b\n${'1,2\n'.repeat(500)}`;
    expect(convert('markdown', {}, long)).toMatchObject({ rows: 500, shownRows: MAX_MARKDOWN_ROWS });
    expect(convert('csv', {}, long)).toMatchObject({ rows: 500, shownRows: 500 });
  });

  it('names the columns when the one asked for is not there', () => {
    expect(() => convert('csv', { sortBy: 'weight' })).toThrow(/name, price, note/);
  });
});

describe('figures', () => {
  it('adds up what are numbers and counts the rest', () => {
    const text = 'item,amount\na,10\nb,"1,200.50"\nc,n/a\nd,\ne,$0.25';
    const figures = (['sum', 'average', 'median', 'minimum', 'maximum'] as const).map((figure) => {
      const { figure: value, notNumbers } = run(queryTableTool, { text, figure, of: 'amount' });
      return [value, notNumbers];
    });
    expect(figures).toEqual([
      [1210.75, 1],
      [403.5833333333, 1],
      [10, 1],
      [0.25, 1],
      [1200.5, 1],
    ]);
  });

  it('sums without the dust of binary fractions', () => {
    const sum = (numbers: string[]) =>
      run(queryTableTool, { text: ['n', ...numbers].join('\n'), figure: 'sum', of: 'n' }).figure;
    expect(sum(['0.1', '0.2', '0.3'])).toBe(0.6);
    expect(sum(Array.from({ length: 1000 }, () => '0.1'))).toBe(100);
  });

  it.each([
    ['₹1,25,000 | ₹3,00,500 | ₹50,000', '₹4,75,500'],
    ['1.234,50 | 86,20 | 39,99', '1,360.69'],
    ['1 249,90 € | 59,00 € | 19,50 €', '€1,328.40'],
    ["CHF 12'450.50 | CHF 1'200 | CHF 980.25", 'CHF 14,630.75'],
    ['$1.2k | $950 | $2.5k', '$4,650'],
    ['3 kg | 2.5 kg | 750 g', '6.25 kg'],
    ['1h 30m | 45m | 2h', '4 h 15 min'],
    ['3:45 | 4:10 | 12:30', '20:25'],
    ['12% | 3%', '15%'],
    ['(5) | −2 | 1e3', '993'],
    ['1,250 | 375', '1,625'],
    ['0,125 | 1,5', '1.625'],
    ['2 lakh | 1.5 crore', '15,200,000'],
  ])('adds up a column of one style: %s', (cells, sum) => {
    const text = JSON.stringify(cells.split(' | ').map((amount) => ({ amount })));
    expect(run(queryTableTool, { text, figure: 'sum', of: 'amount' }).shown).toBe(sum);
  });

  it.each([
    ['1.234 | 2.500 | 999', /point or the comma/],
    ['$10 | €20', /USD and some in EUR/],
    ['3 kg | 4 litres', /kg and some in litres/],
    ['3 kg | 5', /Are they all in kg/],
    ['1.234,50 | 1,234.50', /two styles/],
    ['59.8 | 61.2 | 1:02.5', /can’t read “1:02.5”/],
    ['03/04/2026 | 05/02/2026', /the day or the month/],
    ['9:15 am | 1:30 pm', /time of day, which has no sum/],
    ['2026-01-05 | 2026-02-01', /date, which has no sum/],
  ])('asks rather than add what may be something else: %s', (cells, question) => {
    const text = JSON.stringify(cells.split(' | ').map((amount) => ({ amount })));
    expect(() => run(queryTableTool, { text, figure: 'sum', of: 'amount' })).toThrow(question);
  });
});

describe('the order of a column', () => {
  const sorted = (cells: string, more = {}): string => {
    const text = JSON.stringify(cells.split(' | ').map((cell) => ({ cell })));
    return run(queryTableTool, { text, sortBy: [{ column: 'cell' }], ...more }).rows.join(' | ');
  };

  it.each([
    ['days', '03.02.2026 | 15.01.2026 | 28.12.2025', '28.12.2025 | 15.01.2026 | 03.02.2026'],
    ['days as the column allows', '1/20/2026 | 12/31/2025 | 1/3/2026', '12/31/2025 | 1/3/2026 | 1/20/2026'],
    [
      'days in words',
      '3 Mar 2026 | January 5, 2026 | 12 Feb 2026',
      'January 5, 2026 | 12 Feb 2026 | 3 Mar 2026',
    ],
    ['months of years', 'Mar 2026 | Dec 2025 | Jan 2026', 'Dec 2025 | Jan 2026 | Mar 2026'],
    ['quarters', 'Q1 2026 | Q4 2025', 'Q4 2025 | Q1 2026'],
    ['times', '1:15 pm | 9:05 am | 12:10 am', '12:10 am | 9:05 am | 1:15 pm'],
    ['race times', '1:02:10 | 59:48 | 1:00:05', '59:48 | 1:00:05 | 1:02:10'],
    ['months', 'March | January | Sept', 'January | March | Sept'],
    ['German weekdays', 'Mi | Mo | Fr', 'Mo | Mi | Fr'],
    ['amounts with gaps', '10 | n/a | 2', '2 | 10 | n/a'],
    ['sizes of several units', '2 GB | 700 MB | 1 TB', '700 MB | 2 GB | 1 TB'],
  ])('is by what it holds: %s', (_name, cells, order) => {
    expect(sorted(cells)).toBe(order);
  });

  it('is asked for where days may come first or second, unless it is given or another value shows it', () => {
    const cells = '05/02/2026 | 03/04/2026';
    expect(() => sorted(cells)).toThrow(/the day or the month/);
    expect(sorted(cells, { dates: 'month first' })).toBe('03/04/2026 | 05/02/2026');
    expect(sorted(cells, { where: [{ column: 'cell', is: 'below', values: ['20/03/2026'] }] })).toBe(
      '05/02/2026',
    );
    const text = 'paid,due\n05/02/2026,25/02/2026\n03/04/2026,01/05/2026';
    expect(run(queryTableTool, { text, sortBy: [{ column: 'paid' }] }).rows[0]?.[0]).toBe('05/02/2026');
  });
});

describe('rows', () => {
  const text = 'team,points\nA,5\nB,9\nSubtotal,14\nC,9\nGrand Total,23';

  it('are without those that add others up', () => {
    expect(run(queryTableTool, { text, figure: 'sum', of: 'points' })).toMatchObject({
      figure: 23,
      all: 3,
      totals: ['Subtotal', 'Grand Total'],
    });
    const own = 'item,cost\nTotal cost,3\nTotal fun,4';
    expect(run(queryTableTool, { text: own, figure: 'count' }).figure).toBe(2);
  });

  it('that tie with the last are among the first', () => {
    const best = { text, sortBy: [{ column: 'points', descending: true }], first: 1 };
    expect(run(queryTableTool, best)).toMatchObject({ rows: [['B', '9'], ['C', '9']], tied: 1 }); // oxfmt-ignore
    expect(() => run(queryTableTool, { ...best, skip: 1 })).toThrow(/share that rank/);
  });

  it('have different values, however they are written', () => {
    const cities = 'city\nRome\nOslo\nrome\nBern';
    expect(run(queryTableTool, { text: cities, figure: 'unique', of: 'city' }).figure).toBe(3);
  });
});

describe('every data tool', () => {
  const size = 100_000;
  const texts = [
    '['.repeat(size / 2) + ']'.repeat(size / 2),
    '{"a":'.repeat(size / 5),
    '"'.repeat(size),
    `[${'1,'.repeat(size / 2 - 2)}1]`,
    `${'a'.repeat(size / 2)},b\n${'1,2\n'.repeat(size / 8)}`,
    `${'['.repeat(400)}${'1,'.repeat(49_000)}1${']'.repeat(400)}`,
    `[${Array.from({ length: 4000 }, (_, index) => `{"a${index}":1}`).join(',')}]`,
    '|'.repeat(size),
    ' '.repeat(size),
  ];
  it.each(DATA_TOOLS.map(({ name }) => name))('%s bounds what it returns', async (name) => {
    const tool = DATA_TOOLS.find((one) => one.name === name);
    for (const text of texts) {
      for (const to of name === 'convert_table' ? ['markdown', 'csv', 'json'] : ['none']) {
        try {
          const output: unknown = await tool?.run({ text, path: 'a.b', to, indent: 8 }, context);
          expect(JSON.stringify(output).length).toBeLessThan(6_000_000);
        } catch (error) {
          expect(error).toBeInstanceOf(ToolError);
        }
      }
    }
  });
});
