/** Speed, time and distance: two of them are told, the third is asked for. */
import type { EverydaySum } from './everyday.ts';

const N = String.raw`(\d+(?:\.\d+)?)`;
const SPEED = new RegExp(`${N} ?(km\\/h|kmh|kph|km per hour|mph|mi\\/h|miles (?:per|an) hour)(?![a-z])`);
const DISTANCE = new RegExp(`${N} ?(km|kilomet(?:re|er)s?|mi|miles?)(?![a-z])`);
const HOURS = new RegExp(
  `${N} ?(?:h|hrs?|hours?)(?![a-z])(?: ?(?:and )?${N} ?(?:min|mins|minutes?)(?![a-z]))?`,
);
const MINUTES = new RegExp(`${N} ?(?:min|mins|minutes?)(?![a-z])`);
const SAYS_NOTHING = new Set(
  (
    "how long far fast to drive driving walk walking cycle cycling run running fly ride travel traveling travelling take takes does it do would will i we you get can go going in at what what's whats my our your " +
    'average speed is was the of distance time for with if a an and cover covered am are need from'
  ).split(' '),
);

/** The sum of a question about a journey; null: it is none, or says more. */
export function travelSum(text: string): EverydaySum | null {
  const span = spanSum(text);
  if (span !== null) return span;
  const speed = SPEED.exec(text);
  const apart = speed === null ? text : text.replace(speed[0], ' ');
  const distance = DISTANCE.exec(apart);
  const still = distance === null ? apart : apart.replace(distance[0], ' ');
  const time = HOURS.exec(still) ?? MINUTES.exec(still);
  const left = time === null ? still : still.replace(time[0], ' ');
  const rest: readonly string[] = left.match(/[\p{L}’']+|\d/gu) ?? [];
  if (!rest.every((word) => SAYS_NOTHING.has(word))) return null;
  const isMiles = /^mi|^mph/.test(speed?.[2] ?? distance?.[2] ?? '');
  const hours = time === null ? '' : hoursOf(time);
  const asks = (what: RegExp): boolean => rest.some((word) => what.test(word));
  const [way = '', pace = ''] = [distance?.[1], speed?.[1]];
  if (speed !== null && distance !== null && time === null && asks(/^(?:long|time)$/)) {
    if (/^mi/.test(distance[2] ?? '') !== isMiles) return null;
    const isShort = Number(way) < Number(pace);
    if (isShort) return { expression: `${way} / ${pace} * 60`, unit: 'minutes' };
    const minutes = Math.round((Number(way) / Number(pace)) * 60);
    const isWhole = minutes % 60 === 0;
    return {
      expression: `${way} / ${pace}`,
      ...(!isWhole && { decimals: 2 }),
      unit: isWhole ? 'hours' : `hours, ${Math.floor(minutes / 60)} h ${minutes % 60} min`,
    };
  }
  if (speed !== null && distance === null && time !== null && asks(/^(?:far|distance)$/))
    return { expression: `${pace} * ${hours}`, unit: isMiles ? 'miles' : 'km' };
  if (speed === null && distance !== null && time !== null && asks(/^(?:speed|fast)$/))
    return { expression: `${way} / ${hours}`, unit: isMiles ? 'mph' : 'km/h' };
  return null;
}

const SPAN = String.raw`(?:\d+ ?(?:h|hrs?|hours?)(?: ?(?:and )?\d+ ?(?:m|mins?|minutes?))?|\d+ ?(?:m|mins?|minutes?))`;
const SPANS = new RegExp(`^(?:add )?(${SPAN}) ?(plus|\\+|and|minus|-|−) ?(${SPAN})$`);

/** "1 h 20 min plus 55 min", in minutes. */
function spanSum(text: string): EverydaySum | null {
  const [, one, sign = '', other] = SPANS.exec(text) ?? [];
  if (one === undefined || other === undefined || (sign === 'and' && !text.startsWith('add'))) return null;
  const isLess = /^(?:minus|-|−)$/.test(sign);
  const [first, second] = [minutesOf(one), minutesOf(other)];
  const sum = first + (isLess ? -second : second);
  const hours = `${sum < 0 ? '−' : ''}${Math.floor(Math.abs(sum) / 60)} h ${Math.abs(sum) % 60} min`;
  return { expression: `${first} ${isLess ? '-' : '+'} ${second}`, unit: `minutes, ${hours}` };
}

function minutesOf(span: string): number {
  const [, hours = '0'] = /^(\d+) ?h/.exec(span) ?? [];
  const [, minutes = '0'] = /(\d+) ?m/.exec(span) ?? [];
  return Number(hours) * 60 + Number(minutes);
}

function hoursOf([said, amount = '', minutes]: RegExpExecArray): string {
  if (!/h/.test(said)) return `(${amount}/60)`;
  return minutes === undefined ? amount : `(${amount} + ${minutes}/60)`;
}
