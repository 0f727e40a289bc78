import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { hasTrayHost, watchHiddenStart } from '../../electron/tray-host.ts';

describe('a place for tray icons', () => {
  it.each([
    ['gdbus', '(<true>,)\n'],
    ['busctl', 'b true\n'],
  ])('is known from what %s answers', async (program, answer) => {
    const run = (asked: string): Promise<string | null> => Promise.resolve(asked === program ? answer : null);
    expect(await hasTrayHost(run)).toBe(true);
    expect(await hasTrayHost(async (asked) => (await run(asked))?.replace('true', 'false') ?? null)).toBe(
      false,
    );
  });

  it('is missing where nobody watches over icons, or nobody can be asked', async () => {
    expect(await hasTrayHost(() => Promise.resolve(''))).toBe(false);
    expect(await hasTrayHost(() => Promise.resolve(null))).toBe(false);
  });

  describe.runIf(process.platform === 'linux')('of this system', () => {
    const { PATH } = process.env;
    let folder: string;
    beforeEach(async () => {
      folder = await mkdtemp(join(tmpdir(), 'parley-test-'));
      process.env['PATH'] = folder;
    });
    afterEach(async () => {
      process.env['PATH'] = PATH;
      await rm(folder, { recursive: true, force: true });
    });

    it('is asked for with the first program that is there', async () => {
      expect(await hasTrayHost()).toBe(false);
      const program = join(folder, 'busctl');
      await writeFile(
        program,
        `#!/bin/sh\n[ "$5" = IsStatusNotifierHostRegistered ] || [ "$6" = IsStatusNotifierHostRegistered ] && echo 'b true'\n`,
      );
      await chmod(program, 0o755);
      expect(await hasTrayHost()).toBe(true);
    });
  });
});

describe('a hidden start', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  async function start(inTrayAfterMs: number, overAfterMs = Infinity): Promise<boolean> {
    const show = vi.fn();
    const startedAt = Date.now();
    const past = (ms: number): boolean => Date.now() - startedAt >= ms;
    const watched = watchHiddenStart({
      isInTray: () => Promise.resolve(past(inTrayAfterMs)),
      isOver: () => past(overAfterMs),
      show,
    });
    await vi.advanceTimersByTimeAsync(20_000);
    await watched;
    return show.mock.calls.length === 1;
  }

  it('stays without a window where a tray icon is seen, even if the desktop comes up later', async () => {
    expect(await start(0)).toBe(false);
    expect(await start(8_000)).toBe(false);
  });

  it('opens the window where nothing else would lead to Parley', async () => {
    expect(await start(Infinity)).toBe(true);
  });

  it('opens none when there is one already, or Parley ends', async () => {
    expect(await start(Infinity, 3_000)).toBe(false);
  });
});
