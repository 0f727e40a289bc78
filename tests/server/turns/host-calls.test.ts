import { randomUUID } from 'node:crypto';
import { afterEach, expect, test } from 'vitest';
import { createCallJournal } from '../../../server/turns/call-journal.ts';
import { type AnnouncedCall, type CallResult, type HostPort } from '../../../server/agents/host-port.ts';
import type { WorkspacePort } from '../../../server/tools/tool.ts';
import type { Step } from '../../../shared/api/message.ts';
import { createRecordingSource } from '../../support/recording-source.ts';
import {
  startProcessing,
  WORKSPACE,
  type Processing,
  type ProcessingOptions,
} from '../../support/processing.ts';

let processing: Processing;
let source = createRecordingSource();
let chatId = '';
afterEach(() => processing.remove());

/** A chat in which a turn is under way. */
async function start(options: ProcessingOptions = {}): Promise<void> {
  source = createRecordingSource();
  processing = await startProcessing({ sources: [source], ...options });
  chatId = await processing.createChat();
  await processing.send(chatId, 'Go on.');
}

const turn = () => processing.life.runtime.turnOf(chatId);
const port = async (): Promise<HostPort> => (await turn()).ports.host;
const workspace = async (): Promise<WorkspacePort> => (await turn()).ports.workspace;
const announce = async (tool: string, text = 'one'): Promise<AnnouncedCall> =>
  (await port()).announceCall(tool, { text });
const decide = (approvalId: string, decision: 'approve' | 'deny' = 'approve', remember = false) =>
  processing.life.approvals.decide({ chatId, workspaceId: null, approvalId, decision, remember });

/** Announces a call, has it approved and makes it. */
async function makeCall(tool: string, text = 'one'): Promise<CallResult> {
  const { id, approval } = await announce(tool, text);
  if (approval !== null) {
    const approved = (await port()).awaitApproval(id);
    await decide(id);
    await approved;
  }
  return (await port()).runCall(id);
}

const make = async (tool: string, text?: string): Promise<unknown> => (await makeCall(tool, text)).output;

const rows = (): number =>
  processing.life.store.read((reader) => reader.all('SELECT id FROM tool_calls')).length;

test('what was done before a crash is not done again, and gives what it gave', async () => {
  await start();
  expect(await make('add_line')).toEqual({ count: 1 });
  await processing.crash();
  const again = await announce('add_line');
  expect(again.approval).toBeNull();
  expect(await (await port()).runCall(again.id)).toEqual({ output: { count: 1 } });
  expect(source.lines).toEqual(['one']);
});

test('files that were given before a crash come again; those that no step names go with the end of the reply', async () => {
  await start();
  const given = await makeCall('draw');
  expect(given).toEqual({
    output: { drawn: 1 },
    files: [{ id: expect.any(String) as string, name: 'dot.png', mediaType: 'image/png', bytes: 3 }],
  });
  await processing.crash();
  const again = await announce('draw');
  expect(await (await port()).runCall(again.id)).toEqual(given);
  const count = (): number =>
    processing.life.store.read((reader) => reader.all('SELECT id FROM step_files')).length;
  expect(count()).toBe(1);
  (await turn()).reply('Done.');
  await processing.untilAtRest(chatId);
  expect(count()).toBe(0);
});

test('what may have been done before a crash is left undone and told as such; a repeat asks, even if it need not', async () => {
  await start();
  await make('add_line');
  const { id } = await announce('hang');
  await decide(id, 'approve', true);
  void (await port()).runCall(id).catch(() => undefined);
  await processing.until(() => rowStates().includes('begun'), 'the call to begin');
  await processing.crash();
  await expect(announce('hang')).rejects.toThrow(/Whether it took effect is not known/);
  // Nothing was asked about the line yet in this try: something may be done twice.
  const { approval } = await announce('hang');
  expect(approval?.summary).toContain('may have been done before');
  await make('add_line');
  expect((await announce('hang', 'another')).approval).toBeNull();
});

test('what may have been done before a crash is not done a second time unasked, even if it is always allowed', async () => {
  await start();
  const { id } = await announce('hang');
  await decide(id, 'approve', true);
  void (await port()).runCall(id).catch(() => undefined);
  await processing.until(() => rowStates().includes('begun'), 'the call to begin');
  await processing.crash();
  await expect(announce('hang')).rejects.toThrow(/Whether it took effect is not known/);
  const { approval } = await announce('hang');
  expect(approval?.summary).toContain('may have been done before');
  // The question says so after one more crash, too, when what was told is told again first.
  await processing.crash();
  await expect(announce('hang')).rejects.toThrow(/Whether it took effect is not known/);
  expect((await announce('hang')).approval).toEqual(approval);
  // After a no it is asked about again; anything else is always allowed as before.
  await decide(approval?.id ?? '', 'deny');
  expect((await announce('hang')).approval?.summary).toContain('may have been done before');
  expect((await announce('hang', 'another')).approval).toBeNull();
});

