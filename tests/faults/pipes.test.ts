/** Named pipes among Parley's own files: opening one for reading would wait for a writer for ever. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { HAS_SIGNALS } from '../support/platform.ts';
import { createTempDir, startTestService } from '../support/service.ts';

it.runIf(HAS_SIGNALS).each(['log-9', 'snapshot-9.check'])(
  'a pipe in the store called %s holds up neither start nor stop, and nothing is lost',
  async (name) => {
    const dataDir = await createTempDir();
    const first = await startTestService({ dataDir });
    const chat = await first.createChat();
    await first.service.close();
    execFileSync('mkfifo', [join(dataDir, 'store', name)]);
    for (let starts = 0; starts < 2; starts += 1) {
      const again = await startTestService({ dataDir });
      expect((await again.chat(chat.id)).id).toBe(chat.id);
      await again.service.close();
    }
  },
);

it.runIf(HAS_SIGNALS)('a pipe in the place of a snapshot is refused by its name', async () => {
  const dataDir = await createTempDir();
  await (await startTestService({ dataDir })).service.close();
  execFileSync('mkfifo', [join(dataDir, 'store', 'snapshot-9.sqlite')]);
  await expect(startTestService({ dataDir })).rejects.toThrow(/snapshot-9\.sqlite is not a file, but/);
});
