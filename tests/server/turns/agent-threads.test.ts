import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  createAgentThreads,
  type AgentThreads,
  type AgentThreadsOptions,
} from '../../../server/turns/agent-threads.ts';
import type { Step } from '../../../shared/api/message.ts';
import { ThreadLostError } from '../../../server/agents/turn.ts';
import { ToolError } from '../../../server/tools/tool.ts';
import { bundled } from '../../support/bundled.ts';
import { scriptOf } from '../../support/scripted-model.ts';
import { createTempDir } from '../../support/service.ts';
import { recordedPorts, turnAgent, turnRequest } from '../../support/turns.ts';

const WORKER = bundled('scripted-agent-worker');

/** Ends the text of a turn that a test waits for while it runs. */
const HI = scriptOf([{ say: 'Hi.' }]);

const runtimes: AgentThreads[] = [];
const logged: string[] = [];

function start(options: Partial<AgentThreadsOptions> = {}): AgentThreads {
  const runtime = createAgentThreads({ workerUrl: WORKER, log: (line) => logged.push(line), ...options });
  runtimes.push(runtime);
  return runtime;
}

afterEach(async () => {
  await Promise.all(runtimes.splice(0).map((runtime) => runtime.close()));
  logged.length = 0;
});

/** How many threads have been lost, as the log tells. */
const losses = (): number => logged.filter((line) => line.includes('is lost')).length;

describe('a turn in a worker', () => {
  it('comes back whole, without updates when it is quick', async () => {
    const ports = recordedPorts();
    const script = scriptOf([{ call: 'add', input: { a: 1, b: 2 } }], [{ say: 'Three.' }]);
    const result = await start({ updateMs: 5_000 }).run(turnRequest(script), ports);
    expect(result).toMatchObject({
      outcome: 'replied',
      content: 'Three.',
      steps: [{ tool: 'add', status: 'done', output: { sum: 3 } }],
    });
    expect(ports.updates).toEqual([]);
  });

  it('tells what it has while it goes on', async () => {
    const ports = recordedPorts();
    const script = scriptOf(
      [{ say: 'Wait' }, { call: 'wait', input: { ms: 300 } }],
      [{ waitMs: 300 }, { say: 'Done.' }],
    );
    const running = start({ updateMs: 10 }).run(turnRequest(script), ports);
    await ports.seen((update) => update.steps?.[0]?.status === 'running');
    expect(ports.text).toBe('Wait');
    await ports.seen((update) => update.steps?.[0]?.status === 'done');
    expect(await running).toMatchObject({ content: 'Wait\n\nDone.' });
  });

  it('gets no tools in mode chat', async () => {
    const script = scriptOf([{ call: 'add', input: { a: 1, b: 2 } }], [{ say: 'No.' }]);
    const result = await start().run(turnRequest(script, { mode: 'chat' }), recordedPorts());
    expect(result).toMatchObject({ content: 'No.', steps: [{ status: 'failed' }] });
  });

  const NOTING = scriptOf([{ call: 'note', input: { text: 'milk' } }], [{ say: 'Well.' }]);
  const noting = () =>
    turnRequest(NOTING, {
      agent: turnAgent({}, [
        { runs: 'service', name: 'note', description: 'Keeps a note.', input: { type: 'object' } },
      ]),
    });

  it('has the service call its tools, and shows what a person is asked meanwhile', async () => {
    const ports = recordedPorts();
    const approval = { id: 'a', expiresAt: '2026-03-01T11:30:00.000Z', canRemember: true };
    const stepWith = (status: Step['status']) =>
      ports.seen(({ steps }) => steps?.some((step) => step.status === status) === true);
    ports.callTool = async (...[tool, input, onApproval]) => {
      onApproval(approval);
      await stepWith('awaiting_approval');
      onApproval(null);
      await stepWith('running');
      return { output: { tool, input } };
    };
    const { steps } = await start({ updateMs: 5 }).run(noting(), ports);
    expect(steps).toMatchObject([{ status: 'done', output: { tool: 'note', input: { text: 'milk' } } }]);
    expect(ports.updates.flatMap((update) => update.steps ?? [])).toContainEqual(
      expect.objectContaining({ approval }),
    );
  });

  it.each([
    ['shows the words of a refusal', (): Error => new ToolError('The disk is full.'), 'The disk is full.'],
    ['hides a fault', (): Error => new Error('secret'), 'The tool “note” failed because of a bug in it.'],
  ])('whose call is rejected %s', async (_, error, words) => {
    const ports = recordedPorts();
    ports.callTool = () => Promise.reject(error());
    const result = await start().run(noting(), ports);
    expect(result).toMatchObject({ content: 'Well.', steps: [{ status: 'failed', error: words }] });
  });

  it('has large outputs cut short', async () => {
    const script = scriptOf([{ call: 'flood', input: { length: 1_000_000 } }], [{ say: 'Long.' }]);
    const result = await start().run(turnRequest(script), recordedPorts());
    expect(JSON.stringify(result).length).toBeLessThan(300_000);
  });

  it('ends at the step limit', async () => {
    const script = scriptOf([{ call: 'add', input: { a: 1, b: 2 } }]);
    const result = await start().run(turnRequest(script), recordedPorts());
    expect(result).toMatchObject({ outcome: 'replied', stopReason: 'step_limit' });
  });

  it('is not taken for hung, however fast others follow it', async () => {
    const hangMs = 1_000;
    const runtime = start({ hangMs });
    const until = performance.now() + 2 * hangMs;
    const runMany = async (): Promise<void> => {
      while (performance.now() < until) await runtime.run(turnRequest(HI), recordedPorts());
    };
    await Promise.all(Array.from({ length: 32 }, runMany));
    expect(losses()).toBe(0);
  });

  it('runs beside many others', async () => {
    const runtime = start();
    const results = await Promise.all(
      Array.from({ length: 64 }, (_, index) =>
        runtime.run(turnRequest(scriptOf([{ say: `Reply ${index}` }])), recordedPorts()),
      ),
    );
    expect(results.map((result) => result.content)).toEqual(
      Array.from({ length: 64 }, (_, i) => `Reply ${i}`),
    );
  });

  it('is not disturbed by a promise somebody forgot or an update that is not taken', async () => {
    const ports = recordedPorts();
    ports.onUpdate = () => {
      throw new Error('not taken');
    };
    const script = scriptOf([{ say: 'a' }, { waitMs: 100 }, { say: 'b' }]);
    expect(await start({ updateMs: 5 }).run(turnRequest(script), ports)).toMatchObject({ content: 'ab' });
    expect(logged.join()).toContain('not taken');
  });
});

