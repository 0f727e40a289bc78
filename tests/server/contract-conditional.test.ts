import { describe, expect, it } from 'vitest';
import type { Message } from '../../shared/api/message.ts';
import { rounds } from '../support/effort.ts';
import { createScriptedRuntime } from '../support/scripted-runtime.ts';
import { startSharedService, type TestAnswer } from '../support/service.ts';

const runtime = createScriptedRuntime();
const api = await startSharedService({ runtime });

const get = (path: string, etag?: string): Promise<TestAnswer> =>
  api.get(path, { headers: etag === undefined ? {} : { 'if-none-match': etag } });

describe('what a client has already', () => {
  it.each(['chat', 'messages', 'list'])('is a 304 without a body: the %s', async (what) => {
    const { id } = await api.createChat();
    const path =
      what === 'list' ? '/api/v1/chats' : `/api/v1/chats/${id}${what === 'chat' ? '' : '/messages'}`;
    const first = await get(path);
    const etag = String(first.headers.etag);
    expect(etag).toMatch(/^"[\w.-]+"$/);
    for (const known of [etag, `W/${etag}`, `"other" , W/${etag}`, '*']) {
      const again = await get(path, known);
      expect([known, again.status, again.text]).toEqual([known, 304, '']);
      expect(again.headers).toMatchObject({ etag });
      expect(again.headers).not.toHaveProperty('content-type');
    }
    for (const other of ['"other"', '', 'nonsense', ',,']) {
      expect([other, (await get(path, other)).text]).toEqual([other, first.text]);
    }
    const head = await api.request({ method: 'HEAD', path, headers: { 'if-none-match': etag } });
    expect([head.status, head.headers.etag, head.headers['content-length']]).toEqual([304, etag, undefined]);
  });

  it('is told anew once it has changed, and errors have no tag', async () => {
    const { id } = await api.createChat();
    const etag = String((await get(`/api/v1/chats/${id}`)).headers.etag);
    await api.request({ method: 'PATCH', path: `/api/v1/chats/${id}`, json: { pinned: true } });
    expect((await get(`/api/v1/chats/${id}`, etag)).status).toBe(200);
    for (const path of ['/api/v1/chats/nobody', '/api/v1/chats/nobody/messages', '/api/v1/chats?page=0']) {
      const answer = await get(path, '*');
      expect([path, answer.status >= 400, answer.headers.etag]).toEqual([path, true, undefined]);
    }
  });

  it('is not the same for another workspace’s key', async () => {
    const { id } = await api.createChat();
    const other = await api.post('/api/v1/workspaces', { name: 'Other' });
    const { id: workspaceId } = other.json<{ workspace: { id: string } }>().workspace;
    const key = (await api.post('/api/v1/keys', { name: 'bound', workspaceId })).json<{ apiKey: string }>();
    const answer = await api.get(`/api/v1/chats/${id}/messages`, {
      key: key.apiKey,
      headers: { 'if-none-match': '*' },
    });
    expect(answer.status).toBe(404);
  });
});

/** Numbers from 0 to below `end`, the same for each seed. */
function createDice(seed: number): (end: number) => number {
  let state = seed;
  return (end) => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return Math.floor((state / 4_294_967_296) * end);
  };
}

