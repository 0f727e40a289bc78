import { expect, it, onTestFinished } from 'vitest';
import type { TurnRequest } from '../../../server/agents/turn.ts';
import { createStatelessTurns, type StatelessRequest } from '../../../server/turns/stateless-turns.ts';
import { createScriptedRuntime, echo, type ScriptedRuntime } from '../../support/scripted-runtime.ts';
import { openTempStore } from '../../support/store.ts';

async function start(runtime: ScriptedRuntime, turnTimeoutMs = 60_000) {
  const temp = await openTempStore();
  onTestFinished(() => temp.remove());
  const faults: unknown[] = [];
  const box = { baseUrl: 'http://old.test/v1' };
  const turns = createStatelessTurns({
    store: temp.store,
    runtime,
    resolveAccess: (model) =>
      Promise.resolve(
        model === 'gone'
          ? { kind: 'refused', code: 'model_not_found', message: 'It is gone.' }
          : model === 'box/m'
            ? {
                kind: 'connected',
                access: { provider: 'openai_compatible', apiKey: null, modelId: 'm', ...box },
              }
            : { kind: 'built_in' },
      ),
    clock: () => new Date('2026-01-02T03:04:05Z'),
    timeZone: () => 'Europe/Paris',
    turnTimeoutMs: () => turnTimeoutMs,
    onError: (error) => faults.push(error),
  });
  const run = (request: Partial<StatelessRequest> = {}) =>
    turns.run({
      model: 'offline-assistant',
      readInput: () =>
        Promise.resolve({
          of: 'agent',
          agentType: 'orchestrator',
          parameters: { instructions: 'Be brief.', temperature: 0 },
          messages: [{ role: 'user', content: 'Hi', steps: [] }],
        }),
      rehearsal: { opening: 'Hi', turn: 0 },
      holder: 'a key',
      signal: new AbortController().signal,
      onGrowth: () => undefined,
      ...request,
    });
  return { run, turns, faults, box };
}

const requestOf = (runtime: ScriptedRuntime): TurnRequest | undefined => runtime.turns[0]?.request;

it('gives the agent what was asked, with tools that neither reach out nor ask', async () => {
  const runtime = createScriptedRuntime(echo);
  const { run } = await start(runtime);
  expect(await run()).toMatchObject({ outcome: 'replied', content: 'Re: Hi' });
  expect(requestOf(runtime)).toMatchObject({
    agent: {
      name: 'orchestrator',
      instructions: expect.stringMatching(/\n\nBe brief\.$/) as string,
      parameters: { temperature: 0 },
    },
    now: '2026-01-02T03:04:05.000Z',
    timeZone: 'Europe/Paris',
  });
  const offered = requestOf(runtime)?.agent.offered ?? [];
  expect(offered.map(({ name }) => name)).toContain('calculate');
  expect(offered.filter(({ runs }) => runs === 'service')).toEqual([]);
});

it('lets it neither read nor change a workspace, in words', async () => {
  const runtime = createScriptedRuntime();
  const { run } = await start(runtime);
  const turn = run();
  await expect.poll(() => runtime.turns.length).toBe(1);
  const { offered = [] } = requestOf(runtime)?.agent ?? {};
  const ofWorkspace = offered.filter(({ runs }) => runs === 'workspace').map(({ name }) => name);
  expect(ofWorkspace).toContain('remember_note');
  for (const name of ofWorkspace) {
    const called = runtime.turns[0]?.ports.callTool(name, { text: 'x', query: 'x' }, () => undefined);
    await expect(called).rejects.toThrow('kept nowhere');
  }
  runtime.turns[0]?.reply('Done.');
  expect((await turn).content).toBe('Done.');
});

it('fails with words where there is no model, no progress, or a fault of ours', async () => {
  const runtime = createScriptedRuntime();
  const { run, faults } = await start(runtime, 30);
  expect(await run({ model: 'gone' })).toMatchObject({
    error: { code: 'model_not_found', message: 'It is gone.' },
  });
  expect(await run()).toMatchObject({ outcome: 'failed', error: { code: 'timed_out' } });
  runtime.onTurn = (turn) => turn.crash();
  expect(await run()).toMatchObject({ outcome: 'failed', error: { code: 'agent_crashed' } });
  expect(faults).toHaveLength(1);
});