describe('stopping a turn in a worker', () => {
  const reason = new Error('stopped by a person');

  it('rejects with the reason and leaves its neighbours alone', async () => {
    const runtime = start({ updateMs: 5 });
    const ports = recordedPorts();
    const neighbour = runtime.run(
      turnRequest(scriptOf([{ waitMs: 300 }, { say: 'Here.' }])),
      recordedPorts(),
    );
    const running = runtime.run(turnRequest(scriptOf([{ say: 'a' }, { stall: true }])), ports);
    await ports.seen((update) => update.text === 'a');
    ports.abort(reason);
    await expect(running).rejects.toBe(reason);
    expect(await neighbour).toMatchObject({ content: 'Here.' });
    expect(losses()).toBe(0);
  });

  it('rejects before the thread has even started', async () => {
    const ports = recordedPorts();
    const running = start().run(turnRequest(HI), ports);
    ports.abort(reason);
    await expect(running).rejects.toBe(reason);
    await expect(start().run(turnRequest(HI), ports)).rejects.toBe(reason);
  });

  it('rejects at once while its tool loops for ever, and the service goes on', async () => {
    const runtime = start({ hangMs: 1_500, updateMs: 5 });
    const ports = recordedPorts();
    const writes = join(await createTempDir(), 'hanging');
    const script = scriptOf([{ call: 'hang', input: { afterMs: 100, writes } }]);
    const running = runtime.run(turnRequest(script), ports);
    await expect.poll(() => existsSync(writes)).toBe(true);
    ports.abort(reason);
    await expect(running).rejects.toBe(reason);
    expect(losses()).toBe(0);
    await expect(runtime.run(turnRequest(HI), recordedPorts())).rejects.toThrow(ThreadLostError);
    expect(await runtime.run(turnRequest(HI), recordedPorts())).toMatchObject({ content: 'Hi.' });
    expect(losses()).toBe(1);
  });
});

