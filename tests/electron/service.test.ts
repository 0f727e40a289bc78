import { describe, expect, it, vi } from 'vitest';
import { startWithHelp, type StartDeps } from '../../electron/service.ts';
import { OwnedError } from '../../server/process/owner/owner.ts';
import type { Service } from '../../server/service.ts';

const SERVICE = { url: 'http://127.0.0.1:1' } as Service;
const owned = (baseUrl: string | null = 'http://127.0.0.1:4141'): OwnedError =>
  new OwnedError('/data', { pid: 7, baseUrl });

function setUp(start: StartDeps['start'], over: Partial<StartDeps['dialogs']> = {}) {
  const dialogs = {
    notStarted: vi.fn(async () => 'quit' as const),
    owned: vi.fn(async () => 'quit' as const),
    ...over,
  };
  const deps = {
    start,
    ready: Promise.resolve(),
    dialogs,
    linkOfOwner: vi.fn<() => Promise<string | null>>(async () => 'http://127.0.0.1:4141/#token=page_1'),
    openExternal: vi.fn(async () => undefined),
    isQuitting: () => false,
    log: vi.fn(),
  };
  return { deps, dialogs, outcome: () => startWithHelp(deps) };
}

describe('the start', () => {
  it('gives the service and asks nothing when all is well', async () => {
    const { outcome, dialogs } = setUp(async () => SERVICE);
    expect(await outcome()).toBe(SERVICE);
    expect(dialogs.notStarted).not.toHaveBeenCalled();
  });

  it('tells why it failed, and tries again when the person wants it', async () => {
    const start = vi
      .fn<() => Promise<Service>>()
      .mockRejectedValueOnce(new Error('The store is damaged.'))
      .mockResolvedValue(SERVICE);
    const notStarted = vi.fn(async () => 'again' as const);
    const { outcome } = setUp(start, { notStarted });
    expect(await outcome()).toBe(SERVICE);
    expect(notStarted).toHaveBeenCalledWith('The store is damaged.');
  });

  it('ends with exit code 1 when the person gives up, and the log has the details', async () => {
    const { outcome, deps } = setUp(async () => {
      throw new Error('broken');
    });
    expect(await outcome()).toEqual({ exitCode: 1 });
    expect(deps.log.mock.calls.join()).toContain('broken');
  });

  it('asks nothing and begins nothing while the app is on its way out', async () => {
    const start = vi.fn(() => Promise.reject<Service>(new Error('broken')));
    const late = setUp(start);
    expect(await startWithHelp({ ...late.deps, isQuitting: () => true })).toEqual({ exitCode: 0 });
    expect(late.dialogs.notStarted).not.toHaveBeenCalled();
    let isQuitting = false;
    const asked = setUp(start, {
      notStarted: async () => {
        isQuitting = true;
        return 'again';
      },
    });
    expect(await startWithHelp({ ...asked.deps, isQuitting: () => isQuitting })).toEqual({ exitCode: 0 });
    expect(start).toHaveBeenCalledTimes(2);
  });

  it('waits with its dialog until one can be shown', async () => {
    const ready = Promise.withResolvers<undefined>();
    const { deps, dialogs } = setUp(() => Promise.reject(new Error('broken')));
    const outcome = startWithHelp({ ...deps, ready: ready.promise });
    await new Promise((resolve) => setImmediate(resolve));
    expect(dialogs.notStarted).not.toHaveBeenCalled();
    ready.resolve(undefined);
    await outcome;
    expect(dialogs.notStarted).toHaveBeenCalledOnce();
  });
});

describe('a data folder that a headless Parley has', () => {
  const taken = (): Promise<Service> => Promise.reject(owned());

  it('is told with its owner, and ends with exit code 3 unless something else is wanted', async () => {
    const { outcome, dialogs } = setUp(taken);
    expect(await outcome()).toEqual({ exitCode: 3 });
    expect(dialogs.owned).toHaveBeenCalledWith({ pid: 7, baseUrl: 'http://127.0.0.1:4141' });
  });

  it('is opened in the browser, signed in', async () => {
    const { outcome, deps } = setUp(taken, { owned: async () => 'open' });
    expect(await outcome()).toEqual({ exitCode: 0 });
    expect(deps.openExternal).toHaveBeenCalledWith('http://127.0.0.1:4141/#token=page_1');
  });

  it('is opened at its address, where the page asks for the key, when it gives no link', async () => {
    const { outcome, deps } = setUp(taken, { owned: async () => 'open' });
    deps.linkOfOwner.mockResolvedValue(null);
    await outcome();
    expect(deps.openExternal).toHaveBeenCalledWith('http://127.0.0.1:4141');
  });

  it('is asked about again when the browser can’t be opened, and the log has no link', async () => {
    const ownedAsked = vi
      .fn<() => Promise<'open' | 'quit'>>()
      .mockResolvedValueOnce('open')
      .mockResolvedValue('quit');
    const { outcome, deps } = setUp(taken, { owned: ownedAsked });
    deps.openExternal.mockRejectedValue(new Error('no browser for http://127.0.0.1:4141/#token=page_1'));
    expect(await outcome()).toEqual({ exitCode: 3 });
    expect(ownedAsked).toHaveBeenCalledTimes(2);
    expect(deps.log.mock.calls.join()).toContain('could not be opened');
    expect(deps.log.mock.calls.join()).not.toContain('token=');
  });

  it('is tried again once that one has ended', async () => {
    const start = vi
      .fn<() => Promise<Service>>()
      .mockRejectedValueOnce(owned(null))
      .mockResolvedValue(SERVICE);
    const { outcome } = setUp(start, { owned: async () => 'again' });
    expect(await outcome()).toBe(SERVICE);
  });
});
