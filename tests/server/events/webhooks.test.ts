import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createWebhooks, type Delivery } from '../../../server/events/webhooks.ts';
import { createKey, revokeKey } from '../../../server/store/key-repository.ts';
import { countWebhookEvents } from '../../../server/store/webhook-repository.ts';
import { eventually } from '../../support/eventually.ts';
import { startProcessing, WORKSPACE } from '../../support/processing.ts';
import { echo } from '../../support/scripted-runtime.ts';

const KEY = 'key-1';

/** A program that is told, and answers each with the next status; the last one from then on. */
async function start(...statuses: number[]) {
  const ids: string[] = [];
  const server = createServer((request, response) => {
    ids.push(String(request.headers['webhook-id']));
    request.resume();
    const status = statuses.length > 1 ? statuses.shift() : statuses[0];
    response.writeHead(status ?? 204, { location: 'http://127.0.0.1:9/' }).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;

  const processing = await startProcessing({ onTurn: echo });
  onTestFinished(() => processing.remove());
  await processing.life.store.write((writer) =>
    createKey(writer, {
      id: KEY,
      kind: 'person',
      name: 'nightly',
      prefix: 'parley_x',
      digest: 'x',
      scope: 'chat',
      reach: false,
      approve: false,
      workspaceId: WORKSPACE,
      createdAt: '2026-11-20T09:30:00.000Z',
      lastUsedAt: null,
      expiresAt: null,
      revokedAt: null,
      webhook: { url },
    }),
  );
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
  const ask = async (): Promise<void> => {
    const chatId = await processing.createChat();
    const message = { content: 'hello', mode: 'agent', notifies: KEY } as const;
    await processing.life.chats.send({ chatId, workspaceId: WORKSPACE, ...message });
  };
  const left = (): number => processing.life.store.read(countWebhookEvents);
  return { processing, ids, deliveries, errors, open, ask, left };
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
