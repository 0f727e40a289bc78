/** Turns whose thread is lost, with the processor over real threads: a turn fails only for what it did itself. */
import { afterEach, describe, expect, it, test, vi } from 'vitest';
import { createAgentThreads, type AgentThreadsOptions } from '../../../server/turns/agent-threads.ts';
import type { TurnRequest } from '../../../server/agents/turn.ts';
import { listNotes } from '../../../server/store/note-repository.ts';
import type { StoredMessage } from '../../../server/store/message-repository.ts';
import type { Step } from '../../../shared/api/message.ts';
import { bundled } from '../../support/bundled.ts';
import { startProcessing, WORKSPACE, type Processing } from '../../support/processing.ts';
import { scriptOf } from '../../support/scripted-model.ts';
import { turnAgent } from '../../support/turns.ts';

const WORKER = bundled('scripted-agent-worker');
const STILL_HERE = scriptOf([{ say: 'Still ' }, { waitMs: 400 }, { say: 'here.' }]);

let processing: Processing;
let requests: TurnRequest[] = [];
let logged: string[] = [];
let close: (() => Promise<void>) | null = null;

afterEach(async () => {
  vi.unstubAllEnvs();
  await processing.remove();
  await close?.();
  close = null;
});

const losses = (): number => logged.filter((line) => line.includes('is lost')).length;

