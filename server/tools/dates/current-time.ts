import { DateTime } from 'luxon';
import { CurrentTimeInput } from './inputs.ts';
import { defineTool } from '../tool.ts';
import { offsetName } from './local-time.ts';
import { Clock } from './schemas.ts';
import { ownZone, resolvePlace, zoneCity, type Place } from './zones.ts';

/** The time now, here or elsewhere. */
export const currentTime = defineTool({
  name: 'current_time',
  description:
    'Tells the time and date now in a city, country or zone; without a place, where the person is.',
  input: CurrentTimeInput,
  output: Clock,
  run(input, context) {
    const own = ownZone(context.timeZone);
    const place = input.place === undefined ? { name: zoneCity(own), zone: own } : resolvePlace(input.place);
    return toClock(DateTime.fromJSDate(context.now, { zone: place.zone }), place);
  },
});

/** What the clock of a place shows at a moment. */
export function toClock(at: DateTime, place: Place): Clock {
  return {
    place: place.name,
    date: at.toFormat('yyyy-MM-dd'),
    weekday: at.setLocale('en').toFormat('cccc'),
    time: at.toFormat('HH:mm'),
    offset: offsetName(at),
  };
}