const rowStates = (): string[] =>
  processing.life.store
    .read((reader) => reader.all<{ state: string }>('SELECT state FROM tool_calls'))
    .map(({ state }) => state);

test('an answer outlives a crash, whichever it was', async () => {
  await start();
  const yes = await announce('add_line', 'yes');
  const no = await announce('add_line', 'no');
  await announce('add_line', 'open');
  await decide(yes.id);
  await decide(no.id, 'deny');
  await processing.crash();
  const approved = await announce('add_line', 'yes');
  expect(approved.approval).toBeNull();
  await (await port()).runCall(approved.id);
  await expect(announce('add_line', 'no')).rejects.toThrow('The answer was no');
  expect((await announce('add_line', 'open')).approval).not.toBeNull();
  expect(source.lines).toEqual(['yes']);
});

test('an answer given while nobody waits for it counts', async () => {
  await start();
  const { id } = await announce('add_line');
  await processing.crash();
  await decide(id);
  expect((await announce('add_line')).approval).toBeNull();
});

test('a question that ran out while Parley was not there is not open any more', async () => {
  let now = new Date('2026-03-01T10:00:00.000Z');
  await start({ clock: () => now });
  const { id } = await announce('add_line');
  now = new Date('2026-03-01T11:30:00.000Z');
  await processing.crash();
  await expect(announce('add_line')).rejects.toThrow('Nobody answered in time');
  await expect(decide(id)).rejects.toMatchObject({ code: 'conflict' });
});

test('nothing is run that was not approved, whatever the thread says', async () => {
  await start({ approvalMs: 50 });
  const { id } = await announce('add_line');
  await expect((await port()).runCall(id)).rejects.toThrow('Nobody answered in time');
  expect(source.lines).toEqual([]);
});

test('a turn that begins anew in a fresh thread makes no call again, and the same twice is twice', async () => {
  await start();
  const first = await make('add_line');
  const second = await make('add_line');
  expect([first, second]).toEqual([{ count: 1 }, { count: 2 }]);
  (await turn()).loseThread();
  expect([await make('add_line'), await make('add_line')]).toEqual([{ count: 1 }, { count: 2 }]);
  expect(await make('add_line')).toEqual({ count: 3 });
});

test('a call that is under way when its thread is lost is waited for, and not made again', async () => {
  const { promise, resolve } = Promise.withResolvers<string>();
  let calls = 0;
  source = createRecordingSource({ run: () => ((calls += 1), promise) });
  processing = await startProcessing({ sources: [source] });
  chatId = await processing.createChat();
  await processing.send(chatId, 'Go on.');
  const { id } = await announce('add_line');
  await decide(id);
  const one = (await port()).runCall(id);
  await processing.until(() => rowStates().includes('begun'), 'the call to begin');
  (await turn()).loseThread();
  await new Promise((done) => setTimeout(done, 50));
  expect(processing.life.runtime.turns).toHaveLength(1);
  resolve('done');
  expect(await one).toEqual({ output: 'done' });
  expect(await announce('add_line')).toEqual({ id, approval: null });
  expect(await (await port()).runCall(id)).toEqual({ output: 'done' });
  expect(calls).toBe(1);
});

test('a stop ends a call that is under way when its thread is lost', async () => {
  await start();
  const { id } = await announce('hang');
  await decide(id);
  const call = expect((await port()).runCall(id)).rejects.toThrow();
  await processing.until(() => rowStates().includes('begun'), 'the call to begin');
  (await turn()).loseThread();
  await processing.life.processor.stop(chatId);
  await call;
  expect(source.stopped).toBe(1);
  expect(processing.chat(chatId).status).toBe('stopped');
});

test('notes are kept once, and removed once, across a crash', async () => {
  await start();
  const note = await (await workspace()).addNote('milk');
  await (await workspace()).addNote('milk');
  await processing.crash();
  expect(await (await workspace()).addNote('milk')).toEqual(note);
  await (await workspace()).addNote('milk');
  expect(await (await workspace()).findNotes(null, 10)).toHaveLength(2);
  expect(await (await workspace()).deleteNote(note.id)).toBe(true);
  await processing.crash();
  expect(await (await workspace()).deleteNote(note.id)).toBe(true);
  expect(await (await workspace()).findNotes(null, 10)).toHaveLength(1);
});

test('a reply that is final leaves nothing behind', async () => {
  await start();
  await make('add_line');
  await (await workspace()).addNote('milk');
  expect(rows()).toBe(2);
  (await turn()).reply('Done.');
  await processing.untilAtRest(chatId);
  expect(rows()).toBe(0);
});