describe('a lost thread', () => {
  async function start(options: Partial<AgentThreadsOptions> = {}): Promise<void> {
    logged = [];
    requests = [];
    const runtime = createAgentThreads({
      workerUrl: WORKER,
      updateMs: 5,
      log: (line) => logged.push(line),
      ...options,
    });
    close = () => runtime.close();
    processing = await startProcessing({
      agents: {
        async run(request, ports) {
          requests.push(request);
          // For tools that end a thread once.
          if (request.alone === true) vi.stubEnv('HAS_EXITED', '1');
          const ofService = request.agent.offered.filter(({ runs }) => runs !== 'thread');
          return runtime.run({ ...request, agent: turnAgent({}, ofService), model: 'scripted' }, ports);
        },
        close: () => runtime.close(),
      },
    });
  }

  async function send(script: string, workspaceId = WORKSPACE): Promise<string> {
    const chatId = await processing.createChat(workspaceId);
    await processing.send(chatId, script);
    return chatId;
  }

  async function replyIn(chatId: string): Promise<StoredMessage> {
    await processing.untilAtRest(chatId);
    const [, reply] = processing.messages(chatId);
    if (reply === undefined) throw new Error('There is no reply.');
    return reply;
  }

  const notes = (): string[] =>
    processing.life.store.read((reader) => listNotes(reader, WORKSPACE)).map(({ text }) => text);

  it('that crashed is replaced, and its turn runs anew, alone, without doubled text', async () => {
    await start();
    const script = scriptOf(
      [{ say: 'Going. ' }, { call: 'wait', input: { ms: 10 } }],
      [{ waitMs: 100 }, { call: 'exit', input: { once: true } }],
      [{ waitMs: 100 }, { say: 'Done.' }],
    );
    const reply = await replyIn(await send(script));
    expect(reply).toMatchObject({ status: 'complete', content: 'Going. \n\nDone.' });
    expect(requests.map(({ alone }) => alone)).toEqual([undefined, true]);
    expect(losses()).toBe(1);
  });

  it('that crashed after its turn had changed something fails that turn, which says so', async () => {
    await start();
    const neighbour = await send(STILL_HERE);
    const script = scriptOf(
      [{ say: 'Noting. ' }, { call: 'remember_note', input: { text: 'milk' } }],
      [{ waitMs: 100 }, { call: 'exit', input: { once: false } }],
    );
    const reply = await replyIn(await send(script));
    expect(reply).toMatchObject({
      status: 'error',
      content: 'Noting. ',
      error: { code: 'interrupted', message: expect.stringContaining('“remember_note”') as string },
    });
    expect(notes()).toEqual(['milk']);
    expect((await replyIn(neighbour)).content).toBe('Still here.');
  });

  it.each([
    ['exits', scriptOf([{ call: 'exit', input: { once: false } }])],
    ['exits after a pause', scriptOf([{ call: 'exit', input: { once: false, afterMs: 50 } }])],
    ['throws where nobody catches it', scriptOf([{ call: 'throw_late' }])],
    ['takes too much memory', scriptOf([{ call: 'hoard' }])],
  ])('fails the turn that %s twice, in words, and no other', async (_, script) => {
    await start({ heapMb: 256 });
    const neighbours = await Promise.all([1, 2, 3].map(() => send(STILL_HERE)));
    const reply = await replyIn(await send(script));
    expect(reply).toMatchObject({ status: 'error', error: { code: 'agent_crashed' } });
    for (const neighbour of neighbours) expect((await replyIn(neighbour)).content).toBe('Still here.');
    expect(losses()).toBe(2);
  });

  it.each([
    ['at once', scriptOf([{ say: 'Looping.' }, { call: 'hang' }])],
    ['after a while', scriptOf([{ say: 'Looping.' }, { call: 'hang', input: { afterMs: 100 } }])],
  ])('that hung %s fails the turn that held it, while its neighbours finish', async (_, script) => {
    await start({ hangMs: 1_000 });
    const neighbours = await Promise.all([1, 2].map(() => send(STILL_HERE)));
    const reply = await replyIn(await send(script));
    expect(reply).toMatchObject({ status: 'error', error: { code: 'timed_out' } });
    for (const neighbour of neighbours) expect((await replyIn(neighbour)).content).toBe('Still here.');
    expect(losses()).toBe(2);
  });

  it('that hung goes on at once with the turns that did not hold it, and with each of its workspace alone', async () => {
    await start({ hangMs: 1_000 });
    const other = 'workspace-2';
    await processing.createWorkspace(other);
    const neighbours = await Promise.all(Array.from({ length: 5 }, () => send(STILL_HERE, other)));
    const own = await send(STILL_HERE);
    const hanging = await send(scriptOf([{ waitMs: 200 }, { call: 'hang' }]));
    for (const chatId of [...neighbours, own]) expect((await replyIn(chatId)).content).toBe('Still here.');
    expect((await replyIn(hanging)).error?.code).toBe('timed_out');
    const aloneIn = (workspaceId: string): number =>
      requests.filter((request) => request.workspaceId === workspaceId && request.alone === true).length;
    expect(aloneIn(other)).toBe(0);
    expect(aloneIn(WORKSPACE)).toBeGreaterThan(0);
  });

  it('keeps what was written in the reply that fails', async () => {
    await start({ hangMs: 1_000 });
    const script = scriptOf([{ say: 'So far.' }, { call: 'wait', input: { ms: 100 } }], [{ call: 'hang' }]);
    const reply = await replyIn(await send(script));
    expect(reply).toMatchObject({ content: 'So far.', error: { code: 'timed_out' } });
    expect(reply.steps.map(({ status }) => status)).not.toContain('running');
  });

  it('that cannot start fails its turns in words', async () => {
    await start({ workerUrl: new URL('../../support/broken-agent-worker.ts', import.meta.url) });
    const chats = await Promise.all([1, 2].map(() => send(STILL_HERE)));
    for (const chatId of chats) {
      expect((await replyIn(chatId)).error).toMatchObject({
        code: 'agent_crashed',
        message: expect.stringContaining('could not be started') as string,
      });
    }
    expect(requests).toHaveLength(2);
  });
});

