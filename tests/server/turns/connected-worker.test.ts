/** Connected models in the agents' own thread. */
import { afterEach, expect, test } from 'vitest';
import { createAgentThreads, type AgentThreads } from '../../../server/turns/agent-threads.ts';
import { threadUrl } from '../../../server/lib/threads.ts';
import { startModelServer, type ModelServer } from '../../support/model-servers/model-server.ts';
import { accessTo } from '../../support/model-servers/model-turn.ts';
import { PLAIN_TEXT, type ScenarioName } from '../../support/model-servers/scenarios.ts';
import { recordedPorts, turnRequest } from '../../support/turns.ts';

let server: ModelServer;
let runtime: AgentThreads;
const logged: string[] = [];

async function start(scenario: ScenarioName, hangMs?: number): Promise<void> {
  server = await startModelServer('openai', { scenario });
  runtime = createAgentThreads({
    workerUrl: threadUrl('agent-worker'),
    log: (line) => logged.push(line),
    ...(hangMs !== undefined && { hangMs }),
  });
}

afterEach(async () => {
  await runtime.close();
  await server.close();
  // Nothing that goes wrong with a model is a fault of ours, a forgotten promise neither.
  expect(logged.splice(0)).toEqual([]);
});

const request = () =>
  turnRequest('hello', { model: 'box/fake-model', access: accessTo(server, 'openai_compatible') });

test('waiting for a slow model is not taken for a hang', async () => {
  await start('slow-first-token', 1_000);
  const result = await runtime.run(request(), recordedPorts());
  expect(result).toMatchObject({ outcome: 'replied', content: PLAIN_TEXT });
});

test('what the model thinks crosses the thread as it grows', async () => {
  await start('reasoning');
  const result = await runtime.run(request(), recordedPorts());
  expect(result).toMatchObject({ content: PLAIN_TEXT, reasoning: 'They greet me, so I greet them.' });
});

test('stopping a turn ends its request on the wire', async () => {
  await start('endless');
  const ports = recordedPorts();
  const running = runtime.run(request(), ports);
  await ports.seen(({ text }) => text !== '');
  ports.abort(new DOMException('stopped', 'AbortError'));
  await expect(running).rejects.toThrow('stopped');
  // Its answer would never end.
  expect(await server.asked()[0]?.clientClosed).toBeTypeOf('number');
});

test.each(['cut', 'stall', 'malformed', 'fault-midway', 'cut-before', 'context-too-long'] as const)(
  '%s leaves no fault behind in the thread',
  async (scenario) => {
    await start(scenario);
    const ports = recordedPorts();
    const running = runtime.run(request(), ports);
    if (scenario !== 'stall') {
      expect(await running).toMatchObject({ outcome: 'failed' });
      return;
    }
    await ports.seen(({ text }) => text !== '');
    ports.abort(new DOMException('stopped', 'AbortError'));
    await expect(running).rejects.toThrow('stopped');
  },
);

test('a reason crosses the thread in words, and no key does', async () => {
  await start('key-refused');
  const result = await runtime.run(request(), recordedPorts());
  expect(result).toMatchObject({ outcome: 'failed', error: { code: 'model_key_refused' } });
  expect(JSON.stringify([result, logged])).not.toContain('0123456789abcdef');
});
