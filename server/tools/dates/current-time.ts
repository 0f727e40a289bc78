import { DateTime } from 'luxon';
import type { Static } from 'typebox';
import type { CurrentTimeInput } from './index.ts';
import type { ToolContext } from '../tool.ts';
import { toClock } from './local-time.ts';
import { ownZone, resolvePlace, zoneCity } from './zones.ts';

/** The time now, here or elsewhere. */
export function currentTime(input: Static<typeof CurrentTimeInput>, context: ToolContext) {
  const own = ownZone(context.timeZone);
  const place = input.place === undefined ? { name: zoneCity(own), zone: own } : resolvePlace(input.place);
  return toClock(DateTime.fromJSDate(context.now, { zone: place.zone }), place);
}
