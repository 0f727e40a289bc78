/** Schemas that other programs read: strict readers, such as Gemini's API, take no field without a type and no keyword of our own. */
import { expect, it } from 'vitest';
import { isObject } from '../../server/lib/fields.ts';
import { findAgent } from '../../server/agents/definitions.ts';
import { apiDocument } from '../support/api-document.ts';
import { connectClient, httpTransport } from '../support/mcp-clients.ts';
import { startModelServer } from '../support/model-servers/model-server.ts';
import { accessTo, runModelTurn } from '../support/model-servers/model-turn.ts';
import { startSharedService } from '../support/service.ts';

const api = await startSharedService();

/** Keywords that hold schemas, one or by name. */
const NAMED = new Set(['properties', 'patternProperties', '$defs', 'schemas']);

/** Where a schema in this has no type beside its values, or a keyword of Parley's own. */
function faultsIn(value: unknown, path = '', isNames = false): string[] {
  if (Array.isArray(value)) return value.flatMap((each, at) => faultsIn(each, `${path}/${at}`));
  if (!isObject(value)) return [];
  const lacksType = !isNames && (Array.isArray(value['enum']) || 'const' in value) && !('type' in value);
  const isOurs = !isNames && 'expected' in value;
  return [
    ...(lacksType ? [`${path}: no type`] : []),
    ...(isOurs ? [`${path}: expected`] : []),
    ...Object.entries(value).flatMap(([key, each]) =>
      key === 'example' || key === 'examples' ? [] : faultsIn(each, `${path}/${key}`, NAMED.has(key)),
    ),
  ];
}

it('the API document', async () => {
  expect(faultsIn(await apiDocument())).toEqual([]);
});

it('what is listed of the tools that agents have', async () => {
  const listed = (await api.get('/api/v1/tools')).json();
  expect(JSON.stringify(listed)).toContain('"enum"');
  expect(faultsIn(listed)).toEqual([]);
});

it('the tools of the MCP endpoint', async () => {
  const client = await connectClient(httpTransport(api.service.url, api.service.apiKey), 'modern');
  const { tools } = await client.listTools();
  await client.close();
  expect(tools.length).toBeGreaterThan(3);
  expect(faultsIn(tools)).toEqual([]);
});

it('what a model gets of the tools', async () => {
  const server = await startModelServer('google', { scenario: 'plain' });
  await runModelTurn('Hi', accessTo(server, 'google'), { agent: findAgent('orchestrator') });
  const body = server.asked()[0]?.body;
  await server.close();
  expect(JSON.stringify(body)).toContain('"enum"');
  expect(faultsIn(body)).toEqual([]);
});
