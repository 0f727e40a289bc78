/** The look-up of a chat's model goes before its turn: what may happen meanwhile, and what comes of it. */
import { expect, it, onTestFinished } from 'vitest';
import type { ResolvedAccess } from '../../../server/connections/access.ts';
import { startProcessing, type Processing, type ProcessingOptions } from '../../support/processing.ts';
import { echo } from '../../support/scripted-runtime.ts';

interface LookUp {
  model: string;
  find: (found: ResolvedAccess) => void;
}

async function start(
  options: ProcessingOptions = {},
): Promise<{ processing: Processing; lookUps: LookUp[] }> {
  const lookUps: LookUp[] = [];
  const processing = await startProcessing({
    onTurn: echo,
    resolveAccess: (model) => new Promise((find) => lookUps.push({ model, find })),
    ...options,
  });
  onTestFinished(async () => {
    expect(processing.life.errors).toEqual([]);
    await processing.remove();
  });
  return { processing, lookUps };
}

const BUILT_IN: ResolvedAccess = { kind: 'built_in' };
const ACCESS = { provider: 'ollama', baseUrl: null, apiKey: 'key', modelId: 'llama' } as const;

it('hands the turn what was found', async () => {
  const { processing, lookUps } = await start();
  const chatId = await processing.createChat();
  await processing.send(chatId, 'hello');
  await processing.until(() => lookUps.length === 1);
  expect(processing.chat(chatId).status).toBe('processing');
  expect(processing.life.runtime.turns).toEqual([]);
  lookUps[0]?.find({ kind: 'connected', access: ACCESS });
  expect((await processing.untilAtRest(chatId)).status).toBe('idle');
  expect(processing.life.runtime.turns[0]?.request.access).toEqual(ACCESS);
  expect(lookUps[0]?.model).toBe('offline-assistant');
});

it('ends the turn in words when there is no such model, and nothing runs', async () => {
  const { processing, lookUps } = await start();
  const chatId = await processing.createChat();
  await processing.send(chatId, 'hello');
  await processing.until(() => lookUps.length === 1);
  lookUps[0]?.find({ kind: 'refused', code: 'model_key_refused', message: 'Enter it again.' });
  expect((await processing.untilAtRest(chatId)).status).toBe('failed');
  expect(processing.messages(chatId)[1]).toMatchObject({
    status: 'error',
    error: { code: 'model_key_refused', message: 'Enter it again.' },
  });
  expect(processing.life.runtime.turns).toEqual([]);
});

it('can be stopped while it goes on, and the next message is answered', async () => {
  const { processing, lookUps } = await start();
  const chatId = await processing.createChat();
  await processing.send(chatId, 'one');
  await processing.until(() => lookUps.length === 1);
  expect((await processing.life.processor.stop(chatId))?.status).toBe('stopped');
  await processing.send(chatId, 'two');
  // The first look-up never ends.
  await processing.until(() => lookUps.length === 2, 'the next look-up');
  lookUps[1]?.find(BUILT_IN);
  expect((await processing.untilAtRest(chatId)).status).toBe('idle');
  lookUps[0]?.find(BUILT_IN);
  expect(processing.life.runtime.turns.map(({ request }) => request.messages.at(-1)?.content)).toEqual([
    'two',
  ]);
});

it('takes no longer than a turn may', async () => {
  const { processing } = await start({ turnTimeoutMs: () => 30 });
  const chatId = await processing.createChat();
  await processing.send(chatId, 'hello');
  expect((await processing.untilAtRest(chatId)).status).toBe('failed');
  expect(processing.messages(chatId)[1]?.error?.code).toBe('timed_out');
});

it('is begun anew at the next start when the service is stopped or killed meanwhile', async () => {
  const { processing, lookUps } = await start();
  const chatId = await processing.createChat();
  await processing.send(chatId, 'hello');
  for (const [count, end] of [
    [1, () => processing.restart()],
    [2, () => processing.crash()],
  ] as const) {
    await processing.until(() => lookUps.length === count, 'the look-up');
    await end();
  }
  await processing.until(() => lookUps.length === 3, 'the look-up');
  lookUps[2]?.find(BUILT_IN);
  expect((await processing.untilAtRest(chatId)).status).toBe('idle');
  expect(processing.messages(chatId)).toHaveLength(2);
});
