import { afterEach, expect, test } from 'vitest';
import type { CallResult } from '../../../server/agents/call-tool.ts';
import type { Step, StepApproval } from '../../../shared/api/message.ts';
import { createRecordingSource } from '../../support/recording-source.ts';
import { startProcessing, type Processing, type ProcessingOptions } from '../../support/processing.ts';

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

/** A call that the turn makes. */
interface Called {
  /** What a person is asked; null: it ended without. */
  approval: StepApproval | null;
  result: Promise<CallResult>;
}

/** Has the turn call a tool. Resolves when a person is asked, or the call has ended; rejects when it was refused before that. */
async function call(tool: string, input: object = { text: 'one' }): Promise<Called> {
  const asked = Promise.withResolvers<StepApproval>();
  const result = (await turn()).ports.callTool(tool, input, (approval) => {
    if (approval !== null) asked.resolve(approval);
  });
  const approval = await Promise.race([asked.promise, result.then(() => null)]);
  result.catch(() => undefined);
  return { approval, result };
}

/** What a person is asked about a call; fails the test if nothing is. */
async function ask(tool: string, text = 'one'): Promise<StepApproval> {
  const { approval } = await call(tool, { text });
  if (approval === null) throw new Error(`Nobody was asked about ${tool}.`);
  return approval;
}

const decide = (approvalId: string, decision: 'approve' | 'deny' = 'approve', remember = false) =>
  processing.life.approvals.decide({ chatId, workspaceId: null, approvalId, decision, remember });

/** Has the turn call a tool, with a yes if a person is asked. */
async function makeCall(tool: string, input?: object): Promise<CallResult> {
  const { approval, result } = await call(tool, input);
  if (approval !== null) await decide(approval.id);
  return result;
}

const make = async (tool: string, input?: object): Promise<unknown> => (await makeCall(tool, input)).output;

const rows = (): number =>
  processing.life.store.read((reader) => reader.all('SELECT id FROM tool_calls')).length;

/** The turn has failed because it was cut off after it had begun calls of that tool, and no agent was started for it again. */
async function expectCutOff(tool: string): Promise<void> {
  expect((await processing.untilAtRest(chatId)).status).toBe('failed');
  expect(processing.messages(chatId)[1]?.error).toEqual({
    code: 'interrupted',
    message: expect.stringMatching(new RegExp(`“${tool}”.* That may have taken effect`)) as unknown,
  });
  expect(processing.life.runtime.running()).toEqual([]);
}

async function untilStepsAreSaved(): Promise<void> {
  await processing.until(
    () => (processing.messages(chatId)[1]?.steps.length ?? 0) > 0,
    'the steps to be saved',
  );
  await processing.life.store.settled();
}

test.each(['crash', 'restart'] as const)(
  'a turn that made a call which changes something is not started again after a %s, and says so',
  async (how) => {
    await start();
    expect(await make('add_line')).toEqual({ count: 1 });
    await processing[how]();
    await expectCutOff('add_line');
    expect(source.lines).toEqual(['one']);
    expect(processing.life.runtime.turns).toEqual([]);
    expect(rows()).toBe(0);
  },
);

test('the third attempt names its calls, too', async () => {
  await start();
  for (let attempt = 1; attempt < 3; attempt += 1) {
    await turn();
    await processing.crash();
  }
  await make('add_line');
  await processing.crash();
  await expectCutOff('add_line');
});

test('what waits behind such a turn is answered', async () => {
  await start();
  await processing.send(chatId, 'And then?');
  await make('add_line');
  await processing.crash();
  (await turn()).reply('Then that.');
  expect((await processing.untilAtRest(chatId)).status).toBe('idle');
  expect(processing.messages(chatId).map(({ content }) => content)).toContain('Then that.');
  expect(processing.messages(chatId)[2]?.error?.code).toBe('interrupted');
});

test('a turn whose calls change and send nothing is started again', async () => {
  await start();
  await make('look');
  await processing.crash();
  (await turn()).loseThread();
  expect(processing.chat(chatId).attempts).toBe(2);
  await make('look');
  (await turn()).reply('Done.');
  expect((await processing.untilAtRest(chatId)).status).toBe('idle');
});

