import { applyUpdate, markOf, NO_GROWTH, updateSince, type GrowthUpdate } from '../../../shared/growth.ts';

/** Updates on their way to the main thread. */
export interface GatheredUpdates {
  add: (update: GrowthUpdate) => void;
  /** Forgets what has not been sent, and sends no more. */
  drop(): void;
}

const NOTHING_SENT = markOf(NO_GROWTH);

/**
 * Gathers updates and sends them as one, at most every `everyMs` and not before that time has passed: a quick turn sends
 * none and lets its result speak.
 */
export function gatherUpdates(send: (update: GrowthUpdate) => void, everyMs: number): GatheredUpdates {
  let unsent = NO_GROWTH;
  let timer: NodeJS.Timeout | null = null;
  const flush = (): void => {
    timer = null;
    const update = updateSince(NOTHING_SENT, unsent);
    unsent = NO_GROWTH;
    send(update);
  };
  return {
    add(update) {
      unsent = applyUpdate(unsent, update);
      timer ??= setTimeout(flush, everyMs);
    },
    drop() {
      if (timer !== null) clearTimeout(timer);
    },
  };
}
