import { DateTime } from 'luxon';
import type { Static } from 'typebox';
import type { ConvertTimeInput } from './index.ts';
import type { ToolContext } from '../tool.ts';
import { atLocal, clockNote, toClock } from './local-time.ts';
import { readDate } from './read-date.ts';
import { readTime } from './read-time.ts';
import { ownZone, resolvePlace, zoneCity, type Place } from './zones.ts';

/** A time of one place on the clock of another. */
export function convertTime(input: Static<typeof ConvertTimeInput>, context: ToolContext) {
  const here = ownZone(context.timeZone);
  const own: Place = { name: zoneCity(here), zone: here };
  const from = input.from === undefined ? own : resolvePlace(input.from);
  const to = input.to === undefined ? own : resolvePlace(input.to);
  const today = DateTime.fromJSDate(context.now, { zone: from.zone });
  const day =
    input.date === undefined ? today : readDate(input.date, { now: context.now, timeZone: from.zone }).at;
  const fields = { year: day.year, month: day.month, day: day.day, ...readTime(input.time) };
  const at = atLocal(fields, from.zone);
  const there = at.setZone(to.zone);
  const notes = [clockNote(fields, from.zone, from.name), seasonNote(from, at), seasonNote(to, there)].filter(
    (note) => note !== null,
  );
  return {
    from: toClock(at, from),
    to: toClock(there, to),
    /** Without one it is today where the time was given. */
    dateGiven: input.date !== undefined,
    ...(notes.length > 0 ? { note: notes.join(' ') } : {}),
  };
}

/** Says when an abbreviation of standard time is used in summer, or the other way round. */
function seasonNote(place: Place, at: DateTime): string | null {
  if (!place.season || at.isInDST === (place.season === 'summer')) return null;
  const kept = at.isInDST ? 'daylight saving time' : 'standard time';
  return `${at.zoneName?.split('/').at(-1)?.replaceAll('_', ' ') ?? 'That zone'} is on ${kept} then; I read ${place.name} as its local time.`;
}
