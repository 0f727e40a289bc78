import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { createTempDir } from '../../../support/service.ts';

const PROGRAM = fileURLToPath(new URL('../../../support/write-for-ever.ts', import.meta.url));

it.each([1, 7, 20, 45])(
  'a kill %i ms into writing leaves a file that is one text or the other',
  async (ms) => {
    const root = await realpath(await createTempDir());
    const [notes, data] = [join(root, 'notes'), join(root, 'data')];
    await mkdir(notes);
    await mkdir(data);
    const writer = spawn(process.execPath, [PROGRAM, notes, data], { stdio: ['ignore', 'pipe', 'inherit'] });
    const ended = once(writer, 'exit');
    await once(writer.stdout, 'data');
    await pause(ms);
    writer.kill('SIGKILL');
    await ended;
    const text = await readFile(join(notes, 'long.txt'), 'utf8');
    expect(text).toHaveLength(900_000);
    expect(new Set(text).size).toBe(1);
    const others = (await readdir(notes)).filter((name) => name !== 'long.txt');
    expect(others.length).toBeLessThan(2);
    for (const name of others) expect(name).toMatch(/^\.parley-[0-9a-f]{18}\.tmp$/);
  },
);
