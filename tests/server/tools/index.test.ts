import { Value } from 'typebox/value';
import { describe, expect, test } from 'vitest';
import { ALL_TOOLS, findTool } from '../../../server/tools/index.ts';
import { createMemoryWorkspace } from '../../support/memory-workspace.ts';
import { toolContext } from '../../support/tool-context.ts';

/** An input that works, for every tool there is. */
const EXAMPLES: Readonly<Record<string, Record<string, unknown>>> = {
  remember_note: { text: 'the key is with Ana' },
  find_notes: { query: 'key' },
  forget_note: { query: 'key' },
  search_messages: { query: 'Tokyo' },
};

test('names are unique and can be found', () => {
  const names = ALL_TOOLS.map((tool) => tool.name);
  expect(new Set(names).size).toBe(names.length);
  expect(names.map((name) => findTool(name)?.name)).toEqual(names);
  expect(findTool('no_such_tool')).toBeNull();
});

test('there is an example of each', () => {
  expect(Object.keys(EXAMPLES).sort()).toEqual(ALL_TOOLS.map((tool) => tool.name).sort());
});

describe.each(ALL_TOOLS.map((tool) => [tool.name, tool] as const))('%s', (name, tool) => {
  test('is named and described for a model', () => {
    expect(name).toMatch(/^[a-z]+(?:_[a-z0-9]+)*$/);
    expect(tool.description.length).toBeGreaterThan(20);
  });

  test('has schemas that are plain JSON schemas', () => {
    expect(tool.input).toMatchObject({ type: 'object' });
    expect(JSON.parse(JSON.stringify(tool.input))).toEqual(tool.input);
    expect(Object.keys(tool.output).length).toBeGreaterThan(0);
  });

  test('gives its example an output that fits', async () => {
    const input = EXAMPLES[name] ?? {};
    expect(Value.Errors(tool.input, input)).toEqual([]);
    const workspace = createMemoryWorkspace();
    const output: unknown = await tool.run(input, toolContext({ workspace }));
    expect(Value.Errors(tool.output, output)).toEqual([]);
    expect(JSON.parse(JSON.stringify(output))).toEqual(output);
  });
});
