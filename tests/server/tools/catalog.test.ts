import { expect, test } from 'vitest';
import { BUILT_IN_AGENTS } from '../../../server/agents/definitions.ts';
import { toolTokens } from '../../../server/models/request-size.ts';
import { findOwnTool, threadToolsOf, TOOL_CATALOG } from '../../../server/tools/catalog.ts';
import { createFileTools } from '../../../server/tools/files/file-tools.ts';
import { TOOL_INPUTS } from '../../../server/tools/inputs.ts';
import { ALL_TOOLS, THREAD_TOOLS } from '../../../server/tools/index.ts';
import { createSkillTools } from '../../../server/tools/files/skill-tool.ts';
import type { Tool } from '../../../server/tools/tool.ts';
import { createWebTools } from '../../../server/tools/web/web-tools.ts';

/** All of Parley's own tools, loaded. */
async function loadTools(): Promise<Tool[]> {
  const folders = () => Promise.resolve([]);
  const sources = [
    createFileTools({ folders, isAnyAllowed: () => true, dataDir: '/nowhere' }),
    createSkillTools({ current: () => Promise.resolve([{ stored: {} as never, onDisk: null }]) }),
    createWebTools({ isOn: () => true }),
  ];
  const hosted = await Promise.all(sources.map((source) => source.list(['orchestrator'])));
  return [...ALL_TOOLS, ...hosted.flat()];
}

test('the catalogue has an entry on every tool, and on nothing else', async () => {
  const tools = await loadTools();
  expect(TOOL_CATALOG.map(({ name }) => name)).toEqual(tools.map(({ name }) => name));
  expect(new Set(tools.map(({ name }) => name)).size).toBe(tools.length);
  for (const { sentence } of TOOL_CATALOG) expect(sentence).toMatch(/^[A-Z].{10,80}\.$/);
});

test('each tool has a title that a person would give it, and of its own', () => {
  const titles = TOOL_CATALOG.map(({ title }) => title);
  expect(new Set(titles).size).toBe(titles.length);
  for (const title of titles) expect(title).toMatch(/^[A-Z][A-Za-z ]{4,30}$/);
  // What a name gives by itself reads like a name.
  expect(titles).toContain('Add to a date');
  expect(titles.join()).not.toMatch(/\b(?:json|jwt|uuid)\b/);
});

test('each tool is what the catalogue says of it', async () => {
  for (const { name, runs, asks, changes, description, input } of await loadTools()) {
    const tokens = toolTokens({ name, description, inputSchema: input });
    expect(findOwnTool(name)).toMatchObject({ runs, asks, changes, tokens });
    expect(TOOL_INPUTS.get(name)).toEqual(input);
  }
  expect(findOwnTool('no_such_tool')).toBeNull();
  expect(findOwnTool('toString')).toBeNull();
});

test('the tools of the agents’ thread are those that it loads', () => {
  const ofThread = TOOL_CATALOG.filter(({ runs }) => runs === 'thread');
  expect(ofThread.map(({ name }) => name)).toEqual(THREAD_TOOLS.map(({ name }) => name));
  expect(threadToolsOf('all', false)).toEqual(ofThread);
});

test('a connected model gets what it can not do itself, in this order, of an agent that may use all', () => {
  expect(threadToolsOf('all', true).map(({ name }) => name)).toEqual([
    'calculate',
    'current_time',
    'date_difference',
    'date_add',
    'date_info',
    'convert_time',
  ]);
});

test('an agent that names its tools gets them in the order in which it names them', () => {
  const names = ['sort_list', 'gone', 'read_file', 'calculate'];
  expect(threadToolsOf(names, true).map(({ name }) => name)).toEqual(['sort_list', 'calculate']);
});

test('the agents that are built in name only tools that there are', () => {
  for (const { tools } of BUILT_IN_AGENTS) {
    if (tools === 'all') continue;
    expect(tools.filter((name) => findOwnTool(name) === null)).toEqual([]);
    expect(new Set(tools).size).toBe(tools.length);
  }
});
