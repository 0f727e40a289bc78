import { vi } from 'vitest';

/** Waits until the check passes, however slow the machine; fails with what it threw last. */
export const eventually = <T>(check: () => T | Promise<T>): Promise<T> =>
  vi.waitFor(check, { timeout: 30_000, interval: 20 });
