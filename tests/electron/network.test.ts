import { expect, it, vi } from 'vitest';
import { setupNetwork } from '../../electron/network.ts';

const log = vi.fn();

it('asks nobody for a proxy unless something comes from elsewhere', async () => {
  const setProxy = vi.fn(async () => undefined);
  await setupNetwork({ setProxy }, { loadsFromElsewhere: false, log });
  await setupNetwork({ setProxy }, { loadsFromElsewhere: true, log });
  expect(setProxy.mock.calls).toEqual([[{ mode: 'direct' }], [{ mode: 'system' }]]);
});

it('goes on as it was when that is refused, and says so in the log', async () => {
  await setupNetwork(
    { setProxy: () => Promise.reject(new Error('refused')) },
    { loadsFromElsewhere: false, log },
  );
  expect(log).toHaveBeenCalledWith(expect.stringContaining('refused'));
});
