import { RESTORE_WINDOW_DAYS } from '../../shared/limits.ts';
import { seenAgo } from './seen-time.ts';
import type { Reader } from '../store/types.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** A long weekend that Parley isn't started in. Whoever is away for longer finds what was deleted before. */
const LONGEST_BREAK_MS = 4 * DAY_MS;

/** What was deleted after this time (ISO) can be restored; what was deleted at it or before is to be removed for good. */
export const restorableSince = (reader: Reader, now: Date): string =>
  seenAgo(reader, now, RESTORE_WINDOW_DAYS * DAY_MS, LONGEST_BREAK_MS);

/** The time of deletion of what can never be restored: the purge finishes what a crash or a full disk interrupted. */
export const ERASED_AT = new Date(0).toISOString();
