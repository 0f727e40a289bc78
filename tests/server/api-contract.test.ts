import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Connection } from '../../shared/api/connection.ts';
import {
  apiChecks,
  apiDocument,
  operationsOf,
  type CheckedAnswer,
  type Operation,
} from '../support/api-document.ts';
import { madeUpRequests, type KnownIds, type MadeUpRequest } from '../support/api-cases.ts';
import { rounds } from '../support/effort.ts';
import { startSharedService } from '../support/service.ts';

const SEED = 3_1;
const CASES = rounds(20);
/** What works for a while: it makes or reads files, removes text from them, or looks for servers. */
const SLOW: Readonly<Record<string, number>> = {
  createBackup: 4,
  restoreBackup: 12,
  importChats: 12,
  previewImport: 12,
  findModelServers: 2,
  compactContext: 20,
  testConnection: 30,
  createConnection: 30,
  testNewToolServer: 30,
};
/** What takes away what others are about comes last. */
const LAST = [
  'deleteResponse',
  'deleteMessage',
  'deleteChat',
  'eraseDeletedChats',
  'deleteBackup',
  'endOtherSessions',
  'rotateLocalKey',
];
/** Fields of OpenAI's format that are refused as a rule, in which nothing is asked for mostly. */
const SELDOM_TAKEN = [
  'n',
  'logprobs',
  'top_logprobs',
  'logit_bias',
  'modalities',
  'audio',
  'functions',
  'function_call',
].concat(['conversation', 'prompt', 'tool_choice', 'reasoning_effort', 'effort']);
const AT_ONCE = 8;
/** What is refused while another of them is under way. */
const ONE_BY_ONE = new Set(['importChats', 'previewImport', 'createBackup', 'restoreBackup', 'deleteBackup']);
const LONG_REPLY = `Think\n\n\`\`\`rehearsal\n${'::pause 30s\nWell…\n'.repeat(10)}\n\`\`\``;
const api = await startSharedService();
let keys: { admin: string; chat: string; bound: string };
let known: KnownIds;
/** What requests of OpenAI's format are about. */
let knownToOpenAi: KnownIds;
/** A folder to allow. */
let folderPath: string;
const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });

