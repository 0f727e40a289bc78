import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hasTrayHost } from '../../electron/tray-host.ts';

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
