import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createAgentThreads } from '../../../server/turns/agent-threads.ts';
import { threadUrl } from '../../../server/lib/threads.ts';
import { recordedPorts, turnRequest } from '../../support/turns.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-threads-'));
  await mkdir(join(folder, 'chunks', 'deep'), { recursive: true });
  await writeFile(join(folder, 'agent-worker.js'), '');
});
afterAll(() => rm(folder, { recursive: true }));

const built = (...path: string[]): string => pathToFileURL(join(folder, ...path)).href;

it('finds a built thread beside the entry and beside its folder of chunks', () => {
  expect(threadUrl('agent-worker', built('cli.js')).href).toBe(built('agent-worker.js'));
  expect(threadUrl('agent-worker', built('chunks', 'start.js')).href).toBe(built('agent-worker.js'));
});

it('says so when there is none', () => {
  expect(() => threadUrl('agent-worker', built('chunks', 'deep', 'start.js'))).toThrow(
    'There is no agent-worker.js',
  );
});

/** Tests have threads run from bundles; see support/run/bundle.ts. */
const SOURCE = new URL('../../../server/lib/threads.ts', import.meta.url).href;

it('finds the source, where the real model answers with the real tools', async () => {
  const runtime = createAgentThreads({ workerUrl: threadUrl('agent-worker', SOURCE) });
  try {
    const result = await runtime.run(
      turnRequest('what is 2+2', { model: 'offline-assistant' }),
      recordedPorts(),
    );
    expect(result).toMatchObject({ outcome: 'replied', steps: [{ status: 'done' }] });
    expect(result.content).toContain('4');
  } finally {
    await runtime.close();
  }
});
