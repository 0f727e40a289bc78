import { DateTime } from 'luxon';

/** Easter Sunday in the Gregorian calendar, by the rule of golden number, epact and Sunday. */
export function easterSunday(year: number): DateTime {
  const golden = year % 19;
  const century = Math.floor(year / 100);
  const leapCenturies = Math.floor(century / 4);
  const moonShift = Math.floor((8 * century + 13) / 25);
  const epact = (19 * golden + century - leapCenturies - moonShift + 15) % 30;
  const correction = epact === 29 || (epact === 28 && golden > 10) ? epact - 1 : epact;
  const weekday = (Math.floor((5 * year) / 4) - century + leapCenturies + correction + 2) % 7;
  return DateTime.utc(year, 3, 28).plus({ days: correction - weekday });
}

type DayOfYear = (year: number) => DateTime;

const on =
  (month: number, day: number): DayOfYear =>
  (year) =>
    DateTime.utc(year, month, day);

const fromEaster =
  (days: number): DayOfYear =>
  (year) =>
    easterSunday(year).plus({ days });

/** The `nth` weekday (1 Monday to 7 Sunday) of a month. */
const nth =
  (count: number, weekday: number, month: number): DayOfYear =>
  (year) => {
    const first = DateTime.utc(year, month, 1);
    return first.plus({ days: ((weekday - first.weekday + 7) % 7) + 7 * (count - 1) });
  };

const HOLIDAYS: [RegExp, DayOfYear][] = [
  [/^(?:christmas|xmas)(?: day)?$/, on(12, 25)],
  [/^(?:christmas|xmas) eve$/, on(12, 24)],
  [/^boxing day$/, on(12, 26)],
  [/^(?:new years? eve|silvester)$/, on(12, 31)],
  [/^new years?(?: day)?$/, on(1, 1)],
  [/^(?:valentines?(?: day)?|st valentines day)$/, on(2, 14)],
  [/^(?:st|saint) patricks day$/, on(3, 17)],
  [/^april fools?(?: day)?$/, on(4, 1)],
  [/^bastille day$/, on(7, 14)],
  [/^hallowe?en$/, on(10, 31)],
  [/^(?:shrove tuesday|pancake day)$/, fromEaster(-47)],
  [/^ash wednesday$/, fromEaster(-46)],
  [/^palm sunday$/, fromEaster(-7)],
  [/^good friday$/, fromEaster(-2)],
  [/^easter(?: sunday| day)?$/, fromEaster(0)],
  [/^easter monday$/, fromEaster(1)],
  [/^ascension(?: day)?$/, fromEaster(39)],
  [/^(?:pentecost|whit sunday)$/, fromEaster(49)],
  [/^(?:whit monday|pentecost monday)$/, fromEaster(50)],
  [/^(?:us )?thanksgiving(?: day)?$/, nth(4, 4, 11)],
  [/^(?:us )?independence day$/, on(7, 4)],
];

/** The day of a named feast in any year, or null when the name is not known. */
export function holidayRule(name: string): DayOfYear | null {
  const plain = name.toLowerCase().replace(/['’.]/g, '').replace(/\s+/g, ' ').trim();
  return HOLIDAYS.find(([pattern]) => pattern.test(plain))?.[1] ?? null;
}