describe('whatever happens', () => {
  it.each([1, 2, 3].slice(0, rounds(1)))(
    'a tag stands for one body, and a 304 for the present one (seed %i)',
    async (seed) => {
      const roll = createDice(seed);
      const ids: string[] = [];
      for (let index = 0; index < 3; index += 1) ids.push((await api.createChat()).id);
      const bodies = new Map<string, string>();
      const known = new Map<string, string[]>();
      let unchanged = 0;

      const patch = (id: string, json: object): Promise<unknown> =>
        api.request({ method: 'PATCH', path: `/api/v1/chats/${id}`, json });
      const messageOf = async (id: string): Promise<Message | undefined> => {
        const answer = await get(`/api/v1/chats/${id}/messages`);
        const messages = answer.status === 200 ? answer.json<{ messages: Message[] }>().messages : [];
        return messages[roll(messages.length)];
      };
      const onMessage = async (id: string, verb: string, method = 'POST', json?: object): Promise<void> => {
        const message = await messageOf(id);
        const path = `/api/v1/chats/${id}/messages/${(message?.versions ?? [message?.id]).at(-1) ?? 'x'}${verb}`;
        await api.request({ method, path, ...(json && { json }) });
      };
      let deleted = '';
      const changes: ((id: string) => unknown)[] = [
        (id) => patch(id, { title: `Title ${roll(3)}` }),
        (id) => patch(id, { pinned: roll(2) === 0 }),
        (id) => patch(id, { archived: roll(2) === 0 }),
        (id) => patch(id, { unread: roll(2) === 0 }),
        (id) => patch(id, { agentType: `agent-${roll(2)}` }),
        (id) => api.post(`/api/v1/chats/${id}/messages`, { content: `Say ${roll(9)}` }),
        (id) => api.post(`/api/v1/chats/${id}/messages`, { content: `Say ${roll(9)}` }),
        (id) => api.post(`/api/v1/chats/${id}/stop`),
        (id) => api.post(`/api/v1/chats/${id}/retry`),
        (id) => onMessage(id, '/edit', 'POST', { content: `Rather ${roll(9)}` }),
        (id) => onMessage(id, '/show'),
        async (id) => {
          const message = await messageOf(id);
          deleted = message?.id ?? '';
          await api.request({ method: 'DELETE', path: `/api/v1/chats/${id}/messages/${deleted}` });
        },
        (id) => api.post(`/api/v1/chats/${id}/messages/${deleted}/restore`),
        (id) => api.request({ method: 'DELETE', path: `/api/v1/chats/${id}` }),
        (id) => api.post(`/api/v1/chats/${id}/restore`),
        (id) => api.post(`/api/v1/chats/${id}/restore`),
        () => api.get('/api/v1/search?q=title'),
        ...['stream', 'stream', 'reply', 'reply', 'fail'].map((cue) => () => {
          const running = runtime.running();
          const turn = running[roll(running.length)];
          if (cue === 'stream') turn?.stream(`word ${roll(9)} `);
          else if (cue === 'reply') turn?.reply();
          else turn?.fail();
        }),
      ];

      for (let step = 0; step < 150; step += 1) {
        const id = ids[roll(ids.length)] ?? '';
        await changes[roll(changes.length)]?.(id);
        const first = (await messageOf(id))?.id ?? 'x';
        const paths = [
          `/api/v1/chats/${id}`,
          `/api/v1/chats/${id}/messages`,
          `/api/v1/chats/${id}/messages?after=${first}&limit=2`,
          '/api/v1/chats?pageSize=5',
          '/api/v1/chats?deleted=true',
        ];
        for (const path of paths) {
          const tags = known.get(path) ?? [];
          known.set(path, tags);
          const etag = tags[tags.length - 1 - roll(Math.min(tags.length, 3))];
          const answer = await get(path, etag);
          const tag = `${path} ${answer.headers.etag ?? ''}`;
          if (answer.status === 304) {
            expect(answer.headers.etag).toBe(etag);
            unchanged += 1;
            const now = await get(path);
            // Something may have changed between the two; then the tag has, too.
            if (now.headers.etag === etag) expect(now.text).toBe(bodies.get(tag));
          } else if (answer.status === 200) {
            expect(answer.text).toBe(bodies.get(tag) ?? answer.text);
            bodies.set(tag, answer.text);
            tags.push(String(answer.headers.etag));
          }
        }
      }
      for (const turn of runtime.running()) turn.reply();
      expect(unchanged).toBeGreaterThan(20);
    },
  );

  it('has another tag for each part of a reply that can be read', async () => {
    const { id } = await api.createChat();
    await api.send(id, 'hello');
    const turn = await runtime.turnOf(id);
    const bodies = new Map<string, string>();
    for (let part = 1; part <= 3; part += 1) {
      turn.stream(`part ${part} `);
      for (let text = ''; !text.includes(`part ${part}`);) {
        const answer = await get(`/api/v1/chats/${id}/messages`);
        ({ text } = answer);
        const tag = String(answer.headers.etag);
        expect(text).toBe(bodies.get(tag) ?? text);
        bodies.set(tag, text);
      }
    }
    turn.reply();
    expect(bodies.size).toBeGreaterThanOrEqual(3);
  });
});