beforeAll(async () => {
  const { workspaces } = (await api.get('/api/v1/workspaces')).json<{ workspaces: { id: string }[] }>();
  const workspaceId = workspaces[0]?.id ?? '';
  const newKey = async (body: object): Promise<string> =>
    (await api.post('/api/v1/keys', { name: 'Made up', ...body })).json<{ apiKey: string }>().apiKey;
  keys = {
    admin: await newKey({ scope: 'admin' }),
    chat: await newKey({ scope: 'chat' }),
    bound: await newKey({ scope: 'chat', workspaceId }),
  };
  const chats = await Promise.all(Array.from({ length: 4 }, () => api.createChat({ workspaceId })));
  for (const chat of chats) await api.send(chat.id, 'What is 12.5% of 1840?');
  for (const chat of chats) await api.settled(chat.id);
  // One in which messages wait for as long as all of this takes.
  const busy = await api.createChat({ workspaceId });
  await api.request({ method: 'PATCH', path: `/api/v1/chats/${busy.id}`, json: { model: 'rehearsal' } });
  await api.send(busy.id, LONG_REPLY);
  for (let count = 0; count < 8; count += 1) await api.send(busy.id, 'And then?');
  chats.push(busy);
  const messages = await Promise.all(chats.map(({ id }) => api.messages(id)));
  const { connection } = (
    await api.post('/api/v1/connections', { provider: 'openai_compatible', baseUrl: NOBODY })
  ).json<{ connection: Connection }>();
  const { server } = (
    await api.post('/api/v1/mcp-servers', { name: 'x', transport: 'stdio', command: NOTHING, enabled: false })
  ).json<{ server: { id: string } }>();
  const { backup } = (await api.post('/api/v1/backups')).json<{ backup: { name: string } }>();
  await api.post('/api/v1/agents', { name: 'Made up', agentType: 'made-up' });
  folderPath = await mkdtemp(join(tmpdir(), 'parley-test-'));
  const { folder } = (await api.post('/api/v1/folders', { path: tmpdir() })).json<{
    folder: { id: string };
  }>();
  const { key: spare } = (await api.post('/api/v1/keys', { name: 'Spare' })).json<{ key: { id: string } }>();
  const { project } = (await api.post('/api/v1/projects', { name: 'Made up', workspaceId })).json<{
    project: { id: string };
  }>();
  const responses = await Promise.all(
    Array.from({ length: 4 }, async () => {
      const asked = { model: 'offline-assistant', input: 'What is 12.5% of 1840?', store: true, workspaceId };
      return (await api.post('/v1/responses', asked)).json<{ id: string }>();
    }),
  );
  const prompts = await Promise.all(
    Array.from({ length: 4 }, async () => {
      const made = await api.post('/api/v1/prompts', { name: 'x', text: '{{x}}', workspaceId });
      return made.json<{ prompt: { id: string } }>().prompt;
    }),
  );
  const schedules = await Promise.all(
    [0, 1].map(async () => {
      const made = await api.post('/api/v1/schedules', { content: 'x', when: 'every day at 8', workspaceId });
      return made.json<{ schedule: { id: string } }>().schedule;
    }),
  );
  const { note } = (await api.post('/api/v1/notes', { text: 'x', workspaceId })).json<{
    note: { id: string };
  }>();
  known = {
    chatId: chats.map(({ id }) => id),
    chatKey: ['new', ...chats.map(({ id }) => id)],
    chat: chats.map(({ id }) => id),
    messageId: messages.flat().map(({ id }) => id),
    workspaceId: [workspaceId],
    'X-Workspace-Id': [workspaceId],
    connectionId: [connection.id],
    serverId: [server.id],
    name: [backup.name],
    agentType: ['made-up', 'orchestrator', 'writer'],
    baseUrl: [NOBODY],
    url: [`${NOBODY}/mcp`],
    command: [NOTHING],
    keyId: ['local', spare.id],
    folderId: [folder.id],
    promptId: prompts.map(({ id }) => id),
    when: ['every weekday at 8', 'tomorrow at 8:30', 'some day'],
    scheduleId: schedules.map(({ id }) => id),
    noteId: [note.id],
    projectId: [project.id],
    path: [folderPath],
    updatedAt: ['2026-11-20T12:45:00.000Z', '2026-11-20T12:45:00.001Z'],
    version: [1],
    wait: ['0', '1'],
  };
  const asked = 'What is 2+2?';
  knownToOpenAi = {
    ...known,
    model: ['offline-assistant', 'agent:writer', 'rehearsal', 'nobody'],
    modelName: ['offline-assistant', 'agent:writer', 'nobody'],
    messages: [
      [{ role: 'user', content: asked }],
      [
        { role: 'system', content: 'x' },
        { role: 'user', content: [{ type: 'text', text: asked }] },
      ],
      [{ role: 'assistant', tool_calls: [{ id: 1 }] }],
      [{ role: 'user', content: { type: 'text' } }, null],
    ],
    input: [asked, '', [], [{ role: 'user', content: asked }], [{ type: 'reasoning' }], [{ type: 'x' }], [7]],
    responseId: responses.map(({ id }) => id),
    previous_response_id: responses.map(({ id }) => id),
    tools: [[], [{ type: 'function', function: { name: 'f' } }], [{ type: 'web_search' }]],
    ...Object.fromEntries(
      SELDOM_TAKEN.map((name) => [name, [null, null, null, null, null, null, null, 'x']]),
    ),
    response_format: [null, { type: 'text' }, { type: 'json_object' }],
    format: [null, { type: 'text' }, { type: 'json_schema' }],
    'X-Parley-Chat': ['new', 'nobody', ...chats.map(({ id }) => id)],
    'Idempotency-Key': ['one', 'two', 'three'],
  };
});

afterAll(async () => {
  agent.destroy();
  await rm(folderPath, { recursive: true, force: true });
});

/** Where nobody answers, so that no made-up request asks a stranger. */
const NOBODY = 'http://127.0.0.1:9';
const NOTHING = '/nowhere/a-program-of-a-test';

