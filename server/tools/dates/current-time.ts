import { DateTime } from 'luxon';
import { CurrentTimeInput } from './inputs.ts';
import { defineTool } from '../tool.ts';
import { toClock } from './local-time.ts';
import { ownZone, resolvePlace, zoneCity } from './zones.ts';

/** The time now, here or elsewhere. */
export const currentTime = defineTool({
  name: 'current_time',
  description:
    'Tells the time and date now in a city, country or zone; without a place, where the person is.',
  input: CurrentTimeInput,
  run(input, context) {
    const own = ownZone(context.timeZone);
    const place = input.place === undefined ? { name: zoneCity(own), zone: own } : resolvePlace(input.place);
    return toClock(DateTime.fromJSDate(context.now, { zone: place.zone }), place);
  },
});
