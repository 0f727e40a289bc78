/**
 * The times of a rule. croner finds the dates and times of day that a cron expression names; which moments those are in a time zone
 * is decided here, since croner runs a time that clocks skip at the end of the gap, and some rules twice when clocks go back.
 */
import { Cron } from 'croner';
import { DateTime } from 'luxon';
import { invalidField } from '../errors.ts';
import { atLocal } from '../tools/dates/local-time.ts';

/** When a rule is due. */
export interface DueRule {
  /** Five fields: minute, hour, day of the month, month, weekday. */
  cron: string;
  /** IANA name. */
  timeZone: string;
}

/** Longer than clocks are ever set forward. */
const LONGEST_GAP_HOURS = 3;

/**
 * The first time of a rule after that one; null: it has none. A time that clocks skip comes as much later as they skip, usually an
 * hour; one that they show twice counts once, the first time.
 */
export function nextTime({ cron, timeZone }: DueRule, after: Date): Date | null {
  const dates = parseCron(cron);
  const from = DateTime.fromJSDate(after, { zone: timeZone });
  // After clocks were set forward, the times that they skipped are still to come.
  const skipped = Math.max(0, from.offset - from.minus({ hours: LONGEST_GAP_HOURS }).offset);
  // croner counts on a clock that is never set.
  let shown = from.setZone('UTC', { keepLocalTime: true }).minus({ minutes: skipped }).toJSDate();
  let first: DateTime | null = null;
  for (;;) {
    const next = dates.nextRun(shown);
    if (next === null) break;
    shown = next;
    const { year, month, day, hour, minute } = DateTime.fromJSDate(shown, { zone: 'UTC' });
    // A skipped time may come after one that follows it in the rule.
    if (first !== null && shown >= first.setZone('UTC', { keepLocalTime: true }).toJSDate()) break;
    const at = atLocal({ year, month, day, hour, minute }, timeZone);
    if (at.toMillis() > after.getTime() && (first === null || at < first)) first = at;
  }
  return first?.toJSDate() ?? null;
}

/** Throws AppError `invalid_request` unless it is a cron expression of five fields. */
export function parseCron(cron: string): Cron {
  try {
    return new Cron(cron, { timezone: 'UTC', paused: true, mode: '5-part' });
  } catch {
    throw invalidField(
      'when',
      `“${cron}” is no cron expression: it takes minute, hour, day of the month, month and weekday, such as 0 9 * * 1.`,
    );
  }
}
