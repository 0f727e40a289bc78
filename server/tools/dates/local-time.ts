import { DateTime, type DateObjectUnits } from 'luxon';
import type { Place } from './zones.ts';

/** The moment a clock in `zone` shows these figures; the earlier one when it shows them twice. */
export function atLocal(fields: DateObjectUnits, zone: string): DateTime {
  const at = DateTime.fromObject(fields, { zone });
  return at.getPossibleOffsets().reduce((first, other) => (other < first ? other : first), at);
}

/**
 * Says in a sentence when a clock in the zone never shows these figures (skipped when clocks go forward) or shows them
 * twice; null for ordinary times.
 */
export function clockNote(fields: DateObjectUnits, zone: string, place: string): string | null {
  const at = atLocal(fields, zone);
  const asked = `${String(fields.hour ?? 0).padStart(2, '0')}:${String(fields.minute ?? 0).padStart(2, '0')}`;
  const onDay = at.toFormat('d MMMM yyyy');
  if (at.hour !== (fields.hour ?? 0) || at.minute !== (fields.minute ?? 0))
    return `Clocks in ${place} go forward on ${onDay} and never show ${asked}; I took ${at.toFormat('HH:mm')}.`;
  const moments = at.getPossibleOffsets();
  if (moments.length < 2) return null;
  return `Clocks in ${place} go back on ${onDay} and show ${asked} twice; I took the first.`;
}

/** A calendar day as tools return it. */
export interface Day {
  /** `2027-03-03`. */
  date: string;
  weekday: string;
  /** `HH:mm`, when a time of day was given. */
  time?: string;
}

export function toDay(at: DateTime, withTime = false): Day {
  return {
    date: at.toFormat('yyyy-MM-dd'),
    weekday: at.setLocale('en').toFormat('cccc'),
    ...(withTime && { time: at.toFormat('HH:mm') }),
  };
}

/** What the clock of a place shows at a moment. */
interface Clock extends Required<Day> {
  /** "Tokyo", "UTC+2". */
  place: string;
  /** "UTC+9". */
  offset: string;
}

export function toClock(at: DateTime, place: Place): Clock {
  const { date, weekday } = toDay(at);
  return { place: place.name, date, weekday, time: at.toFormat('HH:mm'), offset: offsetName(at) };
}

/** "UTC+2", "UTC−3:30", "UTC". */
const offsetName = (at: DateTime): string =>
  at.offset === 0 ? 'UTC' : `UTC${at.toFormat('Z').replace('-', '−')}`;
