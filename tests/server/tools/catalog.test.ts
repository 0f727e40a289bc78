import { expect, test } from 'vitest';
import { BUILT_IN_AGENTS } from '../../../server/agents/definitions.ts';
import { isToolName, TOOL_CATALOG } from '../../../server/tools/catalog.ts';
import { ALL_TOOLS } from '../../../server/tools/index.ts';

test('the catalogue has a sentence on every tool, and on nothing else', () => {
  expect(TOOL_CATALOG.map(({ name }) => name)).toEqual(ALL_TOOLS.map(({ name }) => name));
  for (const { description } of TOOL_CATALOG) expect(description).toMatch(/^[A-Z].{10,80}\.$/);
});

test('the agents that are built in name only tools that there are', () => {
  for (const { tools } of BUILT_IN_AGENTS) {
    if (tools === 'all') continue;
    expect(tools.filter((name) => !isToolName(name))).toEqual([]);
    expect(new Set(tools).size).toBe(tools.length);
  }
});
