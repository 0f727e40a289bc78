import { DateTime } from 'luxon';
import { stripCourtesy } from '../reading/courtesy.ts';
import type { Talk } from '../skill.ts';

const ROMAN = {
  M: 1000, CM: 900, D: 500, CD: 400, C: 100, XC: 90, L: 50, XL: 40, X: 10, IX: 9, V: 5, IV: 4, I: 1,
}; // prettier-ignore
const MOST_ROMAN = 3999;
/** Letters that are likely no abbreviation. */
const MIN_ROMAN = 4;

const ASKS = String.raw`(?:(?:what(?:'s|’s|s| is)|convert|write|show|give me|turn|express|the year|(?:what )?number(?: is)?|tell me)\s+)*`;
const TO_ROMAN = new RegExp(
  `^${ASKS}(?:the )?(?:roman numerals? (?:for|of) )?(\\d{1,4})(?<to> (?:in|as|to|into)(?: a)? roman(?: numerals?| numbers?)?)?$`,
  'i',
);
const FROM_ROMAN = new RegExp(
  `^${ASKS}(?:(?:the )?roman numerals? )?([MDCLXVI]{2,15})(?<to> (?:in|as|to|into)(?: an?)? (?:arabic|normal|decimal|ordinary|regular)?(?: ?(?:numerals?|numbers?|figures|digits))?)?$`,
);
const MOMENT = new RegExp(
  `^${ASKS}(?:(?<named>(?:unix |epoch )?time ?stamp|unix time) )?(?<digits>\\d{9,13})(?: (?<after>unix|epoch)(?: time)?)?(?: (?:as|in|to|into) (?<as>a date|date|utc|a time))?$`,
  'i',
);
/** Longer ones count milliseconds. */
const SECONDS_DIGITS = 11;

const BASES = [
  { name: 'binary', radix: 2, prefix: '0b', digits: /^[01]+$/ },
  { name: 'octal', radix: 8, prefix: '0o', digits: /^[0-7]+$/ },
  { name: 'decimal', radix: 10, prefix: '', digits: /^\d+$/ },
  { name: 'hexadecimal', radix: 16, prefix: '0x', digits: /^[\da-f]+$/ },
];
const BASE = '(hex(?:adecimal)?|bin(?:ary)?|oct(?:al)?|decimal)(?: (?:number|notation|form))?';
const IN_BASE = new RegExp(
  `^${ASKS}(?:(?:the )?${BASE} )?(0[xbo])?([\\da-f]{1,64})(?: (?:from |in )?${BASE})? (?:in|as|to|into) ${BASE}$`,
  'i',
);

/** "255 in hex", "1011 from binary to decimal": a whole number in another base; null: the text asks something else. */
function inBase(text: string): string | null {
  const [, before, prefix = '', digits = '', after, to] = IN_BASE.exec(text.toLowerCase()) ?? [];
  const named = (word: string): (typeof BASES)[number] | undefined =>
    BASES.find(({ name }) => name.startsWith(word.slice(0, 3)));
  const said = prefix === '' ? (before ?? after) : undefined;
  const from = said === undefined ? BASES.find((base) => base.prefix === prefix) : named(said);
  const wanted = to === undefined ? undefined : named(to);
  if (wanted === undefined || from?.digits.test(digits) !== true) return null;
  const value = BigInt(`${from.prefix}${digits}`).toString(wanted.radix);
  return `${prefix}${digits} is **${wanted.prefix}${value}** in ${wanted.name}.`;
}

/** 2026 is MMXXVI. */
function toRoman(number: number): string {
  let [text, rest] = ['', number];
  for (const [letters, value] of Object.entries(ROMAN)) {
    text += letters.repeat(Math.floor(rest / value));
    rest %= value;
  }
  return text;
}

/** The number whose numeral the letters are; null: they are none. */
function fromRoman(letters: string): number | null {
  const values = Array.from(letters, (letter) => ROMAN[letter as keyof typeof ROMAN]);
  const number = values.reduce((sum, value, at) => sum + (value < (values[at + 1] ?? 0) ? -value : value), 0);
  return toRoman(number) === letters ? number : null;
}

/** Figures in other clothes: roman numerals, and times as computers count them. */
export const numerals: Talk = ({ text: asked, timeZone }) => {
  if (asked.length > 80) return null;
  const text = stripCourtesy(asked).replace(/[\s?.!]+$/, '');
  const based = inBase(text);
  if (based !== null) return based;
  const ordinary = TO_ROMAN.exec(text);
  if (ordinary !== null && /roman/i.test(text)) {
    const number = Number(ordinary[1]);
    if (number >= 1 && number <= MOST_ROMAN) return `${number} is **${toRoman(number)}** in roman numerals.`;
    return `Roman numerals go from 1 to ${MOST_ROMAN}.`;
  }
  const roman = FROM_ROMAN.exec(text);
  const [, letters = ''] = roman ?? [];
  // "What is CD?" asks for something else.
  const isAsked =
    roman?.groups?.['to'] !== undefined ||
    /roman/i.test(text) ||
    (/^what/i.test(text) && letters.length >= MIN_ROMAN);
  if (letters !== '' && isAsked) {
    const number = fromRoman(letters);
    return number === null ? null : `${letters} is **${number}**.`;
  }
  const { digits, ...named } = MOMENT.exec(text)?.groups ?? {};
  return digits === undefined || Object.values(named).every((word) => !word)
    ? null
    : tellMoment(digits, timeZone);
};

/** A time as computers count it. */
function tellMoment(digits: string, timeZone: string): string {
  const isSeconds = digits.length <= SECONDS_DIGITS;
  const at = DateTime.fromMillis(Number(digits) * (isSeconds ? 1000 : 1), { zone: 'utc' }).setLocale('en');
  return `${digits} is **${at.toFormat('cccc, d MMMM yyyy, HH:mm:ss')}** UTC, counted in ${isSeconds ? 'seconds' : 'milliseconds'} from 1970; ${at.setZone(timeZone).toFormat('d MMMM, HH:mm')} in your time zone.`;
}