test('a turn that sent something is not started again either, and nothing is in doubt', async () => {
  source = createRecordingSource({ changes: false, sends: true });
  processing = await startProcessing({ sources: [source] });
  chatId = await processing.createChat();
  await processing.send(chatId, 'Go on.');
  await make('look');
  await expect(make('refuse')).rejects.toThrow('There is no room');
  const steps: Step[] = [
    { id: '1', tool: 'look', status: 'done', input: { text: 'one' }, output: {} },
    {
      id: '2',
      tool: 'refuse',
      status: 'failed',
      input: { text: 'one' },
      error: 'There is no room for that.',
    },
  ];
  (await turn()).stream('', steps);
  await untilStepsAreSaved();
  await processing.crash();
  await expectCutOff('look');
  expect(processing.messages(chatId)[1]?.steps).toEqual(steps);
});

test('files that no step names go with the end of the reply', async () => {
  await start();
  expect(await makeCall('draw')).toEqual({
    output: { drawn: 1 },
    files: [{ id: expect.any(String) as string, name: 'dot.png', mediaType: 'image/png', bytes: 3 }],
  });
  const count = (): number =>
    processing.life.store.read((reader) => reader.all('SELECT id FROM step_files')).length;
  expect(count()).toBe(1);
  (await turn()).reply('Done.');
  await processing.untilAtRest(chatId);
  expect(count()).toBe(0);
});

const rowStates = (): string[] =>
  processing.life.store
    .read((reader) => reader.all<{ state: string }>('SELECT state FROM tool_calls'))
    .map(({ state }) => state);

const untilBegun = (calls: number) =>
  processing.until(() => rowStates().filter((state) => state === 'begun').length === calls, 'calls to begin');

/** Has a call of `hang` begun, whose tool is always allowed from then on, and whose step is saved. */
async function beginHanging(): Promise<void> {
  const { id } = await ask('hang');
  (await turn()).stream('', [{ id: '1', tool: 'hang', status: 'running', input: { text: 'one' } }]);
  await decide(id, 'approve', true);
  await untilBegun(1);
  await untilStepsAreSaved();
}

/** A call of `hang` begins without asking anybody. */
async function expectUnasked(text: string, calls: number): Promise<void> {
  const called = call('hang', { text });
  await untilBegun(calls);
  called.then(
    () => undefined,
    () => undefined,
  );
}

test.each(['crash', 'loseThread'] as const)(
  'a call that was cut off by a %s is in doubt, and its tool asks in the chat until a person says yes to it',
  async (how) => {
    await start();
    await beginHanging();
    if (how === 'crash') await processing.crash();
    else (await turn()).loseThread();
    await expectCutOff('hang');
    expect(processing.messages(chatId)[1]?.steps).toMatchObject([{ status: 'failed', inDoubt: true }]);
    await retry();
    const { id, summary } = await ask('hang', 'in other words');
    expect(summary).toContain('may have been done before');
    expect((await ask('add_line')).summary ?? '').not.toContain('may have been done before');
    await decide(id);
    await untilBegun(1);
    await expectUnasked('once more', 2);
  },
);

test('a call that was done, but whose step does not show it, is in doubt after a crash', async () => {
  await start();
  (await turn()).stream('', [{ id: '1', tool: 'add_line', status: 'running', input: { text: 'one' } }]);
  await make('add_line');
  await untilStepsAreSaved();
  await processing.crash();
  await expectCutOff('add_line');
  expect(processing.messages(chatId)[1]?.steps).toMatchObject([{ status: 'failed', inDoubt: true }]);
});

test('an answer outlives a crash, whichever it was', async () => {
  await start();
  const yes = await ask('add_line', 'yes');
  const no = await ask('add_line', 'no');
  await ask('add_line', 'open');
  await processing.crash();
  await decide(yes.id);
  await decide(no.id, 'deny');
  await processing.crash();
  expect((await call('add_line', { text: 'yes' })).approval).toBeNull();
  await expect(call('add_line', { text: 'no' })).rejects.toThrow('The answer was no');
  await ask('add_line', 'open');
  expect(source.lines).toEqual(['yes']);
});

test('an answer given while nobody waits for it counts', async () => {
  await start();
  const { id } = await ask('add_line');
  await processing.crash();
  await decide(id);
  expect((await call('add_line')).approval).toBeNull();
  expect(source.lines).toEqual(['one']);
});

test('a question that ran out while Parley was not there is not open any more', async () => {
  let now = new Date('2026-03-01T10:00:00.000Z');
  await start({ clock: () => now });
  const { id } = await ask('add_line');
  now = new Date('2026-03-01T11:30:00.000Z');
  await processing.crash();
  await expect(call('add_line')).rejects.toThrow('Nobody answered in time');
  await expect(decide(id)).rejects.toMatchObject({ code: 'conflict' });
});

