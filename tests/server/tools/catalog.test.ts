import { expect, test } from 'vitest';
import { BUILT_IN_AGENTS } from '../../../server/agents/definitions.ts';
import { createOutsideSources } from '../../../server/turns/sources.ts';
import { isToolName, OUTSIDE_TOOLS, TOOL_CATALOG, toolsThatAsk } from '../../../server/tools/catalog.ts';
import { ALL_TOOLS } from '../../../server/tools/index.ts';

test('the catalogue has a sentence on every tool, and on nothing else', async () => {
  const sources = createOutsideSources({
    folders: { list: () => Promise.resolve([]), isAny: () => true },
    dataDir: '/nowhere',
    settings: { current: () => ({ webFetch: true }) },
  });
  const outside = await Promise.all(sources.map((source) => source.list({ agentTypes: ['orchestrator'] })));
  expect(OUTSIDE_TOOLS.map(({ name }) => name)).toEqual(outside.flat().map(({ name }) => name));
  expect(TOOL_CATALOG.map(({ name }) => name)).toEqual(
    [...ALL_TOOLS, ...outside.flat()].map(({ name }) => name),
  );
  for (const { description } of TOOL_CATALOG) expect(description).toMatch(/^[A-Z].{10,80}\.$/);
});

test('the agents that are built in name only tools that there are', () => {
  for (const { tools } of BUILT_IN_AGENTS) {
    if (tools === 'all') continue;
    expect(tools.filter((name) => !isToolName(name))).toEqual([]);
    expect(new Set(tools).size).toBe(tools.length);
  }
});

test('the tools that ask are tools that there are', () => {
  expect(toolsThatAsk(true).filter((name) => !isToolName(name))).toEqual([]);
  expect(toolsThatAsk(true)).toEqual(expect.arrayContaining(toolsThatAsk(false)));
});
