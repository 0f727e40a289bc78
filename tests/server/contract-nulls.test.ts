/** A field that is null counts as absent, as clients in typed languages need it. */
import { beforeAll, expect, it } from 'vitest';
import type { Chat } from '../../shared/api/chat.ts';
import type { ApiDocument } from '../../server/routes/openapi/document.ts';
import { apiDocument, operationsOf, resolved, type Part } from '../support/api-document.ts';
import { startSharedService } from '../support/service.ts';

const api = await startSharedService();
let whole: ApiDocument;

beforeAll(async () => {
  whole = await apiDocument();
});

/** An operation's fields that may be absent, by what else they take. */
function optionalFields(described: Part): { nulls: Record<string, null>; isDocumented: boolean } {
  const { content = {} } = (described['requestBody'] ?? {}) as { content?: Record<string, { schema: Part }> };
  const schema = content['application/json']?.schema;
  const { properties = {}, required = [] } = (schema === undefined ? {} : resolved(whole, schema)) as {
    properties?: Record<string, Part>;
    required?: string[];
  };
  const optional = Object.entries(properties).filter(([name]) => !required.includes(name));
  return {
    nulls: Object.fromEntries(optional.map(([name]) => [name, null])),
    isDocumented: optional.every(([, field]) => !('type' in field) || field['type'] === 'null'),
  };
}

it('takes null for every field of every body that may be absent, as if it were, and its document says so', async () => {
  const operations = operationsOf(whole).filter(({ path }) => path.startsWith('/api/v1/'));
  let count = 0;
  for (const { method, path, described } of operations) {
    const { nulls, isDocumented } = optionalFields(described);
    if (Object.keys(nulls).length === 0) continue;
    count += 1;
    const target = path.replaceAll(/\{\w+\}/g, 'nobody');
    const bare = await api.request({ method, path: target, json: {} });
    const typed = await api.request({ method, path: target, json: nulls });
    const outcomeOf = ({ status, text }: typeof bare): unknown[] => [
      `${method} ${path}`,
      status,
      status < 400 ? null : (JSON.parse(text) as { error: object }).error,
    ];
    const noId = (outcome: unknown[]): string => JSON.stringify(outcome).replace(/"requestId":"[^"]*"/, '');
    expect(noId(outcomeOf(typed))).toBe(noId(outcomeOf(bare)));
    expect(isDocumented, `${method} ${path}`).toBe(true);
  }
  expect(count).toBeGreaterThan(20);
});

it('takes nulls everywhere in a conversation', async () => {
  const nulls = {
    agentType: null,
    title: null,
    model: null,
    projectId: null,
    workspaceId: null,
    archived: null,
  };
  const chat = await api.createChat(nulls);
  expect(chat).toMatchObject({ title: 'New chat', agentType: 'orchestrator' });
  await api.send(chat.id, 'What is 2 + 2?', {
    mode: null,
    workspaceId: null,
    attachments: null,
    onApproval: null,
    parameters: { temperature: null, instructions: null, stopSequences: null },
  });
  await api.settled(chat.id);
  expect((await api.messages(chat.id)).at(-1)?.content).toContain('4');
  const changed = await api.request({
    method: 'PATCH',
    path: `/api/v1/chats/${chat.id}`,
    json: { title: null, pinned: true, archived: null, model: null, workspaceId: null },
  });
  expect(changed.json<{ chat: Chat }>().chat).toMatchObject({ pinned: true });
});

it('still says what is missing, and what an entry of a list must be', async () => {
  const chat = await api.createChat();
  const sent = await api.post(`/api/v1/chats/${chat.id}/messages`, { content: null });
  expect(sent.error().message).toContain('"content" is missing');
  const listed = await api.post(`/api/v1/chats/${chat.id}/messages`, { content: 'x', attachments: [null] });
  expect(listed.status).toBe(400);
});

it('removes nulls only where null means nothing', async () => {
  const { project } = (await api.post('/api/v1/projects', { name: 'x' })).json<{ project: { id: string } }>();
  const chat = await api.createChat({ projectId: project.id });
  const path = `/api/v1/chats/${chat.id}`;
  const moved = await api.request({ method: 'PATCH', path, json: { projectId: null } });
  expect(moved.json<{ chat: Chat }>().chat.projectId ?? null).toBeNull();
});
