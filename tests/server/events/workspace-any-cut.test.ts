/** Whatever happens in a workspace and wherever its streams are cut: in the end a client knows what the API says. */
import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Chat } from '../../../shared/api/chat.ts';
import { rounds } from '../../support/effort.ts';
import { createWorkspaceClient, type OpenStream } from '../../support/event-client.ts';
import { eventually } from '../../support/eventually.ts';
import { exportedChat, exportFileOf } from '../../support/exported.ts';
import { createScriptedRuntime } from '../../support/scripted-runtime.ts';
import { startTestService } from '../../support/service.ts';
import { DIRECTED_ENTRY, type ReadyLine } from '../../support/service-process.ts';
import { mortalService } from '../../support/mortal-service.ts';

const mortal = mortalService(DIRECTED_ENTRY);
const portOf = ({ baseUrl }: ReadyLine): number => Number(new URL(baseUrl).port);

const ACTS = [
  'create',
  'send',
  'send',
  'text',
  'reply',
  'fail',
  'stop',
  'rename',
  'pin',
  'archive',
  'read',
  'delete',
  'restore',
  'remove for good',
  'import',
] as const;

const happening = fc.record({
  act: fc.constantFrom(...ACTS),
  which: fc.nat({ max: 30 }),
  /** The connection is cut after so many more bytes; null: it isn't. */
  cutAfter: fc.option(fc.nat({ max: 2_500 }), { freq: 2 }),
  waitMs: fc.constantFrom(0, 0, 0, 5, 60),
});

const inOrder = (chats: Iterable<Chat>): Chat[] =>
  [...chats].sort((a, b) => b.updatedAt.localeCompare(a.updatedAt, 'en') || a.id.localeCompare(b.id, 'en'));

test('the list is as the API says, wherever a stream is cut', async () => {
  const runtime = createScriptedRuntime();
  const { service, ...api } = await startTestService({ runtime });
  const list = async (): Promise<Chat[]> => {
    const chats: Chat[] = [];
    for (let page = 1; ; page += 1) {
      const answer = await api.get(`/api/v1/chats?archived=true&pageSize=100&page=${page}`);
      const { data, total } = answer.json<{ data: Chat[]; total: number }>();
      chats.push(...data);
      if (page * 100 >= total) return chats;
    }
  };
  const followed = (await api.createChat()).id;
  const ids = [followed];
  const client = createWorkspaceClient(service.port, service.apiKey, followed);

  await fc.assert(
    fc.asyncProperty(fc.array(happening, { minLength: 3, maxLength: 14 }), async (happenings) => {
      let stream: OpenStream = await client.open();
      for (const [count, { act, which, cutAfter, waitMs }] of happenings.entries()) {
        const id = ids[which % ids.length] ?? followed;
        const path = `/api/v1/chats/${id}`;
        const patch = (json: object) => api.request({ method: 'PATCH', path, json });
        const turn = runtime.running()[which % Math.max(1, runtime.running().length)];
        // What can't be done as things stand is refused; then nothing happens.
        if (act === 'create') ids.push((await api.createChat()).id);
        if (act === 'send') await api.post(`${path}/messages`, { content: `${count} ääßπ😀` });
        if (act === 'text') turn?.stream(`text ${count} `);
        if (act === 'reply') turn?.reply(`reply ${count}`);
        if (act === 'fail') turn?.fail();
        if (act === 'stop') await api.post(`${path}/stop`);
        if (act === 'rename') await patch({ title: `Title ${count}` });
        if (act === 'pin') await patch({ pinned: count % 2 === 0 });
        if (act === 'archive') await patch({ archived: count % 2 === 0 });
        if (act === 'read') await patch({ unread: false });
        if (act === 'delete' && id !== followed) await api.request({ method: 'DELETE', path });
        if (act === 'restore') await api.post(`${path}/restore`);
        if (act === 'remove for good' && id !== followed) {
          await api.request({ method: 'DELETE', path: `${path}?permanent=true` });
        }
        if (act === 'import') {
          const chats = Array.from({ length: which * 10 }, () => exportedChat([]));
          await api.post('/api/v1/import', exportFileOf(...chats));
        }
        if (cutAfter !== null) {
          const current = stream;
          let left = cutAfter;
          current.response.on('data', (bytes: Buffer) => {
            left -= bytes.length;
            if (left <= 0) current.cut();
          });
          await Promise.race([current.ended, delay(20)]);
          current.cut();
        }
        if (waitMs > 0) await delay(waitMs);
        if (client.isStale && waitMs === 0) await client.relist(list);
        if (cutAfter !== null) stream = await client.open();
      }
      await eventually(async () => {
        if (client.isStale) await client.relist(list);
        expect(inOrder(client.chats.values())).toEqual(inOrder(await list()));
        expect(client.state.messages).toEqual(await api.messages(followed));
        expect(client.state.chat).toEqual(await api.chat(followed));
      });
      stream.cut();
    }),
    { numRuns: rounds(8), endOnFailure: true },
  );
}, 180_000);

test('after the service was killed, a client hears that the list may be any', async () => {
  const first = await mortal.start();
  const before = first.api;
  const { id } = await before.createChat();
  await before.send(id, 'say first');
  await before.settled(id);
  const client = createWorkspaceClient(portOf(first), first.apiKey, id);
  const stream = await client.open();
  await stream.until(() => client.state.messages.length === 2);
  await first.end('SIGKILL');
  await stream.ended;

  const second = await mortal.start();
  const reported = client.reported.length;
  const resumed = await client.open({ port: portOf(second) });
  await resumed.until(() => client.reported.length >= reported + 2);
  expect(client.reported.slice(reported).map(({ event }) => event)).toMatchObject([
    { type: 'relist' },
    { type: 'sync', whole: false, messages: [] },
  ]);
});
