import type { DateTime } from 'luxon';
import { Type, type Static } from 'typebox';

/** A calendar day as tools return it. */
export const Day = Type.Object({
  /** `2027-03-03`. */
  date: Type.String(),
  weekday: Type.String(),
  /** `HH:mm`, when a time of day was given. */
  time: Type.Optional(Type.String()),
});
export type Day = Static<typeof Day>;

/** A clock in some place. */
export const Clock = Type.Object({
  /** "Tokyo", "UTC+2". */
  place: Type.String(),
  date: Type.String(),
  weekday: Type.String(),
  /** `HH:mm`. */
  time: Type.String(),
  /** "UTC+9". */
  offset: Type.String(),
});
export type Clock = Static<typeof Clock>;

export function toDay(at: DateTime, withTime = false): Day {
  return {
    date: at.toFormat('yyyy-MM-dd'),
    weekday: at.setLocale('en').toFormat('cccc'),
    ...(withTime ? { time: at.toFormat('HH:mm') } : {}),
  };
}