describe('a lost thread', () => {
  const shared = expect.objectContaining({ name: 'ThreadLostError', wasShared: true }) as unknown;
  const own = expect.objectContaining({ name: 'ThreadLostError', wasShared: false }) as unknown;
  const EXIT = scriptOf([{ call: 'exit', input: { once: false } }]);

  it('is lost for all turns that shared it, and what comes next gets another', async () => {
    const runtime = start();
    const turns = [EXIT, scriptOf([{ waitMs: 60_000 }])].map((script) =>
      runtime.run(turnRequest(script), recordedPorts()),
    );
    expect(await Promise.allSettled(turns)).toEqual([
      { status: 'rejected', reason: shared },
      { status: 'rejected', reason: shared },
    ]);
    expect(await runtime.run(turnRequest(HI), recordedPorts())).toMatchObject({ content: 'Hi.' });
    expect(losses()).toBe(1);
  });

  it('takes nobody along when its turn was alone in it', async () => {
    const runtime = start({ updateMs: 5 });
    const ports = recordedPorts();
    const neighbour = runtime.run(
      turnRequest(scriptOf([{ say: 'Still ' }, { waitMs: 1_000 }, { say: 'here.' }])),
      ports,
    );
    await ports.seen((update) => update.text !== '');
    await expect(runtime.run(turnRequest(EXIT, { alone: true }), recordedPorts())).rejects.toEqual(own);
    expect(await neighbour).toMatchObject({ content: 'Still here.' });
  });

  it('that cannot start is given up, in words', async () => {
    const workerUrl = new URL('../../support/broken-agent-worker.ts', import.meta.url);
    const runtime = start({ workerUrl });
    for (const alone of [undefined, true] as const) {
      const running = runtime.run(turnRequest(HI, alone && { alone }), recordedPorts());
      await expect(running).rejects.toEqual(own);
      await expect(running).rejects.toMatchObject({
        code: 'agent_crashed',
        message: expect.stringContaining('could not be started') as string,
      });
    }
    expect(logged.join('\n')).toContain('cannot start');
    expect(losses()).toBe(2);
  });

  it('for which there is no file descriptor says so, and one starts when there is', async () => {
    const starved = join(await createTempDir(), 'starved');
    await writeFile(starved, '');
    const workerUrl = new URL('../../support/starved-agent-worker.ts', import.meta.url);
    vi.stubEnv('STARVED_WHILE', starved);
    onTestFinished(() => void vi.unstubAllEnvs());
    const runtime = start({ workerUrl });
    await expect(runtime.run(turnRequest(HI), recordedPorts())).rejects.toMatchObject({
      code: 'agent_crashed',
      message: expect.stringContaining('files and connections') as string,
      wasShared: false,
    });
    await rm(starved);
    expect((await runtime.run(turnRequest(HI), recordedPorts())).outcome).toBe('replied');
  });
});

describe('the thread', () => {
  const threadOf = async (runtime: AgentThreads): Promise<unknown> => {
    const result = await runtime.run(
      turnRequest(scriptOf([{ call: 'thread' }], [{ say: 'a' }])),
      recordedPorts(),
    );
    return result.steps[0]?.output;
  };

  it('is kept from turn to turn', async () => {
    const runtime = start();
    runtime.warm();
    const first = await threadOf(runtime);
    expect(first).toBeTypeOf('string');
    expect(await threadOf(runtime)).toBe(first);
  });

  it('is given back when idle and started again when needed', async () => {
    const runtime = start({ idleMs: 20 });
    const first = await threadOf(runtime);
    await expect.poll(() => threadOf(runtime), { interval: 300, timeout: 20_000 }).not.toBe(first);
    expect(losses()).toBe(0);
  });

  it('is checked while turns run in it, and no more once it is idle', async () => {
    const checks = vi.spyOn(Atomics, 'load');
    onTestFinished(() => checks.mockRestore());
    const runtime = start({ hangMs: 500 });
    await runtime.run(
      turnRequest(scriptOf([{ call: 'wait', input: { ms: 200 } }], [{ say: 'a' }])),
      recordedPorts(),
    );
    expect(checks).toHaveBeenCalled();
    checks.mockClear();
    await setTimeout(300);
    expect(checks.mock.calls.length).toBeLessThanOrEqual(1);
  });

  it('neither keeps an idle process alive nor writes to its output', async () => {
    const program = `
      import { createAgentThreads } from '${new URL('../../../server/turns/agent-threads.ts', import.meta.url).href}';
      import { recordedPorts, turnRequest } from '${new URL('../../support/turns.ts', import.meta.url).href}';
      const runtime = createAgentThreads({ workerUrl: new URL('${WORKER.href}') });
      runtime.warm();
      const result = await runtime.run(turnRequest('${HI}'), recordedPorts());
      process.stdout.write(result.content);
    `;
    const { stdout, stderr } = await promisify(execFile)(
      process.execPath,
      ['--input-type=module', '--eval', program],
      { timeout: 20_000 },
    );
    expect({ stdout, stderr }).toEqual({ stdout: 'Hi.', stderr: '' });
  });
});

describe('closing', () => {
  it('rejects what runs, even in a loop, and what comes later', async () => {
    const runtime = start({ updateMs: 5 });
    const ports = recordedPorts();
    const running = runtime.run(turnRequest(scriptOf([{ call: 'hang', input: { afterMs: 50 } }])), ports);
    const rejected = expect(running).rejects.toThrow('is closed');
    await ports.seen((update) => update.steps !== undefined);
    await runtime.close();
    await rejected;
    await expect(runtime.run(turnRequest(HI), recordedPorts())).rejects.toThrow('is closed');
    await runtime.close();
  });
});
