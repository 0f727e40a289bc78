import { describe, expect, it } from 'vitest';
import type { Draft } from '../../shared/api/draft.ts';
import { MAX_CONTENT_CHARACTERS } from '../../shared/limits.ts';
import {
  createTempDir,
  keyElsewhere,
  startSharedService,
  startTestService,
  type TestAnswer,
} from '../support/service.ts';

type Shared = Awaited<ReturnType<typeof startSharedService>>;

const api = await startSharedService();

const T1 = '2026-11-20T12:00:00.001Z';
const T2 = '2026-11-20T12:00:00.002Z';
const T3 = '2026-11-20T12:00:00.003Z';

const put = (chatKey: string, json: unknown, client: Pick<Shared, 'request'> = api): Promise<TestAnswer> =>
  client.request({ method: 'PUT', path: `/api/v1/drafts/${chatKey}`, json });
const save = async (chatKey: string, text: string, updatedAt: string): Promise<Draft> => {
  const answer = await put(chatKey, { text, updatedAt });
  expect(answer.status, answer.text).toBe(200);
  return answer.json<{ draft: Draft }>().draft;
};
const drafts = async (client: Pick<Shared, 'get'> = api): Promise<Draft[]> =>
  (await client.get('/api/v1/drafts')).json<{ drafts: Draft[] }>().drafts;
const textOf = async (chatKey: string): Promise<string | undefined> =>
  (await drafts()).find((draft) => draft.chatKey === chatKey)?.text;

describe('drafts', () => {
  it('are kept by key, over restarts, for the workspace alone', async () => {
    const dataDir = await createTempDir();
    const first = await startTestService({ dataDir });
    const chat = await first.createChat();
    const one = { text: 'half a thought', updatedAt: T1 };
    const other = { text: 'another', updatedAt: T2 };
    expect((await put(chat.id, one, first)).json()).toEqual({ draft: { chatKey: chat.id, ...one } });
    await put('new', other, first);
    await first.service.close();
    const second = await startTestService({ dataDir });
    expect(await drafts(second)).toEqual([
      { chatKey: 'new', ...other },
      { chatKey: chat.id, ...one },
    ]);
    const key = await keyElsewhere(second);
    expect((await second.get('/api/v1/drafts', { key })).json()).toEqual({ drafts: [] });
  });

  it('give way to newer ones only', async () => {
    await save('order', 'second', T2);
    expect(await save('order', 'first, but late', T1)).toMatchObject({ text: 'second', updatedAt: T2 });
    expect(await textOf('order')).toBe('second');
    expect(await save('order', 'of the same moment', T2)).toMatchObject({ text: 'of the same moment' });
    expect(await save('order', 'third', T3)).toMatchObject({ text: 'third', updatedAt: T3 });
    expect(await textOf('order')).toBe('third');
  });

  it('are forgotten when emptied, and an older write does not bring them back', async () => {
    await save('sent', 'to be sent', T1);
    expect(await save('sent', '', T3)).toEqual({ chatKey: 'sent', text: '', updatedAt: T3 });
    expect(await textOf('sent')).toBeUndefined();
    expect(await save('sent', 'to be sent, held up', T2)).toMatchObject({ text: '', updatedAt: T3 });
    expect(await textOf('sent')).toBeUndefined();
  });

  it('of a clock that is far ahead count as of now, so that later ones still get through', async () => {
    const draft = await save('ahead', 'from the future', '2999-01-01T00:00:00.000Z');
    expect(Math.abs(Date.parse(draft.updatedAt) - Date.now())).toBeLessThan(60_000);
    await save('ahead', 'from now', new Date().toISOString());
    expect(await textOf('ahead')).toBe('from now');
  });

  it.each([
    'a\u0000b',
    '\ud83d alone',
    '  \n ',
    '"quotes" \\ and 👩‍👩‍👧',
    'x'.repeat(MAX_CONTENT_CHARACTERS * 2),
  ])('come back exactly as they were written: %#', async (text) => {
    await save('exact', text, new Date().toISOString());
    expect(await textOf('exact')).toBe(text);
  });

  it.each([
    ['a', 200],
    ['A_b-9'.repeat(20), 200],
    ['x'.repeat(101), 400],
    ['a%20b', 400],
    ['a.b', 400],
    ['%2e%2e', 400],
    ['%00', 400],
    ['é', 400],
  ])('with the key %s get %i', async (chatKey, status) => {
    expect((await put(encodeURI(decodeURI(chatKey)), { text: 'x', updatedAt: T1 })).status).toBe(status);
  });

  it.each([
    ['no body', undefined],
    ['no text', { updatedAt: T1 }],
    ['no time', { text: 'x' }],
    ['a text that is none', { text: 7, updatedAt: T1 }],
    ['a text that is too long', { text: 'x'.repeat(MAX_CONTENT_CHARACTERS * 2 + 1), updatedAt: T1 }],
    ['a time without milliseconds', { text: 'x', updatedAt: '2026-11-20T12:00:00Z' }],
    ['a day that is none', { text: 'x', updatedAt: '2026-02-30T12:00:00.000Z' }],
    ['a month that is none', { text: 'x', updatedAt: '2026-45-01T12:00:00.000Z' }],
  ])('are refused with %s', async (_name, body) => {
    const answer = await put('refused', body);
    expect([answer.status, answer.error().code]).toEqual([400, 'invalid_request']);
    expect(await textOf('refused')).toBeUndefined();
  });

  it('need a workspace', async () => {
    const { text } = await api.service.keys.create({
      kind: 'person',
      name: 'unbound',
      scope: 'chat',
      workspaceId: null,
      expiresAt: null,
    });
    expect((await api.get('/api/v1/drafts', { key: text })).error().code).toBe('workspace_required');
    const headers = { 'x-workspace-id': api.service.workspaceId };
    expect((await api.get('/api/v1/drafts', { key: text, headers })).status).toBe(200);
    expect((await api.get('/api/v1/drafts', { key: null })).status).toBe(401);
  });
});
