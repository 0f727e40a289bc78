/**
 * The time for what is kept for some days: a clock that is wrong for a while must not delete anything. A clock that jumps ahead
 * looks just like a computer that was off. So after a step of more than a day, in either direction, the time from before it counts
 * for a day; only then does the clock count again.
 */
import { RESTORE_WINDOW_DAYS } from '../../shared/limits.ts';
import { findSetting, updateSetting } from '../store/settings-repository.ts';
import type { Reader, Writer } from '../store/types.ts';

/** What the clock has shown, in milliseconds. */
interface ClockRecord {
  /** The last time that counted before the last step. */
  before: number;
  /** Where the last step led. */
  since: number;
  /** The newest record. */
  at: number;
}

/** Not among the settings that people see. */
const NAME = 'clock';
const DAY_MS = 24 * 60 * 60 * 1000;

/** Records that the clock shows `now`. Call it every few hours while Parley runs; `isStart`: for the first time in this process. */
export function recordClock(writer: Writer, now: Date, isStart: boolean): void {
  updateSetting(writer, NAME, readRecord(writer, now.getTime(), isStart));
}

/** The time (ISO) that long ago: `now` counts unless the clock has just made a step. 1970 at the earliest. */
export function steadyAgo(reader: Reader, now: Date, ms: number): string {
  const time = now.getTime();
  const { before, since } = readRecord(reader, time);
  const steady = time - since >= DAY_MS ? time : Math.min(before, time);
  return new Date(Math.max(0, steady - ms)).toISOString();
}

/** The time (ISO) to remember for something that happens now: setting the clock back makes nothing look old once it is right again. */
export function steadyNow(reader: Reader, now: Date): string {
  const time = now.getTime();
  return new Date(Math.max(time, readRecord(reader, time).before)).toISOString();
}

/** What was deleted after this time (ISO) can be restored; the rest is to be removed for good. */
export const restorableSince = (reader: Reader, now: Date): string =>
  steadyAgo(reader, now, RESTORE_WINDOW_DAYS * DAY_MS);

/** The time of deletion of what can never be restored: the purge finishes what a crash or a full disk interrupted. */
export const ERASED_AT = new Date(0).toISOString();

/** The record as it is with `now` added. */
function readRecord(reader: Reader, now: number, isStart = false): ClockRecord {
  const known = findSetting(reader, NAME) as ClockRecord | null;
  if (known === null) return { before: 0, since: now, at: now };
  const { before, since, at } = known;
  if (Math.abs(now - at) <= DAY_MS) return { before, since, at: now };
  // Much time may pass between two starts. If the clock hasn't gone back since the last one, it was right then.
  const wasRight = at - since >= DAY_MS || (isStart && now > at);
  return { before: wasRight ? at : before, since: now, at: now };
}
