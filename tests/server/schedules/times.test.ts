import { describe, expect, it } from 'vitest';
import { nextTime } from '../../../server/schedules/times.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const YEAR = 2027;
const START = Date.UTC(YEAR, 0, 1);
const END = Date.UTC(YEAR + 1, 0, 1);

/** Without luxon and croner: what the clocks of a zone show, from Intl alone. */
function zoneOf(timeZone: string) {
  const format = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' });
  const offsets = new Map<number, number>();
  const offsetAt = (at: number): number => {
    const slot = Math.floor(at / (30 * MINUTE));
    const known = offsets.get(slot);
    if (known !== undefined) return known;
    const name = format.formatToParts(slot * 30 * MINUTE).find(({ type }) => type === 'timeZoneName')?.value;
    const [, sign = '+', hours = '0', minutes = '0'] = /GMT(?:([+-])(\d\d):(\d\d))?/.exec(name ?? '') ?? [];
    const offset = (sign === '-' ? -1 : 1) * (Number(hours) * HOUR + Number(minutes) * MINUTE);
    offsets.set(slot, offset);
    return offset;
  };
  const all = new Set<number>();
  const changes: number[] = [];
  for (let at = START - 48 * HOUR; at < END + 48 * HOUR; at += 12 * HOUR) {
    all.add(offsetAt(at));
    if (offsetAt(at) !== offsetAt(at - 12 * HOUR)) changes.push(at);
  }
  return {
    changes,
    /** The first moment at which clocks show this (as if it were UTC); if they never do, as much later as they skip. */
    momentOf(shown: number): number {
      const moments = [...all].map((offset) => shown - offset).filter((at) => at + offsetAt(at) === shown);
      return moments.length > 0
        ? Math.min(...moments)
        : shown - offsetAt(shown - Math.max(...all) - 3 * HOUR);
    },
  };
}

const RULES: readonly [cron: string, fits: (shown: Date) => boolean][] = [
  ['30 2 * * *', (at) => at.getUTCHours() === 2 && at.getUTCMinutes() === 30],
  ['0 0 * * *', (at) => at.getUTCHours() === 0 && at.getUTCMinutes() === 0],
  ['15 2,3 * * *', (at) => [2, 3].includes(at.getUTCHours()) && at.getUTCMinutes() === 15],
  ['0 */2 * * *', (at) => at.getUTCHours() % 2 === 0 && at.getUTCMinutes() === 0],
  [
    '*/15 1-3 * 3,4,9-11 *',
    (at) =>
      at.getUTCMinutes() % 15 === 0 &&
      [1, 2, 3].includes(at.getUTCHours()) &&
      [2, 3, 8, 9, 10].includes(at.getUTCMonth()),
  ],
  ['0 8 * * 1-5', (at) => at.getUTCHours() === 8 && at.getUTCMinutes() === 0 && at.getUTCDay() % 6 !== 0],
  ['45 1 * * sun', (at) => at.getUTCHours() === 1 && at.getUTCMinutes() === 45 && at.getUTCDay() === 0],
  ['0 9 1 * *', (at) => at.getUTCHours() === 9 && at.getUTCMinutes() === 0 && at.getUTCDate() === 1],
];

const ZONES = [
  'Europe/Berlin',
  'America/New_York',
  // Clocks are set by half an hour.
  'Australia/Lord_Howe',
  // At midnight.
  'America/Santiago',
  'Africa/Cairo',
  'Asia/Kolkata',
];

describe.each(ZONES)('a year in %s', (timeZone) => {
  const zone = zoneOf(timeZone);

  it.each(RULES)('has each time of %s once', (cron, fits) => {
    const expected = new Set<number>();
    for (let shown = START - 48 * HOUR; shown < END + 48 * HOUR; shown += 15 * MINUTE)
      if (fits(new Date(shown))) expected.add(zone.momentOf(shown));
    const ofYear = [...expected].filter((at) => at >= START && at < END).sort((a, b) => a - b);
    // Of a rule with several times a day, the days around the turn of the year and the changes of clocks.
    const spans: [from: number, to: number][] =
      ofYear.length < 400
        ? [[START, END]]
        : [
            [START, START + 3 * DAY],
            ...zone.changes.map((at): [number, number] => [at - 3 * DAY, at + 3 * DAY]),
            [END - 3 * DAY, END],
          ];
    for (const [from, to] of spans) {
      const times: number[] = [];
      for (let at = new Date(from - 1); ;) {
        const next = nextTime({ cron, timeZone }, at);
        if (next === null || next.getTime() >= to) break;
        times.push(next.getTime());
        at = next;
      }
      expect(times.map(iso)).toEqual(ofYear.filter((at) => at >= from && at < to).map(iso));
    }
    // From any moment, too.
    for (const change of zone.changes)
      for (let at = change - 12 * HOUR; at < change + 6 * HOUR; at += 30 * MINUTE)
        expect(nextTime({ cron, timeZone }, new Date(at))?.getTime(), iso(at)).toBe(
          ofYear.find((time) => time > at),
        );
  });

  it('has two changes of clocks, or none', () => {
    expect(zone.changes).toHaveLength(timeZone === 'Asia/Kolkata' ? 0 : 2);
  });
});

const iso = (at: number): string => new Date(at).toISOString();