test('nothing is run that nobody approved in time', async () => {
  await start({ approvalMs: 50 });
  const { result } = await call('add_line');
  await expect(result).rejects.toThrow('Nobody answered in time');
  expect(source.lines).toEqual([]);
});

test('the same call twice at once is two questions, also after a crash', async () => {
  const askTwice = async (): Promise<string[]> =>
    (await Promise.all([ask('add_line'), ask('add_line')])).map(({ id }) => id);
  await start();
  const ids = await askTwice();
  expect(new Set(ids).size).toBe(2);
  await processing.crash();
  expect(await askTwice()).toEqual(ids);
});

test('the same call twice is two calls', async () => {
  await start();
  expect([await make('add_line'), await make('add_line')]).toEqual([{ count: 1 }, { count: 2 }]);
});

test('what a thread that is lost has begun is ended', async () => {
  await start();
  await beginHanging();
  (await turn()).loseThread();
  await processing.untilAtRest(chatId);
  expect(source.stopped).toBe(1);
});

test('a turn that kept or removed a note is not started again', async () => {
  await start();
  const { note } = (await make('remember_note', { text: 'milk' })) as { note: { id: string } };
  await processing.crash();
  await expectCutOff('remember_note');
  await retry();
  expect(await make('forget_note', { ids: [note.id] })).toMatchObject({ forgotten: [{ text: 'milk' }] });
  (await turn()).loseThread();
  await processing.untilAtRest(chatId);
  expect(processing.messages(chatId).at(-1)?.error?.message).toContain('“forget_note”');
  await retry();
  expect(await make('find_notes', {})).toEqual({ notes: [], more: false });
});

test('a turn that is over keeps no note', async () => {
  await start();
  const late = (await turn()).ports;
  await processing.life.processor.stop(chatId);
  const called = late.callTool('remember_note', { text: 'late' }, () => undefined);
  await expect(called).rejects.toThrow('The turn was stopped.');
  await retry();
  expect(await make('find_notes', {})).toEqual({ notes: [], more: false });
  expect(rows()).toBe(0);
});

test('a reply that is final leaves nothing behind', async () => {
  await start();
  await make('add_line');
  await make('remember_note', { text: 'milk' });
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

const retry = () => processing.life.chats.retry({ chatId, workspaceId: null, toolReach: 'all' });

test('what was cut off by a stop is told as such, and its tool asks in the chat until a person says yes to it', async () => {
  await start();
  await beginHanging();
  await processing.life.processor.stop(chatId);
  const words = 'This was stopped. Whether it took effect is not known.';
  expect(processing.messages(chatId)[1]?.steps).toMatchObject([{ inDoubt: true, error: words }]);
  await retry();
  // The same, or what a model makes of it this time; also after a no, and after a crash.
  const { id, summary } = await ask('hang', 'one, but in other words');
  expect(summary).toContain('may have been done before');
  await decide(id, 'deny');
  await processing.crash();
  const again = await ask('hang');
  expect(again.summary).toContain('may have been done before');
  await decide(again.id);
  await untilBegun(1);
  await expectUnasked('three', 2);
});

test('what was cut off before it began was not done, and asks no more than before', async () => {
  await start();
  const { id } = await ask('add_line');
  await processing.crash();
  await decide(id, 'approve', true);
  const { callTool } = (await turn()).ports;
  const stopping = processing.life.processor.stop(chatId);
  await expect(callTool('add_line', { text: 'one' }, () => undefined)).rejects.toThrow();
  await stopping;
  expect(source.lines).toEqual([]);
  expect(rows()).toBe(0);
  await retry();
  expect((await call('add_line')).approval).toBeNull();
});

test('a call that is given up for its time may have taken effect, and the next of its kind asks', async () => {
  source = createRecordingSource({ timeoutMs: 50 });
  processing = await startProcessing({ sources: [source] });
  chatId = await processing.createChat();
  await processing.send(chatId, 'Go on.');
  const { approval, result } = await call('hang');
  await decide(approval?.id ?? '', 'approve', true);
  await expect(result).rejects.toMatchObject({
    name: 'DoubtError',
    message: expect.stringContaining('Whether it took effect is not known.') as unknown,
  });
  await ask('hang');
  (await turn()).reply('It took too long.');
  await processing.untilAtRest(chatId);
  await retry();
  await ask('hang', 'again');
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
    'The tool “add_line” was not done within 1 second, though it reported progress, so it was given up.',
  );
});