/** The request with nothing in it that would reach out of this test. */
function tamed(request: MadeUpRequest): MadeUpRequest {
  if (request.body === null || !/\/(?:connections|mcp-servers)/.test(request.path)) return request;
  let body: unknown;
  try {
    body = JSON.parse(request.body);
  } catch {
    return request;
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return request;
  const own: Record<string, unknown> = { ...body };
  if (typeof own['command'] === 'string' && own['command'].trim() !== '') own['command'] = NOTHING;
  if (typeof own['url'] === 'string' && own['url'].startsWith('http')) own['url'] = `${NOBODY}/mcp`;
  const { baseUrl = null } = own;
  if (baseUrl === null || (typeof baseUrl === 'string' && baseUrl.startsWith('http')))
    own['baseUrl'] = NOBODY;
  return { ...request, body: JSON.stringify(own) };
}

function send({ method, path, headers, body }: MadeUpRequest, key: string | null): Promise<CheckedAnswer> {
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest(
      {
        agent,
        port: api.service.port,
        host: '127.0.0.1',
        method,
        path,
        headers: {
          ...headers,
          ...(key !== null && { authorization: `Bearer ${key}` }),
          ...(body !== null && { 'content-length': Buffer.byteLength(body) }),
        },
      },
      (response) => {
        const { statusCode: status = 0, headers: answered } = response;
        const pieces: Buffer[] = [];
        const done = (): void =>
          resolve({ status, headers: answered, text: Buffer.concat(pieces).toString() });
        // It would go on for ever.
        if (answered['content-type']?.startsWith('text/event-stream') === true) {
          done();
          response.destroy();
          return;
        }
        response.on('data', (piece: Buffer) => pieces.push(piece));
        response.on('end', done);
        response.on('error', reject);
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body ?? undefined);
  });
}

/** Mostly a key that may do it. */
const keyFor = (index: number): string | null =>
  index % 10 === 7 ? keys.chat : index % 10 === 8 ? keys.bound : index % 40 === 9 ? null : keys.admin;

/** Sends made-up requests to those operations, sound and broken ones: all are answered as the document says, and never with a fault. */
async function makeUp(isMeant: (path: string) => boolean, about: KnownIds): Promise<number> {
  const [whole, checks] = await Promise.all([apiDocument(), apiChecks()]);
  const rank = ({ described }: Operation): number => LAST.indexOf(String(described['operationId']));
  const meant = operationsOf(whole).filter(({ path }) => isMeant(path));
  const operations = meant.sort((a, b) => rank(a) - rank(b));
  const problems: string[] = [];
  const succeeded = new Set<unknown>();
  let count = 0;
  for (const [number, operation] of operations.entries()) {
    const name = String(operation.described['operationId']);
    const requests = madeUpRequests(whole, operation, {
      // Few operations, of which each has much to get wrong.
      count: SLOW[name] ?? (isOpenAi(operation.path) ? 2 * CASES : CASES),
      seed: SEED + number,
      known: about,
    });
    const waiting = [...requests.entries()];
    const work = async (): Promise<void> => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        const [index, request] = next;
        const made = tamed(request);
        const answer = await send(made, keyFor(index));
        count += 1;
        if (answer.status < 300) succeeded.add(name);
        try {
          checks.answer(made.method, made.path, answer);
          if (answer.status >= 500) throw new Error(`${answer.status}: ${answer.text}`);
        } catch (error) {
          problems.push(
            `${made.method} ${made.path} ${made.body?.slice(0, 300) ?? ''}\n${String(error).slice(0, 600)}`,
          );
        }
      }
    };
    await Promise.all(Array.from({ length: ONE_BY_ONE.has(name) ? 1 : AT_ONCE }, work));
  }
  expect(problems.slice(0, 5)).toEqual([]);
  // The rest needs a backup's bytes, a tool that asks, a reply that was cut off, a browser that signed in, a model server that answers, or luck; each
  // has tests of its own.
  expect(succeeded.size).toBeGreaterThan(operations.length * 0.75);
  expect(api.log.filter((line) => !line.startsWith('Secrets are kept'))).toEqual([]);
  return count;
}

const isOpenAi = (path: string): boolean => path.startsWith('/v1/');

it('answers thousands of made-up requests as its document says', { timeout: 180_000 }, async () => {
  expect(await makeUp((path) => !isOpenAi(path), known)).toBeGreaterThan(100 * CASES);
});

it('answers hundreds of made-up requests of OpenAI’s format as its document says', async () => {
  expect(await makeUp(isOpenAi, knownToOpenAi)).toBeGreaterThan(14 * CASES);
});
