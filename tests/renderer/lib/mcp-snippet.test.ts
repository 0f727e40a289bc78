import { expect, test } from 'vitest';
import { readMcpSnippet } from '../../../renderer/lib/mcp-snippet.ts';

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
  ['nothing of the kind', { mcpServers: { files: { cmd: 'x' } } }, []],
  ['no servers at all', { mcpServers: {} }, []],
])('%s is read', (_what, json, servers) => {
  expect(readMcpSnippet(JSON.stringify(json))).toEqual(servers);
});

test('a line out of a larger file is read, with its comma', () => {
  expect(readMcpSnippet(`"files": ${JSON.stringify(FILES)},`)).toEqual([files]);
});

test.each(['', 'npx -y files', '[1]', 'null', '{ "a": ', '{"mcpServers":{"a":null,"b":[],"c":7}}'])(
  '%j holds no server',
  (text) => {
    expect(readMcpSnippet(text)).toEqual([]);
  },
);
