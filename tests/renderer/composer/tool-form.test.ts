import { describe, expect, it } from 'vitest';
import { faultOf, formFieldsOf, writeForm } from '../../../renderer/composer/tool-form.ts';
import { toolQuery } from '../../../renderer/composer/tool-list.svelte.ts';
import { fillForm } from '../../../server/models/offline/forms/fill-form.ts';
import { readForm } from '../../../server/models/offline/forms/read-form.ts';
import { TOOL_INPUTS } from '../../../server/tools/inputs.ts';

const inputOf = (name: string) => ({ ...TOOL_INPUTS.get(name) });
/** What the service makes of a form that was filled in with these values. */
function sent(name: string, values: Record<string, string>) {
  const form = readForm(writeForm(name, formFieldsOf({ input: inputOf(name) }), values));
  expect(form?.tool).toBe(name);
  return fillForm(form?.rest ?? '', { name, inputSchema: inputOf(name) });
}

describe('a form as a message', () => {
  it.each([
    'one line',
    'two\nlines',
    'style: upper\ntext: again',
    '```js\nconst a = 1;\n```',
    '````\nfour\n````',
    '  spaces around  ',
    '{"text": "json"}',
    '/tool calculate 2',
    '\n\nempty lines\n\n',
    'wide： colon',
    '~~~\nwaves\n~~~',
  ])('brings the text through as it is: %j', (text) => {
    expect(sent('change_case', { text, style: 'upper' })).toEqual({ input: { text, style: 'upper' } });
  });

  it('leaves out what is empty, and gives each field what it takes', () => {
    expect(sent('sort_list', { items: 'b\na, c', descending: 'yes', by: '' })).toEqual({
      input: { items: ['b', 'a, c'], descending: true },
    });
    expect(sent('calculate', { expression: '2/3', decimals: ' 4' })).toEqual({
      input: { expression: '2/3', decimals: 4 },
    });
    expect(sent('query_table', { text: 'a\n1', where: 'column: a; is: at_least; values: 1, 2' })).toEqual({
      input: { text: 'a\n1', where: [{ column: 'a', is: 'at_least', values: ['1', '2'] }] },
    });
    expect(sent('generate_uuid', {})).toEqual({ input: {} });
  });
});

it('fields that have to be filled in come first, and each says what is wrong with it', () => {
  const [expression, decimals] = formFieldsOf({ input: inputOf('calculate') });
  if (expression === undefined || decimals === undefined) throw new Error('no fields');
  expect([expression.kind, expression.required, decimals.kind, decimals.required]).toEqual([
    ...['text', true],
    ...['number', false],
  ]);
  expect(faultOf(expression, ' ')).not.toBe('');
  expect(faultOf(expression, 'x'.repeat(1001))).toContain('1,000');
  expect(faultOf(expression, '2')).toBe('');
  for (const value of ['two', '1.5', '51', '-1']) expect(faultOf(decimals, value)).toContain('0 to 50');
  for (const value of ['', '0', '50']) expect(faultOf(decimals, value)).toBe('');
});

it.each([
  ['/', ''],
  ['/so', 'so'],
  ['/tool ', ''],
  ['/tool so', 'so'],
  ['a/b', null],
  ['/so x', null],
  ['/tool sort_list\n', null],
  [' /', null],
])('%j is a search for a tool by %j', (text, query) => {
  expect(toolQuery(text)).toBe(query);
});

it('tells in plain words what holds where nothing is chosen', () => {
  const reported = (tool: string) =>
    Object.fromEntries(
      formFieldsOf({ input: inputOf(tool) }).map(({ name, hint, usual }) => [name, [hint, usual]]),
    );
  expect(reported('generate_password')).toMatchObject({ symbols: ['', 'yes'], digits: ['', 'yes'] });
  expect(reported('sort_list')).toMatchObject({
    descending: ['Z to A, largest or longest first.', 'no'],
    by: ['', 'alphabet'],
  });
  for (const tool of TOOL_INPUTS.keys()) {
    for (const field of formFieldsOf({ input: inputOf(tool) })) {
      if (field.kind === 'flag')
        expect(`${field.hint} ${field.usual}`, tool).not.toMatch(/\b(?:true|false)\b/);
    }
  }
});
