import { EventEmitter } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runWindow, type WindowEnd } from '../../electron/window-process.ts';
import { eventually } from '../support/eventually.ts';
import { HAS_SIGNALS, NODE } from '../support/platform.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-test-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

interface Child {
  signals: EventEmitter;
  end: Promise<WindowEnd>;
  /** What it has written down so far: `up`, then each signal it was sent. */
  heard: () => Promise<string>;
}

/** Runs a program in Electron's place. */
function run(source: string, { hasTerminal = false, startMs = 10_000 } = {}): Child {
  const signals = new EventEmitter();
  const path = join(folder, 'heard');
  const prelude = `const note = (text) => require('fs').appendFileSync(${JSON.stringify(path)}, text + ' ');`;
  const end = runWindow({
    program: NODE,
    args: ['-e', prelude + source],
    env: process.env,
    hasTerminal,
    signals,
    startMs,
  });
  return { signals, end, heard: () => readFile(path, 'utf8').catch(() => '') };
}

const WAITS = `
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => { note(signal); if (signal === 'SIGTERM') process.exit(0); });
  setInterval(() => {}, 1000);
  note('up');`;

describe('Electron under npm start', () => {
  it('hands on its exit code', async () => {
    expect(await run('process.exit(3)').end).toEqual({ exitCode: 3 });
    expect(await run('process.exit(0)').end).toEqual({ exitCode: 0 });
  });

  it('that ends at once and not in order had no window, and says how it ended', async () => {
    expect(await run('process.exit(133)').end).toEqual({
      noWindow: 'Electron could not open a window here (exit code 133)',
    });
    expect(
      await runWindow({ program: join(folder, 'none'), args: [], env: {}, hasTerminal: false }),
    ).toMatchObject({
      noWindow: expect.stringContaining('ENOENT') as string,
    });
  });

  it.runIf(process.platform === 'linux')(
    'that aborts, as Chromium does without its sandbox, says what would allow it',
    async () => {
      const end = await run(`process.kill(process.pid, 'SIGTRAP'); setInterval(() => {}, 1000)`).end;
      expect(end).toMatchObject({ noWindow: expect.stringMatching(/SIGTRAP.*chmod 4755/) as string });
    },
  );

  it('that fails later was a window, and nothing is served in its place', async () => {
    expect(await run('setTimeout(() => process.exit(7), 300)', { startMs: 10 }).end).toEqual({ exitCode: 7 });
  });
});

describe.runIf(HAS_SIGNALS)('a signal', () => {
  it('goes to the app when it was sent to this process alone', async () => {
    const child = run(WAITS);
    await eventually(async () => expect(await child.heard()).toBe('up '));
    child.signals.emit('SIGINT');
    await eventually(async () => expect(await child.heard()).toBe('up SIGINT '));
    child.signals.emit('SIGTERM');
    expect(await child.end).toEqual({ exitCode: 0 });
  });

  it('is left to the terminal when that sends it to both itself', async () => {
    const child = run(WAITS, { hasTerminal: true });
    await eventually(async () => expect(await child.heard()).toBe('up '));
    child.signals.emit('SIGINT');
    child.signals.emit('SIGHUP');
    child.signals.emit('SIGTERM');
    expect(await child.end).toEqual({ exitCode: 0 });
    expect(await child.heard()).toBe('up SIGTERM ');
  });

  it('never leads to a headless start, even when the app is gone before it could end in order', async () => {
    const child = run(`setInterval(() => {}, 1000); note('up');`);
    await eventually(async () => expect(await child.heard()).toBe('up '));
    child.signals.emit('SIGTERM');
    expect(await child.end).toEqual({ exitCode: 143 });
  });
});