describe('turns that are done alone', () => {
  const running = () => processing.life.runtime.running();

  /** Chats whose turns have just lost their thread, in the order in which they began. */
  async function loseThread(turns: number): Promise<string[]> {
    processing = await startProcessing();
    const chats: string[] = [];
    for (let index = 0; index < turns; index += 1) {
      const chatId = await processing.createChat();
      chats.push(chatId);
      await processing.send(chatId, `m${index}`);
    }
    await processing.until(() => running().length === turns, 'the turns to begin');
    for (const turn of running()) turn.stream('Half of');
    await processing.until(
      () => chats.every((chatId) => processing.messages(chatId)[1]?.content === 'Half of'),
      'what is written to be saved',
    );
    for (const turn of running()) turn.loseThread();
    await processing.until(() => running().length === 2, 'two to begin anew');
    return chats;
  }

  const questionOf = (id: string): Step => ({
    id,
    tool: 'add_line',
    status: 'awaiting_approval',
    input: {},
    approval: { id, expiresAt: '2126-03-01T11:30:00.000Z', canRemember: true },
  });

  test('are few at once, and hold up no others', async () => {
    const chats = await loseThread(5);
    const other = await processing.createChat();
    await processing.send(other, 'hello');
    (await processing.life.runtime.turnOf(other)).reply('hello');
    await processing.untilAtRest(other);
    await processing.until(() => running().length === 2, 'two to begin anew');
    for (const { request } of running()) {
      expect(chats).toContain(request.chatId);
      expect(request.alone).toBe(true);
    }
    for (const chatId of chats) {
      expect(processing.life.processor.queuePosition(processing.chat(chatId))).toBe(0);
      (await processing.life.runtime.turnOf(chatId)).reply('whole');
    }
    for (const chatId of chats) {
      expect((await processing.untilAtRest(chatId)).status).toBe('idle');
      expect(processing.messages(chatId).map(({ content }) => content)).toEqual([
        expect.stringMatching(/^m/),
        'whole',
      ]);
    }
    const [chatId = ''] = chats;
    await processing.send(chatId, 'and on');
    expect((await processing.life.runtime.turnOf(chatId)).request.alone).toBeUndefined();
  });

  test('that wait for a person hold up none', async () => {
    const chats = await loseThread(4);
    for (const turn of running()) turn.stream('', [questionOf(turn.request.chatId)]);
    await processing.until(() => running().length === 4, 'the others to begin anew');
    for (const turn of running()) turn.reply('whole');
    for (const chatId of chats) await processing.untilAtRest(chatId);
    // As many as before may be done at once.
    for (const chatId of chats) await processing.send(chatId, 'again');
    await processing.until(() => running().length === 4, 'the next turns');
    for (const turn of running()) turn.loseThread();
    await processing.until(() => running().length === 2, 'two to begin anew');
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(running()).toHaveLength(2);
  });

  test('and lose that thread, too, fail with what they had written', async () => {
    const [chatId = ''] = await loseThread(2);
    const turn = await processing.life.runtime.turnOf(chatId);
    turn.stream('Half again');
    turn.loseThread();
    expect((await processing.untilAtRest(chatId)).status).toBe('failed');
    expect(processing.messages(chatId)[1]).toMatchObject({
      content: 'Half again',
      error: { code: 'agent_crashed', message: 'It broke down.' },
    });
  });

  test('can be stopped before they begin, and keep what is saved', async () => {
    const chatId = (await loseThread(3))[2] ?? '';
    expect(await processing.life.processor.stop(chatId)).toMatchObject({ status: 'stopped' });
    expect(processing.messages(chatId)[1]).toMatchObject({ content: 'Half of', stopReason: 'stopped' });
    for (const turn of running()) turn.reply();
    await processing.send(chatId, 'and on');
    (await processing.life.runtime.turnOf(chatId)).reply('on');
    expect((await processing.untilAtRest(chatId)).status).toBe('idle');
    expect(processing.life.runtime.turns).toHaveLength(6);
  });

  test('are done at the next start, without counting as a try', async () => {
    const chats = await loseThread(3);
    for (let index = 0; index < 4; index += 1) await processing.restart();
    await processing.until(() => running().length === 3, 'all to begin');
    for (const turn of running()) {
      expect(processing.chat(turn.request.chatId).attempts).toBe(1);
      expect(turn.request.alone).toBeUndefined();
      turn.reply('whole');
    }
    for (const chatId of chats) expect((await processing.untilAtRest(chatId)).status).toBe('idle');
  });

  test('begin anew although the disk refuses writes', async () => {
    processing = await startProcessing();
    const chatId = await processing.createChat();
    await processing.send(chatId, 'one');
    const turn = await processing.life.runtime.turnOf(chatId);
    processing.life.disk.isFull = true;
    turn.loseThread();
    const again = await processing.life.runtime.turnOf(chatId);
    expect(again.request.alone).toBe(true);
    processing.life.disk.isFull = false;
    again.reply('whole');
    expect((await processing.untilAtRest(chatId)).status).toBe('idle');
  });
});