it('is left by whoever waits for it, before and after it begins', async () => {
  const runtime = createScriptedRuntime();
  const { run } = await start(runtime);
  const leaving = new AbortController();
  const all = Array.from({ length: 20 }, () => run({ signal: leaving.signal }));
  const outcomes = Promise.allSettled(all);
  await expect.poll(() => runtime.running().length).toBe(16);
  leaving.abort(new Error('gone'));
  expect((await outcomes).map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 'rejected'));
  expect(runtime.turns.length).toBe(16);
  runtime.onTurn = echo;
  expect((await run()).content).toBe('Re: Hi');
});

it('begins no more once it is closed', async () => {
  const runtime = createScriptedRuntime();
  const { run, turns } = await start(runtime);
  const underWay = run();
  const outcome = expect(underWay).rejects.toMatchObject({ code: 'shutting_down' });
  await expect.poll(() => runtime.turns.length).toBe(1);
  turns.close();
  await outcome;
  await expect(run()).rejects.toMatchObject({ code: 'shutting_down' });
});

it('serves clients in turn, so that many turns of one hold up nobody else', async () => {
  const runtime = createScriptedRuntime();
  const { run } = await start(runtime);
  const busy = Array.from({ length: 60 }, () => run({ holder: 'busy' }));
  const inProgress = runtime.turns;
  await expect.poll(() => inProgress.length).toBe(16);
  const other = run({ holder: 'other', model: 'another' });
  runtime.onTurn = echo;
  inProgress[0]?.reply('Done.');
  await other;
  expect(inProgress.findIndex(({ request }) => request.model === 'another')).toBe(16);
  for (const turn of runtime.running()) turn.reply('Done.');
  await Promise.all(busy);
});

it('ends with what was written when its connection is removed, and not when another one is', async () => {
  const runtime = createScriptedRuntime();
  const { run, turns } = await start(runtime);
  const turn = run({ model: 'box/m' });
  await expect.poll(() => runtime.turns.length).toBe(1);
  runtime.turns[0]?.stream('Half');
  turns.forEachTurn((each) => each.noteConnection('other', true));
  expect(runtime.turns[0]?.isOver).toBe(false);
  turns.forEachTurn((each) => each.noteConnection('box', true));
  expect(await turn).toMatchObject({
    outcome: 'failed',
    content: 'Half',
    error: { code: 'model_not_found', message: expect.stringContaining('was removed') as string },
  });
  expect(runtime.turns[0]?.isOver).toBe(true);
});

it('ends also while it is being prepared', async () => {
  const runtime = createScriptedRuntime();
  const { run, turns } = await start(runtime);
  const result = run({
    model: 'box/m',
    readInput: async () => {
      turns.forEachTurn((each) => each.noteConnection('box', true));
      return { of: 'agent', agentType: 'orchestrator', parameters: {}, messages: [] };
    },
  });
  expect(await result).toMatchObject({ outcome: 'failed', error: { code: 'model_not_found' } });
  expect(runtime.turns).toEqual([]);
});

it('asks at the new address when its connection was moved before it has written anything', async () => {
  const runtime = createScriptedRuntime();
  const { run, turns, box } = await start(runtime);
  const turn = run({ model: 'box/m' });
  await expect.poll(() => runtime.turns.length).toBe(1);
  box.baseUrl = 'http://new.test/v1';
  turns.forEachTurn((each) => each.noteConnection('box', false));
  await expect.poll(() => runtime.turns.length).toBe(2);
  expect(runtime.turns.map(({ request, isOver }) => [request.access?.baseUrl, isOver])).toEqual([
    ['http://old.test/v1', true],
    ['http://new.test/v1', false],
  ]);
  runtime.turns[1]?.stream('Hello');
  turns.forEachTurn((each) => each.noteConnection('box', false));
  runtime.turns[1]?.reply();
  expect(await turn).toMatchObject({ outcome: 'replied', content: 'Hello' });
  expect(runtime.turns).toHaveLength(2);
});
