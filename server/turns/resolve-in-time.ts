import type { ResolvedAccess } from '../connections/access.ts';

/** A look-up of a model, and how long it may take. */
export interface TimedLookUp {
  resolve: () => Promise<ResolvedAccess>;
  timeoutMs: number;
  /** Handed what ends the wait at once; whoever calls it looks at nothing that was found. */
  onCancel: (cancel: () => void) => void;
}

/** What a look-up found. One that takes too long (a key store may wait for a person) is refused with `timed_out`. */
export function resolveInTime({ resolve, timeoutMs, onCancel }: TimedLookUp): Promise<ResolvedAccess> {
  return new Promise((settle, reject) => {
    const giveUp = (): void => {
      clearTimeout(timer);
      const message = 'The key of the model’s connection could not be read in time; try again.';
      settle({ kind: 'refused', code: 'timed_out', message });
    };
    const timer = setTimeout(giveUp, timeoutMs);
    onCancel(giveUp);
    resolve()
      .finally(() => clearTimeout(timer))
      .then(settle, reject);
  });
}
