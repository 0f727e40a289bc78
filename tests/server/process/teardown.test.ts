import { describe, expect, it } from 'vitest';
import { createTeardown } from '../../../server/process/teardown.ts';

describe('teardown', () => {
  it('runs the steps in reverse, each once, whatever fails', async () => {
    const log: string[] = [];
    const ran: string[] = [];
    const teardown = createTeardown((line) => log.push(line));
    teardown.add('first', async () => void ran.push('first'));
    teardown.add('second', () => Promise.reject(new Error('stuck')));
    teardown.add('third', () => {
      throw new Error('thrown');
    });
    teardown.add('fourth', async () => void ran.push('fourth'));
    await Promise.all([teardown.run(), teardown.run()]);
    expect(ran).toEqual(['fourth', 'first']);
    expect(log.join('\n')).toMatch(/third.*thrown[^]*second.*stuck/);
  });

  it('begins the steps that are left when one takes too long', async () => {
    const log: string[] = [];
    const ran: string[] = [];
    const teardown = createTeardown((line) => log.push(line), 20);
    teardown.add('store', async () => void ran.push('store'));
    teardown.add('http', () => new Promise<void>(() => undefined));
    await teardown.run();
    expect(ran).toEqual(['store']);
    expect(log).toContain('Stopping http takes too long.');
  });
});
