import { RESTORE_WINDOW_DAYS } from '../../shared/limits.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** What was deleted after this time (ISO) can be restored; what was deleted at it or before is to be removed for good. */
export const restorableSince = (now: Date): string =>
  new Date(now.getTime() - RESTORE_WINDOW_DAYS * DAY_MS).toISOString();

/** The time of deletion of what can never be restored: the purge finishes what a crash or a full disk interrupted. */
export const ERASED_AT = new Date(0).toISOString();
