/** Whatever happens in a chat and wherever its streams are cut: in the end a client knows what the API says. */
import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { rounds } from '../../support/effort.ts';
import { createEventClient, type OpenStream } from '../../support/event-client.ts';
import { startTestService } from '../../support/service.ts';
import { createScriptedRuntime } from '../../support/scripted-runtime.ts';
import { DIRECTED_ENTRY, type ReadyLine } from '../../support/service-process.ts';
import { mortalService } from '../../support/mortal-service.ts';
import { streamedWords } from '../../support/directed-runtime.ts';

const mortal = mortalService(DIRECTED_ENTRY);
const portOf = ({ baseUrl }: ReadyLine): number => Number(new URL(baseUrl).port);

const ACTS = [
  'send',
  'text',
  'text',
  'text',
  'step',
  'lose thread',
  'reply',
  'fail',
  'stop',
  'edit',
  'delete',
] as const;

const happening = fc.record({
  act: fc.constantFrom(...ACTS),
  /** The connection is cut after so many more bytes; null: it isn't. */
  cutAfter: fc.option(fc.nat({ max: 1_500 }), { freq: 2 }),
  waitMs: fc.constantFrom(0, 0, 0, 5, 60),
});

test('no message is lost or told twice, wherever a stream is cut', async () => {
  const runtime = createScriptedRuntime();
  const { service, ...api } = await startTestService({ runtime });

  await fc.assert(
    fc.asyncProperty(fc.array(happening, { minLength: 3, maxLength: 12 }), async (happenings) => {
      const { id } = await api.createChat();
      const path = `/api/v1/chats/${id}`;
      const client = createEventClient(service.port, service.apiKey, id);
      let stream: OpenStream = await client.open();
      let count = 0;
      const turn = () => runtime.running().find(({ request }) => request.chatId === id);
      const question = async () =>
        (await api.messages(id)).findLast(({ role }) => role === 'user')?.id ?? 'none';
      await api.send(id, 'begin');

      for (const { act, cutAfter, waitMs } of happenings) {
        count += 1;
        const text = `${act} ${count} ääßπ😀 `;
        if (act === 'send') await api.send(id, text);
        if (act === 'text') turn()?.stream(text.repeat(count));
        if (act === 'step') turn()?.stream('', [{ id: 's', tool: 't', status: 'running', input: count }]);
        if (act === 'lose thread') turn()?.loseThread();
        if (act === 'reply') turn()?.reply(text);
        if (act === 'fail') turn()?.fail();
        if (act === 'stop') await api.post(`${path}/stop`);
        // Refused while a reply is under way; then nothing happens.
        if (act === 'edit') await api.post(`${path}/messages/${await question()}/edit`, { content: text });
        if (act === 'delete')
          await api.request({ method: 'DELETE', path: `${path}/messages/${await question()}` });
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
        if (cutAfter !== null) stream = await client.open();
      }

      runtime.onTurn = (next) => next.reply('the end');
      turn()?.reply('the end');
      await api.settled(id);
      runtime.onTurn = null;
      const messages = await api.messages(id);
      const chat = await api.chat(id);
      await stream.until(
        () =>
          JSON.stringify(client.state.messages.map(({ id: known, status }) => [known, status])) ===
          JSON.stringify(messages.map(({ id: known, status }) => [known, status])),
      );
      await stream.until(() => client.state.chat?.status === chat.status);
      expect(client.state.messages).toEqual(messages);
      expect(client.state.chat).toEqual(chat);
      stream.cut();
    }),
    { numRuns: rounds(12), endOnFailure: true },
  );
}, 120_000);

test('a service that is killed in the midst of a reply: the client goes on where it was', async () => {
  const first = await mortal.start();
  const before = first.api;
  const { id } = await before.createChat();
  await before.send(id, 'say first');
  await before.settled(id);
  const client = createEventClient(portOf(first), first.apiKey, id);
  const stream = await client.open();
  await before.send(id, 'stream 200 words at 200/s');
  await stream.until(() => (client.state.messages[3]?.content.length ?? 0) > 300);
  await first.end('SIGKILL');
  await stream.ended;

  const second = await mortal.start();
  const reported = client.reported.length;
  const resumed = await client.open({ port: portOf(second) });
  await resumed.until(() => client.reported.length > reported);
  expect(client.reported[reported]?.event).toMatchObject({ type: 'sync', whole: false });
  await resumed.until(() => client.state.chat?.status === 'idle');
  expect(client.state.messages).toEqual(await second.api.messages(id));
  expect(client.state.messages[3]?.content).toBe(streamedWords(200));
  expect(client.state.messages).toHaveLength(4);
});
