import { expect, test } from 'vitest';
import { McpDraft } from '../../../../renderer/settings/tools/mcp-draft.svelte.ts';
import type { McpServer, McpTest } from '../../../../shared/api/mcp.ts';

const aServer = (changes: Partial<McpServer> = {}): McpServer => ({
  id: 'server',
  name: 'Lamp',
  slug: 'lamp',
  transport: 'stdio',
  command: 'lamp',
  args: ['--on', 'My room'],
  url: null,
  secretNames: ['LAMP_KEY'],
  secrets: 'present',
  signIn: 'none',
  enabled: true,
  agents: ['orchestrator'],
  tools: [],
  toolsListedAt: null,
  state: 'idle',
  problem: null,
  createdAt: '2026-11-20T12:00:00.000Z',
  ...changes,
});
const anAddress = (changes: Partial<McpServer> = {}): McpServer =>
  aServer({
    transport: 'http',
    command: null,
    args: [],
    url: 'http://lamp.example/mcp',
    secretNames: ['X-Key'],
    ...changes,
  });
const aTest: McpTest = { finding: 'ok', message: 'It answers.', tookMs: 1, tools: [] };
const aNew = (fields: Partial<McpDraft>): McpDraft => Object.assign(new McpDraft(null), fields);
const withRow = (draft: McpDraft, name: string, value: string): McpDraft => {
  draft.secrets.add();
  Object.assign(draft.secrets.rows.at(-1) ?? {}, { name, value });
  return draft;
};

test('a program is added with its arguments, variables and the default agent', () => {
  const draft = withRow(aNew({ commandLine: 'npx -y "@example/my server"' }), ' API_KEY ', 'k');
  draft.secrets.add();
  expect(draft.fault).toBeNull();
  expect(draft.creation).toEqual({
    name: 'my server',
    transport: 'stdio',
    command: 'npx',
    args: ['-y', '@example/my server'],
    env: { API_KEY: 'k' },
    agents: ['orchestrator'],
  });
});

test('an address is added with its headers', () => {
  const draft = withRow(
    aNew({ transport: 'http', url: ' http://lamp.example/mcp ', name: 'Lamp' }),
    'X-Key',
    'k',
  );
  expect(draft.creation).toEqual({
    name: 'Lamp',
    transport: 'http',
    url: 'http://lamp.example/mcp',
    headers: { 'X-Key': 'k' },
    agents: ['orchestrator'],
  });
});

test.each<[string, Partial<McpDraft>, McpDraft['fault']]>([
  ['no program', {}, 'no_command'],
  ['an open quotation mark', { commandLine: 'lamp "on' }, 'quote'],
  ['no address', { transport: 'http' }, 'no_url'],
  ['an address of another kind', { transport: 'http', url: 'ftp://lamp/' }, 'url'],
  ['an address with a password', { transport: 'http', url: 'http://a:b@lamp/' }, 'url'],
  ['a good one', { transport: 'http', url: 'http://lamp/mcp?x=1' }, null],
])('the fault of %s is told', (_what, fields, fault) => {
  expect(aNew(fields).fault).toBe(fault);
});

test('names that can’t be used, or are there twice, are faults', () => {
  expect(withRow(aNew({ commandLine: 'lamp' }), 'A=B', 'c').fault).toBe('secret_name');
  expect(withRow(aNew({ commandLine: 'lamp' }), '', 'c').fault).toBe('secret_name');
  const draft = withRow(
    withRow(aNew({ transport: 'http', url: 'http://lamp/' }), 'X-Key', 'a'),
    'x-key',
    'b',
  );
  expect(draft.fault).toBe('secret_twice');
});

test.each([
  ['lamp', 'lamp'],
  ['C:\\Tools\\lamp.exe --on', 'lamp'],
  ['npx -y @example/server-files@1.2.3 /home', 'server-files'],
  ['uvx mcp-server-time', 'mcp-server-time'],
  ['node /opt/lamp/index.js', 'index.js'],
  ['npx', 'npx'],
])('%j is called %j unless it gets a name', (commandLine, name) => {
  expect(aNew({ commandLine }).usualName).toBe(name);
});

test('nothing is changed of one that was only looked at', () => {
  for (const server of [aServer(), anAddress(), aServer({ agents: 'all' })]) {
    const draft = new McpDraft(server);
    expect([draft.changes, draft.isTouched, draft.fault]).toEqual([{}, false, null]);
  }
});

test('only what is other than before is sent, and values that are kept are not', () => {
  const draft = withRow(new McpDraft(aServer()), 'ROOM', 'attic');
  draft.commandLine = 'lamp --off';
  draft.agents = 'all';
  expect(draft.changes).toEqual({
    agents: 'all',
    command: 'lamp',
    args: ['--off'],
    env: { ROOM: 'attic' },
  });
  const kept = draft.secrets.rows[0];
  draft.secrets.remove(kept?.id ?? 0);
  expect(draft.changes.env).toEqual({ LAMP_KEY: null, ROOM: 'attic' });
  expect(draft.reaching).not.toHaveProperty('agents');
});

test('a header that is written anew takes the place of the one that is kept, in whichever case', () => {
  const draft = new McpDraft(anAddress());
  draft.secrets.remove(draft.secrets.rows[0]?.id ?? 0);
  expect(withRow(draft, 'x-key', 'new').changes).toEqual({ headers: { 'x-key': 'new' } });
});

test('values that are kept don’t go to another server', () => {
  const draft = new McpDraft(anAddress());
  draft.url = 'http://lamp.example/other';
  expect(draft.fault).toBeNull();
  draft.url = 'http://other.example/mcp';
  expect(draft.fault).toBe('secrets_elsewhere');
  Object.assign(draft.secrets.rows[0] ?? {}, { value: 'new' });
  expect(draft.fault).toBeNull();
  expect(draft.changes).toEqual({ url: 'http://other.example/mcp', headers: { 'X-Key': 'new' } });
});

test('what a test found is stale once what it was about has changed', async () => {
  const draft = aNew({ commandLine: 'lamp' });
  await draft.test(async () => aTest);
  expect([draft.result, draft.isStale]).toEqual([aTest, false]);
  draft.name = 'Lamp';
  expect(draft.result).toBe(aTest);
  withRow(draft, 'KEY', 'x');
  expect([draft.result, draft.isStale]).toEqual([null, true]);
});

test('a snippet fills everything in', () => {
  const draft = withRow(aNew({ transport: 'http', url: 'http://lamp/' }), 'X-Key', 'a');
  const secrets = [{ name: 'LAMP_KEY', value: 'k' }];
  draft.fill({ name: 'lamp', transport: 'stdio', command: 'npx', args: ['a b'], url: '', secrets });
  expect(draft.creation).toEqual({
    name: 'lamp',
    transport: 'stdio',
    command: 'npx',
    args: ['a b'],
    env: { LAMP_KEY: 'k' },
    agents: ['orchestrator'],
  });
});