test('while a person is asked no other time runs out; afterwards it does', async () => {
  await start({ turnTimeoutMs: () => 60 });
  const asking: Step = {
    id: '1',
    tool: 'add_line',
    status: 'awaiting_approval',
    input: {},
    approval: { id: 'a', expiresAt: '2026-03-01T11:30:00.000Z', canRemember: true },
  };
  (await turn()).stream('Well.', [asking]);
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(processing.chat(chatId).status).toBe('processing');
  (await turn()).stream('', [{ id: '1', tool: 'add_line', status: 'running', input: {} }]);
  expect((await processing.untilAtRest(chatId)).status).toBe('failed');
  expect(processing.messages(chatId)[1]?.error?.code).toBe('timed_out');
});

/** Allows a tool for good, and has a call of it cut off by a stop. */
async function cutOff(tool: string): Promise<void> {
  const { id } = await announce(tool);
  await decide(id, 'approve', true);
  (await turn()).stream('', [{ id: '1', tool, status: 'running', input: { text: 'one' } }]);
  void (await port()).runCall(id).catch(() => undefined);
  await processing.until(() => rowStates().includes('begun'), 'the call to begin');
  await processing.life.processor.stop(chatId);
}

const retry = () => processing.life.chats.retry({ chatId, workspaceId: null, toolReach: 'all' });

test('what was cut off by a stop is told as such, and its tool asks in the chat until a person says yes to it', async () => {
  await start();
  await cutOff('hang');
  const words = 'This was stopped. Whether it took effect is not known.';
  expect(processing.messages(chatId)[1]?.steps).toMatchObject([{ inDoubt: true, error: words }]);
  await retry();
  // The same, or what a model makes of it this time; also after a no, and after a crash.
  const { id, approval } = await announce('hang', 'one, but in other words');
  expect(approval?.summary).toContain('may have been done before');
  await decide(id, 'deny');
  await processing.crash();
  const again = await announce('hang');
  expect(again.approval?.summary).toContain('may have been done before');
  await decide(again.id);
  void (await port()).runCall(again.id).catch(() => undefined);
  await processing.until(() => rowStates().includes('begun'), 'the call to begin');
  expect((await announce('hang', 'three')).approval).toBeNull();
});

test('what was cut off before it began was not done, and asks no more than before', async () => {
  await start();
  const { id } = await announce('add_line');
  await decide(id, 'approve', true);
  const host = await port();
  const stopping = processing.life.processor.stop(chatId);
  await expect(host.runCall(id)).rejects.toThrow();
  await stopping;
  const replyId = processing.messages(chatId)[1]?.id ?? '';
  const late = createCallJournal({
    newId: randomUUID,
    store: processing.life.store,
    clock: () => new Date(),
    workspaceId: WORKSPACE,
    chatId,
    replyId,
  });
  const call = { id: 'late', tool: 'add_line', input: {}, basis: null, isKept: false, settles: false };
  expect(await late.begin(call)).toBe(false);
  expect(source.lines).toEqual([]);
  expect(rows()).toBe(0);
  await retry();
  expect((await announce('add_line')).approval).toBeNull();
});

test('a call that is given up for its time may have taken effect, and the next of its kind asks', async () => {
  source = createRecordingSource({ timeoutMs: 50 });
  processing = await startProcessing({ sources: [source] });
  chatId = await processing.createChat();
  await processing.send(chatId, 'Go on.');
  const { id } = await announce('hang');
  await decide(id, 'approve', true);
  await expect((await port()).runCall(id)).rejects.toMatchObject({
    name: 'DoubtError',
    message: expect.stringContaining('Whether it took effect is not known.') as unknown,
  });
  expect((await announce('hang')).approval).not.toBeNull();
  (await turn()).reply('It took too long.');
  await processing.untilAtRest(chatId);
  await retry();
  expect((await announce('hang', 'again')).approval).not.toBeNull();
});

/** A tool that gets on every 20 ms, until it was told so many times, or to stop. */
const slow = (times: number, limits: { timeoutMs: number; longestMs?: number }) =>
  createRecordingSource({
    ...limits,
    run: (_input, { signal, onProgress }) =>
      new Promise((resolve) => {
        let count = 0;
        const timer = setInterval(() => {
          onProgress?.();
          count += 1;
          if (count === times) resolve('done');
          if (count === times || signal.aborted) clearInterval(timer);
        }, 20);
      }),
  });

async function callSlow(...[times, limits]: Parameters<typeof slow>): Promise<unknown> {
  processing = await startProcessing({ sources: [slow(times, limits)], turnTimeoutMs: () => 400 });
  chatId = await processing.createChat();
  await processing.send(chatId, 'Go on.');
  return make('add_line');
}

test('a call that gets on is neither given up after its time nor does its turn stand still', async () => {
  expect(await callSlow(40, { timeoutMs: 400 })).toBe('done');
  expect(processing.chat(chatId).status).toBe('processing');
});

test('a call that gets on for ever is given up after the longest time', async () => {
  await expect(callSlow(Infinity, { timeoutMs: 5_000, longestMs: 1_000 })).rejects.toThrow(
    'The tool “add_line” was not done within 1 seconds, though it reported progress, so it was given up.',
  );
});
