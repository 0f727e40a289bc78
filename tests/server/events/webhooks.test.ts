import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createWebhooks, type Delivery } from '../../../server/events/webhooks.ts';
import { createKey, revokeKey } from '../../../server/store/key-repository.ts';
import type { Store } from '../../../server/store/types.ts';
import { countWebhookEvents } from '../../../server/store/webhook-repository.ts';
import { eventually } from '../../support/eventually.ts';
import { startProcessing, WORKSPACE } from '../../support/processing.ts';
import { echo } from '../../support/scripted-runtime.ts';

const KEY = 'key-1';

/** A program that is told, and answers each with the next status; the last one from then on, and never to `null`. */
async function listen(...statuses: (number | null)[]) {
  const reported: { ids: string[]; onReported: () => void } = { ids: [], onReported: () => undefined };
  const server = createServer((request, response) => {
    reported.ids.push(String(request.headers['webhook-id']));
    reported.onReported();
    request.resume();
    const status = statuses.length > 1 ? statuses.shift() : statuses[0];
    if (status !== null) response.writeHead(status ?? 204, { location: 'http://127.0.0.1:9/' }).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { reported, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` };
}

/** Webhooks over a store, and a key whose webhook is such a program. */
async function start(...statuses: (number | null)[]) {
  const { reported, url } = await listen(...statuses);
  const refusal = { isOn: false };
  const processing = await startProcessing({
    onTurn: echo,
    wrap: (store) => {
      const write: Store['write'] = (work) =>
        refusal.isOn ? Promise.reject(new Error('The disk is full.')) : store.write(work);
      return Object.create(store, { write: { value: write } }) as Store;
    },
  });
  onTestFinished(() => processing.remove());
  const addKey = (id: string, to: string): Promise<void> =>
    processing.life.store.write((writer) =>
      createKey(writer, {
        id,
        kind: 'person',
        name: 'nightly',
        prefix: 'parley_x',
        digest: id,
        scope: 'chat',
        reach: false,
        approve: false,
        workspaceId: WORKSPACE,
        createdAt: '2026-11-20T09:30:00.000Z',
        lastUsedAt: null,
        expiresAt: null,
        revokedAt: null,
        webhook: { url: to },
      }),
    );
  await addKey(KEY, url);
  const deliveries: Delivery[] = [];
  const errors: unknown[] = [];
  const open = (retryMs: number[]) => {
    const webhooks = createWebhooks({
      store: processing.life.store,
      secrets: { read: () => Promise.resolve({ state: 'present', text: 'whsec_c2VjcmV0' }) },
      onDelivery: (delivery) => deliveries.push(delivery),
      onError: (error) => errors.push(error),
      retryMs,
    });
    webhooks.start();
    onTestFinished(() => webhooks.close());
    return webhooks;
  };
  const ask = async (notifies = KEY): Promise<void> => {
    const chatId = await processing.createChat();
    const message = { content: 'hello', mode: 'agent', notifies } as const;
    await processing.life.chats.send({ chatId, workspaceId: WORKSPACE, ...message });
  };
  const left = (): number => processing.life.store.read(countWebhookEvents);
  return { processing, reported, ids: reported.ids, refusal, addKey, deliveries, errors, open, ask, left };
}

test('is tried again until it is taken, under the same id; a redirect is not followed', async () => {
  const { ids, deliveries, errors, open, ask, left } = await start(500, 302, 204);
  open([1, 1, 1]);
  await ask();
  await eventually(() => expect(deliveries.map(({ status }) => status)).toEqual([500, 302, 204]));
  await eventually(() => expect(left()).toBe(0));
  expect(new Set(ids).size).toBe(1);
  expect(errors).toEqual([]);
});

test('is given up when all tries have failed, or at once when the receiver says that it is gone', async () => {
  const { deliveries, open, ask, left } = await start(500, 500, 410);
  open([1]);
  await ask();
  await eventually(() => expect(left()).toBe(0));
  expect(deliveries.map(({ status }) => status)).toEqual([500, 500]);
  await ask();
  await eventually(() => expect(deliveries).toHaveLength(3));
  await eventually(() => expect(left()).toBe(0));
});

test('is told after the process was killed, whether before the turn ended or after', async () => {
  const { processing, ids, deliveries, open, ask, left } = await start(503, 204);
  const before = open([60_000]);
  await ask();
  await eventually(() => expect(deliveries).toHaveLength(1));
  await eventually(() => expect(left()).toBe(1));
  before.close();
  processing.life.runtime.onTurn = null;
  await ask();
  await processing.crash();
  processing.life.runtime.onTurn = echo;
  for (const turn of processing.life.runtime.running()) turn.reply();
  await processing.life.store.write((writer) => writer.run('UPDATE webhook_events SET due_at_ms = 0'));
  open([1]);
  await eventually(() => expect(left()).toBe(0));
  expect(new Set(ids).size).toBe(2);
});

test('is not told once the key was revoked', async () => {
  const { processing, ids, open, ask, left } = await start(204);
  await processing.life.store.write((writer) => revokeKey(writer, KEY, '2026-11-20T09:31:00.000Z'));
  await ask();
  open([1]);
  await eventually(() => expect(left()).toBe(0));
  expect(ids).toEqual([]);
});

test('is told beside a receiver of another key that never answers', async () => {
  const { reported, addKey, open, ask } = await start(null);
  const other = await listen(204);
  await addKey('key-2', other.url);
  open([60_000]);
  for (let asked = 0; asked < 10; asked += 1) await ask();
  await eventually(() => expect(reported.ids).not.toEqual([]));
  await ask('key-2');
  await eventually(() => expect(other.reported.ids).toHaveLength(1));
  expect(reported.ids.length).toBeLessThan(8);
});

test('is tried again in time after the clock was set back', async () => {
  const { processing, ids, open, ask, left } = await start(503, 204);
  const before = open([60_000]);
  await ask();
  await eventually(() => expect(ids).toHaveLength(1));
  await eventually(() =>
    expect(processing.life.store.read((reader) => reader.get('SELECT attempts FROM webhook_events'))).toEqual(
      { attempts: 1 },
    ),
  );
  before.close();
  await processing.life.store.write((writer) =>
    writer.run('UPDATE webhook_events SET due_at_ms = due_at_ms + 31536000000'),
  );
  open([60_000]);
  await eventually(() => expect(left()).toBe(0));
});

test('is not sent over and over while the store can’t note that it was taken', async () => {
  const { reported, ids, refusal, errors, open, ask } = await start(204);
  reported.onReported = () => (refusal.isOn = true);
  open([1]);
  await ask();
  await eventually(() => expect(errors).not.toEqual([]));
  reported.onReported = () => undefined;
  refusal.isOn = false;
  await ask();
  await eventually(() => expect(new Set(ids).size).toBe(2));
  expect(ids).toHaveLength(2);
});
