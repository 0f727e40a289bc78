import { expect, test } from 'vitest';
import { readMcpSnippet } from '../../../../renderer/settings/tools/mcp-snippet.ts';

const FILES = { command: 'npx', args: ['-y', 'files', '/home/me'], env: { API_KEY: 'k', PORT: 80 } };
const files = {
  name: 'files',
  transport: 'stdio',
  command: 'npx',
  args: ['-y', 'files', '/home/me'],
  url: '',
  secrets: [
    { name: 'API_KEY', value: 'k' },
    { name: 'PORT', value: '80' },
  ],
};
const far = {
  name: 'far',
  transport: 'http',
  command: '',
  args: [],
  url: 'https://far.example/mcp',
  secrets: [{ name: 'Authorization', value: 'Bearer x' }],
};
const FAR = { type: 'http', url: far.url, headers: { Authorization: 'Bearer x' } };

test.each([
  ['the whole', { mcpServers: { files: FILES, far: FAR } }, [files, far]],
  ['the way another editor says it', { servers: { far: FAR } }, [far]],
  ['its inner part', { files: FILES }, [files]],
  ['one server alone', FILES, [{ ...files, name: '' }]],
  ['one server with its name', { name: 'far', ...FAR }, [far]],
  ['the settings of VS Code', { mcp: { inputs: [], servers: { far: FAR } } }, [far]],
  ['a list', { mcpServers: [{ name: 'far', ...FAR }] }, [far]],
  [
    'a program as a list',
    { mcp: { files: { type: 'local', command: ['npx', ...FILES.args], environment: FILES.env } } },
    [files],
  ],
  [
    'a program as an object',
    { context_servers: { files: { command: { path: 'npx', args: FILES.args, env: FILES.env } } } },
    [files],
  ],
  ['nothing of the kind', { mcpServers: { files: { cmd: 'x' } } }, []],
  ['no servers at all', { mcpServers: {} }, []],
])('%s is read', (_what, json, servers) => {
  expect(readMcpSnippet(JSON.stringify(json))).toEqual(servers);
});

test('a line out of a larger file is read, with its comma', () => {
  expect(readMcpSnippet(`"files": ${JSON.stringify(FILES)},`)).toEqual([files]);
});

test.each([
  '',
  'files',
  'hello there',
  '[1]',
  'npm install\nnpm start',
  'null',
  '{ "a": ',
  '{"mcpServers":{"a":null,"b":[],"c":7}}',
])('%j holds no server', (text) => {
  expect(readMcpSnippet(text)).toEqual([]);
});

test('comments, commas too many and what another app would ask for do no harm', () => {
  const text = `{
    // of the server
    "servers": { "far": { "url": "https://far.example/mcp", /* always */ "headers": { "Authorization": "\${input:key}", }, }, },
  }`;
  expect(readMcpSnippet(text)).toEqual([{ ...far, secrets: [{ name: 'Authorization', value: '' }] }]);
});

const line = { ...files, name: '', secrets: [] };
test.each([
  ['a line for the terminal', 'npx -y files /home/me', [line]],
  ['its prompt', '$ npx -y files "/home/me"', [line]],
  ['variables before it', 'API_KEY=k PORT=80 npx -y files /home/me', [{ ...files, name: '' }]],
  ['several lines', 'npx -y \\\n  files \\\n  /home/me', [line]],
  ['a program with its path', '/opt/files', [{ ...line, command: '/opt/files', args: [] }]],
  ['an address', ' https://far.example/mcp\n', [{ ...far, name: '', secrets: [] }]],
  [
    'what adds it to another app',
    'claude mcp add files -e API_KEY=k --env PORT=80 -- npx -y files /home/me',
    [files],
  ],
  [
    'an address that is added to it',
    'claude mcp add --transport http far https://far.example/mcp --header "Authorization: Bearer x"',
    [far],
  ],
  ['what adds it to an editor', `code --add-mcp '${JSON.stringify({ name: 'far', ...FAR })}'`, [far]],
])('%s is read', (_what, text, servers) => {
  expect(readMcpSnippet(text)).toEqual(servers);
});
