import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { startTestService } from '../../support/service.ts';
import { createScriptedRuntime } from '../../support/scripted-runtime.ts';

const REPLY_BYTES = 200_000;
const PIECES = 1_000;

test('the log of a long reply that came in small pieces is a small multiple of the reply', async () => {
  const runtime = createScriptedRuntime();
  const { service, ...client } = await startTestService({ runtime });
  const logged = async (): Promise<number> => {
    const dir = join(service.dataDir, 'store');
    const names = (await readdir(dir)).filter((name) => name.startsWith('log-'));
    const sizes = await Promise.all(names.map(async (name) => (await stat(join(dir, name))).size));
    return sizes.reduce((sum, size) => sum + size, 0);
  };
  const { id } = await client.createChat();
  await client.send(id, 'hello');
  const turn = await runtime.turnOf(id);
  const before = await logged();
  let saves = 0;
  onTestFinished(service.store.onChange(() => (saves += 1)));
  for (let index = 0; index < PIECES; index += 1) {
    turn.stream('x'.repeat(REPLY_BYTES / PIECES));
    await delay(3);
  }
  turn.reply();
  await client.settled(id);
  expect((await client.messages(id)).at(-1)?.content).toHaveLength(REPLY_BYTES);
  // Often enough that whole texts would make a great difference: that was over a megabyte.
  expect(saves).toBeGreaterThan(8);
  expect((await logged()) - before).toBeLessThan(2.5 * REPLY_BYTES);
});
