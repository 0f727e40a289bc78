import { describe, expect, it } from 'vitest';
import { createTeardown } from '../../../server/process/teardown.ts';

describe('teardown', () => {
  it('runs the steps in reverse, the last ones after all others, each once, whatever fails', async () => {
    const log: string[] = [];
    const ran: string[] = [];
    const teardown = createTeardown((line) => log.push(line));
    teardown.addLast('owner', async () => void ran.push('owner'));
    teardown.addLast('store', async () => void ran.push('store'));
    teardown.add('first', async () => void ran.push('first'));
    teardown.add('second', () => Promise.reject(new Error('stuck')));
    teardown.add('third', () => {
      throw new Error('thrown');
    });
    teardown.add('fourth', async () => void ran.push('fourth'));
    await Promise.all([teardown.run(), teardown.run()]);
    expect(ran).toEqual(['fourth', 'first', 'store', 'owner']);
    expect(log.join('\n')).toMatch(/third.*thrown[^]*second.*stuck/);
  });

  it('has no step wait for another that hangs, and leaves time for the last ones', async () => {
    const log: string[] = [];
    const ran: string[] = [];
    const limits = { deadlineMs: 60_000, firstDeadlineMs: 50 };
    const teardown = createTeardown((line) => log.push(line), limits);
    const flushed = Promise.withResolvers<undefined>();
    teardown.addLast('store', async () => {
      await flushed.promise;
      ran.push('store');
    });
    teardown.add('turns', async () => void ran.push('turns'));
    teardown.add('http', () => new Promise<void>(() => undefined));
    const ended = teardown.run();
    await expect.poll(() => log).toContain('Stopping http takes too long.');
    flushed.resolve(undefined);
    await ended;
    expect(ran).toEqual(['turns', 'store']);
  });

  it('ends although the last step hangs', async () => {
    const log: string[] = [];
    const teardown = createTeardown((line) => log.push(line), { deadlineMs: 20 });
    teardown.addLast('store', () => new Promise<void>(() => undefined));
    await teardown.run();
    expect(log).toEqual(['Stopping store takes too long.']);
  });
});
