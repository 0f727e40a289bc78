import { describe, expect, it } from 'vitest';
import { startConversation } from '../../../../support/converse.ts';
import { fillForm } from '../../../../../server/models/offline/forms/fill-form.ts';
import { readForm } from '../../../../../server/models/offline/forms/read-form.ts';
import { ALL_TOOLS } from '../../../../../server/tools/index.ts';

const say = (message: string) => startConversation().say(message);

describe('a form', () => {
  it.each([
    ['on one line', '/tool calculate expression: 2/3'],
    ['with a line for each field', '/tool calculate\nexpression: 2/3\n'],
    ['as JSON', '/tool calculate {"expression": "2/3"}'],
    ['as JSON over several lines', '/tool calculate\n{\n  "expression": "2/3"\n}'],
    ['with what the tool needs, unnamed', '/tool calculate 2/3'],
    ['without the word', '/calculate 2/3'],
    ['in capitals, with wide marks', '  /TOOL Calculate\n EXPRESSION： 2/3'],
    ['with Windows line ends', '/tool calculate\r\nexpression: 2/3\r\n'],
  ])('is done %s', async (_how, message) => {
    expect(await say(message)).toMatchObject({ tools: ['calculate'], text: '2/3 ≈ **0.666666666667**' });
  });

  it.each([
    ['/tool calculate\nexpression: 2/3\ndecimals: 2', '0.67'],
    ['/tool sort_list\nitems: b, a, c\ndescending: yes', 'c\nb\na'],
    ['/tool sort_list\nItems:\nb, x\na\n\nc', 'a\nb, x\nc'],
    ['/tool sort_list {"items":["b","a"],"descending":"true"}', 'b\na'],
    ['/tool change_case\nstyle: Upper\ntext: straße', 'STRASSE'],
    ['/tool extract_from_text\nkind: phone numbers\ntext: call 020 7946 0958', '020 7946 0958'],
    ['/tool replace_text\ntext: a-b\nfind: -\nreplacement:', 'ab'],
    ['/tool format_json {"b": 1}', '"b": 1'],
    ['/tool get_json_value user.name\n\n```json x.json\n{"user":{"name":"Ann"}}\n```', 'is `Ann`'],
    ['/tool current_time Tokyo', 'in Tokyo'],
    ['/tool convert_units\nquantity: 10 km\nto: miles', '6.21371'],
    ['/tool random-choice a, a', '**a**'],
    [
      '/tool query_table\nwhere:\ncolumn: age; is: above; values: 35\ncolumn: name; is: starts; values: b, c\ntext:\nname,age\nann,50\nbob,40\ncy,30',
      '| bob | 40 |',
    ],
  ])('gives each field what it takes: %j', async (message, reported) => {
    expect((await say(message)).text).toContain(reported);
  });

  it('takes lines that name no field as more of the one before', async () => {
    const { text } = await say('/tool count_text\ntext: one two\nthree: four\n\nfive');
    expect(text).toContain('**5** words');
    expect(text).toContain('**4** lines');
  });

  it('takes a block just as it is, whatever it looks like', async () => {
    const { text } = await say(
      '/tool change_case\ntext:\n````\nstyle: low\n```\n  a\n```\n````\nstyle: upper',
    );
    expect(text).toContain('STYLE: LOW\n```\n  A\n```');
  });

  it('can be filled in for every tool, and its result is told in words', async () => {
    const chat = startConversation();
    const json = '{"a":1}';
    const filled: Record<string, string> = {
      ...{ calculate: '1', convert_units: 'quantity: 1 km\nto: m', current_time: '', convert_time: '10:00' },
      ...{ date_difference: 'to: 1 May', date_add: 'days: 3', date_info: '' },
      ...{ summarise_text: 'A bee. A tree.', count_text: 'a', sort_list: 'b, a', remove_duplicates: 'a, a' },
      ...{ extract_from_text: 'kind: links\ntext: https://a.org', change_case: 'style: upper\ntext: a' },
      ...{ format_text: 'layout: lines\ntext: a, b', reverse_text: 'ab' },
      ...{ replace_text: 'find: a\nreplacement: b\ntext: a', check_json: json, format_json: json },
      ...{ get_json_value: `path: a\ntext: ${json}`, convert_table: 'to: json\ntext:\na,b\n1,2' },
      ...{ table_statistics: 'a,b\n1,2', query_table: 'a,b\n1,2' },
      ...{ encode_text: 'encoding: hex\ntext: a', decode_text: 'encoding: hex\ntext: 61', hash_text: 'a' },
      ...{ decode_jwt: 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.x', generate_uuid: '', generate_password: '' },
      ...{ random_numbers: 'minimum: 1\nmaximum: 2', random_choice: 'a', remember_note: 'The key is blue.' },
      ...{ find_notes: '', forget_note: 'key', search_messages: 'x' },
    };
    for (const { name } of ALL_TOOLS) {
      const { tools, text } = await chat.say(`/tool ${name} ${filled[name] ?? ''}`);
      expect(tools, name).toEqual([name]);
      expect(text, name).toMatch(/\S/);
      expect(text, name).not.toMatch(/could not|couldn’t/);
    }
  });
});

describe('a form that can’t be done', () => {
  it.each([
    ['/tool calculate', 'The field “expression” is missing; it wants a text of up to'],
    [
      '/tool calculate\ndecimals: two\nexpression: 1',
      'The field “decimals” wants a whole number from 0 to 50, not “two”.',
    ],
    [
      '/tool calculate {"expression": 5}',
      'The field “expression” wants a text of up to 1000 characters on one line, not “5”.',
    ],
    ['/tool calculate {"expresion": "5"}', 'There is no field “expresion”.'],
    ['/tool calculate {"expression": ', 'The fields are not valid JSON.'],
    ['/tool change_case\nstyle: loud\ntext: a', 'The field “style” wants one of upper, lower, '],
    ['/tool generate_password\nlength: 3', 'The field “length” wants a whole number from 6 to 256, not “3”.'],
    ['/tool generate_password\nsymbols: perhaps', 'The field “symbols” wants yes or no, not “perhaps”.'],
    [
      '/tool convert_units\nquantity: 5 km\nunit: miles',
      'The field “quantity” wants a text of up to 100 characters on one line, not “5 km',
    ],
    ['/tool random_choice []', 'The field “options” wants a list'],
    [
      '/tool query_table\nwhere: age > 3\ntext: a',
      'The field “where” wants a list, one entry a line: column: …; is: equals/',
    ],
    ['/tool generate_uuid\n\n```\na\n```\n\n```\nb\n```', 'I can’t tell which field “'],
  ])('names the field and what it wants, and calls nothing: %j', async (message, problem) => {
    const { tools, text } = await say(message);
    expect(tools).toEqual([]);
    expect(text.startsWith(problem), text).toBe(true);
    expect(text).toContain('takes:');
  });

  it('lists the tools when it names none, or none that there is', async () => {
    for (const message of ['/tool', '/tool wheel\nx: 1']) {
      const { tools, text } = await say(message);
      expect(tools).toEqual([]);
      expect(text).toContain('- `calculate`: Calculates exactly.');
    }
  });

  it('says what keeps a tool from being used', async () => {
    expect((await say('/tool read_file a.txt')).text).toContain('allow a folder');
    expect((await startConversation().say('/tool calculate 2', 'chat')).text).toContain('mode “agent”');
  });

  it('tells a tool’s own refusal', async () => {
    expect((await say('/tool calculate 1/0')).text).toContain('zero');
  });
});

it('checks a field by the whole of its schema, with what that refers to', () => {
  const inputSchema = {
    properties: {
      tags: { type: 'array', items: { $ref: '#/$defs/tag' } },
      day: { type: 'string', pattern: '^\\d{4}-\\d\\d-\\d\\d$' },
      size: { anyOf: [{ type: 'number' }, { type: 'string' }] },
    },
    $defs: { tag: { type: 'string', minLength: 2 } },
  };
  const fill = (rest: string) => fillForm(rest, { name: 'x', inputSchema });
  expect(fill('tags: ["ab"]\nday: 2026-11-20\nsize: large')).toEqual({
    input: { tags: ['ab'], day: '2026-11-20', size: 'large' },
  });
  expect(fill('tags: ["a"]')).toEqual({
    problem: 'The field “tags” wants a list in JSON, [ … ], not “["a"]”.',
  });
  expect(fill('day: today')).toEqual({
    problem: 'The field “day” wants a text that fits `^\\d{4}-\\d\\d-\\d\\d$`, not “today”.',
  });
});

it.each([
  '/etc/hosts is a file',
  '/toolbar',
  '/ tool calculate 2',
  'use /tool calculate',
  '/home',
  '//tool x',
])('another message that has to do with slashes is none: %s', (message) => {
  expect(readForm(message)).toBeNull();
});
