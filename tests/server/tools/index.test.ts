import { Value } from 'typebox/value';
import { describe, expect, test } from 'vitest';
import { ALL_TOOLS } from '../../../server/tools/index.ts';
import { createMemoryWorkspace } from '../../support/memory-workspace.ts';
import { toolContext } from '../../support/tool-context.ts';

/** An input that works, for every tool there is. */
const EXAMPLES: Readonly<Record<string, Record<string, unknown>>> = {
  calculate: { expression: '15% of 80' },
  convert_units: { quantity: '10 km', to: 'miles' },
  current_time: { place: 'Tokyo' },
  convert_time: { time: '10:00', from: 'Paris', to: 'Tokyo' },
  date_difference: { to: '3 March' },
  date_add: { weeks: 3 },
  date_info: { date: '14 July 2027' },
  summarise_text: { text: 'It rained. The river rose. We went home.', sentences: 1 },
  count_text: { text: 'the quick brown fox' },
  sort_list: { items: ['b', 'a'] },
  remove_duplicates: { items: ['b', 'a', 'b'] },
  extract_from_text: { text: 'write to ana@example.com', kind: 'emails' },
  change_case: { text: 'hello', style: 'upper' },
  format_text: { text: 'a, b', layout: 'bullet_list' },
  reverse_text: { text: 'hello' },
  replace_text: { text: 'banana', find: 'a', replacement: 'o' },
  check_json: { text: '{"a": 1,}' },
  format_json: { text: '{"a":1}' },
  get_json_value: { text: '{"a":[1,2]}', path: 'a[1]' },
  convert_table: { text: 'a,b\n1,2', to: 'markdown' },
  query_table: { text: 'a,b\n1,2\n3,4', where: [{ column: 'a', is: 'above', values: ['1'] }] },
  encode_text: { text: 'hello', encoding: 'base64' },
  decode_text: { text: 'aGVsbG8=', encoding: 'base64' },
  hash_text: { text: 'abc' },
  decode_jwt: { token: 'eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.' },
  generate_uuid: {},
  generate_password: { length: 20 },
  random_numbers: { minimum: 1, maximum: 6 },
  random_choice: { options: ['heads', 'tails'] },
  remember_note: { text: 'the key is with Ana' },
  find_notes: { query: 'key' },
  forget_note: { query: 'key' },
  search_messages: { query: 'Tokyo' },
};

test('there is an example of each', () => {
  expect(Object.keys(EXAMPLES).sort()).toEqual(ALL_TOOLS.map((tool) => tool.name).sort());
});

describe.each(ALL_TOOLS.map((tool) => [tool.name, tool] as const))('%s', (name, tool) => {
  test('is named and described for a model', () => {
    expect(name).toMatch(/^[a-z]+(?:_[a-z0-9]+)*$/);
    expect(tool.description.length).toBeGreaterThan(20);
  });

  test('has a schema that is a plain JSON schema', () => {
    expect(tool.input).toMatchObject({ type: 'object' });
    expect(JSON.parse(JSON.stringify(tool.input))).toEqual(tool.input);
  });

  test('takes its example, and gives plain data', async () => {
    const input = EXAMPLES[name] ?? {};
    expect(Value.Errors(tool.input, input)).toEqual([]);
    const workspace = createMemoryWorkspace();
    const output: unknown = await tool.run(input, toolContext({ workspace }));
    expect(JSON.parse(JSON.stringify(output))).toEqual(output);
  });
});
