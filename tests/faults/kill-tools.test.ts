import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { beforeEach, expect, it } from 'vitest';
import type { Message, Step } from '../../shared/api/message.ts';
import { bundled } from '../support/bundled.ts';
import { rounds } from '../support/effort.ts';
import { mortalService } from '../support/mortal-service.ts';
import { rehearse, replyOf, script } from '../support/rehearse.ts';
import type { TestClient } from '../support/service.ts';
import type { ServiceProcess } from '../support/service-process.ts';

const ENTRY = fileURLToPath(bundled('append-service'));
const AT_REST = ['idle', 'failed', 'stopped'];

const mortal = mortalService(ENTRY, (folder) => ['--lines', join(folder, 'lines')]);
let running: ServiceProcess;
let client: TestClient;

async function begin(): Promise<void> {
  running = await mortal.start();
  client = running.api;
}
beforeEach(begin);

async function kill(): Promise<void> {
  await running.end('SIGKILL');
  await begin();
}

const lines = async (): Promise<string[]> =>
  (await readFile(join(mortal.folder, 'lines'), 'utf8').catch(() => ''))
    .split('\n')
    .filter((line) => line !== '');

/** An agent that the default one may ask, and that has all tools. */
const makeHelper = (): Promise<unknown> =>
  client.post('/api/v1/agents', { name: 'Helper', agentType: 'helper' });

const play = (...lines: string[]): Promise<string> => rehearse(client, ...lines);
const reply = (id: string): Promise<Message | undefined> => replyOf(client, id);

/** The reply's first step, once it has that status. */
async function step(id: string, status: Step['status']): Promise<Step | undefined> {
  const first = async (): Promise<Step | undefined> => (await reply(id))?.steps?.[0];
  await expect.poll(async () => (await first())?.status, { timeout: 20_000 }).toBe(status);
  return first();
}

const approve = (id: string, approvalId = '', remember = false): Promise<unknown> =>
  client.post(`/api/v1/chats/${id}/approvals/${approvalId}`, { decision: 'approve', remember });
const untilAtRest = (id: string): Promise<void> =>
  expect.poll(async () => AT_REST.includes((await client.chat(id)).status), { timeout: 30_000 }).toBe(true);

it('killed while approval waits: it waits again, under the same id, and a yes has it done once', async () => {
  const id = await play('::tool append {"text":"one"}', 'Done.');
  const asked = await step(id, 'awaiting_approval');
  await kill();
  const again = await step(id, 'awaiting_approval');
  expect(again?.approval).toEqual(asked?.approval);
  expect(await lines()).toEqual([]);
  await approve(id, again?.approval?.id);
  await untilAtRest(id);
  expect([(await client.chat(id)).status, await lines()]).toEqual(['idle', ['one']]);
}, 60_000);

it('killed while a tool is at work: the reply is not made again, and says that the call may have taken effect', async () => {
  const id = await play('::tool append {"text":"one","holdMs":30000}', 'Well then.');
  await approve(id, (await step(id, 'awaiting_approval'))?.approval?.id);
  await expect.poll(lines).toEqual(['one']);
  await kill();
  await untilAtRest(id);
  expect(await lines()).toEqual(['one']);
  expect(await reply(id)).toMatchObject({
    status: 'error',
    error: { code: 'interrupted', message: expect.stringContaining('“append”') as string },
    steps: [
      {
        status: 'failed',
        inDoubt: true,
        error: expect.stringContaining('Whether it took effect is not known') as string,
      },
    ],
  });
  // The person decides: a retry asks again, and does it.
  await client.post(`/api/v1/chats/${id}/retry`);
  const asked = await step(id, 'awaiting_approval');
  expect(asked?.approval?.summary).toContain('may have been done before');
  await client.post(`/api/v1/chats/${id}/stop`);
}, 60_000);

it('killed after a tool was done: the reply is not made again, and keeps what it gave', async () => {
  const id = await play('::tool append {"text":"one"}', 'Slowly.', '::pause 20s', 'Done.');
  await approve(id, (await step(id, 'awaiting_approval'))?.approval?.id);
  await expect.poll(async () => (await reply(id))?.content, { timeout: 20_000 }).toContain('Slowly.');
  await kill();
  await untilAtRest(id);
  expect(await lines()).toEqual(['one']);
  expect(await reply(id)).toMatchObject({
    content: expect.stringContaining('Slowly.') as string,
    error: { code: 'interrupted' },
    steps: [{ status: 'done', output: { written: true } }],
  });
}, 60_000);

it('killed while an agent that was asked waits for approval: it asks again, and a yes has it done once', async () => {
  await makeHelper();
  const task = script('::tool append {"text":"one"}', 'Written.');
  const id = await play(`::tool ask_agent ${JSON.stringify({ agentType: 'helper', task })}`, 'Done.');
  const asked = await step(id, 'awaiting_approval');
  expect(asked).toMatchObject({
    tool: 'ask_agent',
    approval: { summary: 'Helper wants to use append.' },
  });
  await kill();
  expect((await step(id, 'awaiting_approval'))?.approval).toEqual(asked?.approval);
  await approve(id, asked?.approval?.id);
  await untilAtRest(id);
  expect(await lines()).toEqual(['one']);
  expect(await reply(id)).toMatchObject({
    content: 'Done.',
    steps: [{ status: 'done', output: { text: 'Written.' } }],
  });
}, 60_000);

it('killed again and again, at any moment: nothing is done twice, and every chat comes to its end', async () => {
  const first = await play('::tool append {"text":"allowed"}');
  await approve(first, (await step(first, 'awaiting_approval'))?.approval?.id, true);
  await untilAtRest(first);
  const chats = await Promise.all(
    Array.from({ length: 8 }, (_, chat) =>
      play(
        ...Array.from({ length: 4 }, (_, call) => [
          `::tool append {"text":"${chat}-${call}","holdMs":30}`,
          '::pause 40ms',
          'On.',
        ]).flat(),
      ),
    ),
  );
  for (let round = 0; round < rounds(3); round += 1) {
    await sleep((20 + round * 110) % 260);
    await kill();
  }
  for (const id of chats) await untilAtRest(id);
  const done = await lines();
  expect(done).toEqual([...new Set(done)]);
  for (const id of chats) {
    const { status } = await client.chat(id);
    const { steps = [], error } = (await reply(id)) ?? {};
    expect(steps.every((each) => each.status === 'done' || each.status === 'failed')).toBe(true);
    if (status === 'failed') expect(error?.code).toBe('interrupted');
    else expect(status).toBe('idle');
  }
}, 120_000);
