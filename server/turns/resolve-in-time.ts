import type { ResolvedAccess } from '../connections/access.ts';
import { unlessAborted } from '../lib/unless-aborted.ts';

/**
 * What a look-up of a model found. One that takes too long (a key store may wait for a person) is refused with `timed_out`;
 * rejects with the signal's reason as soon as that fires.
 */
export async function resolveInTime(
  looked: Promise<ResolvedAccess>,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<ResolvedAccess> {
  const late = Promise.withResolvers<ResolvedAccess>();
  const message = 'The key of the model’s connection could not be read in time; try again.';
  const timer = setTimeout(() => late.resolve({ kind: 'refused', code: 'timed_out', message }), timeoutMs);
  try {
    return await unlessAborted(signal, Promise.race([looked, late.promise]));
  } finally {
    clearTimeout(timer);
  }
}
