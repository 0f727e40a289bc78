import { DateTime } from 'luxon';
import { stripCourtesy } from '../reading/courtesy.ts';
import { previousCall } from '../reading/history.ts';
import { stripAsking } from '../reading/phrases.ts';
import type { SkillReply } from '../skill.ts';

const ROMAN = {
  M: 1000, CM: 900, D: 500, CD: 400, C: 100, XC: 90, L: 50, XL: 40, X: 10, IX: 9, V: 5, IV: 4, I: 1,
}; // oxfmt-ignore
const MOST_ROMAN = 3999;
const BASES = [
  { name: 'binary', radix: 2, prefix: '0b', digits: /^[01]+$/ },
  { name: 'octal', radix: 8, prefix: '0o', digits: /^[0-7]+$/ },
  { name: 'decimal', radix: 10, prefix: '', digits: /^\d+$/ },
  { name: 'hexadecimal', radix: 16, prefix: '0x', digits: /^[\da-f]+$/ },
];
const BASE = '(hex(?:adecimal)?|bin(?:ary)?|oct(?:al)?|decimal)(?: (?:number|notation|form))?';
const IN_BASE = new RegExp(
  `^(?:${BASE} )?(0[xbo])?([\\da-f]{1,64})(?: (?:from |in )?${BASE})? (?:in|as|to|into) ${BASE}$`,
  'i',
);

/** "255 in hex", "1011 from binary to decimal": a whole number in another base; null: the text asks something else. */
function inBase(text: string): string | null {
  const [, before, prefix = '', digits = '', after, to] = IN_BASE.exec(text.toLowerCase()) ?? [];
  const baseOf = (word?: string) =>
    word === undefined ? undefined : BASES.find(({ name }) => name.startsWith(word.slice(0, 3)));
  const isNamed = prefix === '' && (before ?? after) !== undefined;
  const from = isNamed ? baseOf(before ?? after) : BASES.find((base) => base.prefix === prefix);
  const wanted = baseOf(to);
  if (wanted === undefined || from?.digits.test(digits) !== true) return null;
  const value = BigInt(`${from.prefix}${digits}`).toString(wanted.radix);
  const basis = isNamed && from.radix !== 10 ? ` in ${from.name}` : '';
  return `${prefix}${digits}${basis} is **${wanted.prefix}${value}** in ${wanted.name}.`;
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

const TO_ROMAN =
  /^(?:roman numerals? (?:for|of) (?<of>\d{1,4})|(?<number>\d{1,4}) (?:in|as|to|into)(?: a)? roman(?: numerals?| numbers?)?)$/i;
const FROM_ROMAN =
  /^(?<roman>roman numerals? )?(?<letters>[MDCLXVI]{2,15})(?<to> (?:in|as|to|into)(?: an?)?(?: (?:arabic|normal|decimal|ordinary|regular))?(?: (?:numerals?|numbers?|figures|digits))?)?$/;
const MOMENT =
  /^(?:(?<named>(?:unix |epoch )?time ?stamp|unix time) )?(?<digits>\d{9,13})(?: (?<after>unix|epoch)(?: time)?)?(?: (?:as|in|to|into) (?<as>a date|date|utc|a time))?$/i;
/** Longer ones count milliseconds. */
const SECONDS_DIGITS = 11;

/** Ovens by gas mark, from 1, in °C; in °F each is 25 more. */
const GAS_MARKS = [140, 150, 160, 180, 190, 200, 220, 230, 240];
const GAS =
  /^gas mark (\d)(?: (?:in|to|as) (?:degrees )?(?:c|f|°c|°f|celsius|fahrenheit|centigrade|degrees))?$/i;

/** "Gas mark 6 in Celsius". */
function gasMark(text: string): string | null {
  const mark = Number(GAS.exec(text)?.[1]);
  const degrees = GAS_MARKS[mark - 1];
  return degrees === undefined
    ? null
    : `Gas mark ${mark} is about **${degrees} °C** (${250 + 25 * mark} °F).`;
}

/** Numbers in another notation: roman numerals, other bases, Unix times, gas marks. */
export const numerals: SkillReply = ({ text, history, timeZone }) => {
  if (text.length > 80) return null;
  const asked = stripCourtesy(text);
  const plain = stripAsking(asked).replace(
    /^(?:(?:convert|write|show|give me|turn|express|the|year|number|date|is) )+/i,
    '',
  );
  const { digits, ...named } = MOMENT.exec(plain)?.groups ?? {};
  const isMoment = digits !== undefined && Object.values(named).some(Boolean);
  // "In hex" after a sum.
  const last = /^(?:in|as|to|into) /i.test(plain) ? previousCall(history, ['calculate']) : null;
  return (
    inBase(last === null ? plain : `${String(last.output['result'])} ${plain}`) ??
    inRoman(plain, asked) ??
    gasMark(plain) ??
    (isMoment ? formatMoment(digits, timeZone) : null)
  );
};

/** "2026 in roman numerals", "XIV in arabic numerals", "what is MCMXCIV?". */
function inRoman(text: string, asked: string): string | null {
  const ordinary = TO_ROMAN.exec(text)?.groups;
  if (ordinary !== undefined) {
    const number = Number(ordinary['of'] ?? ordinary['number']);
    if (number >= 1 && number <= MOST_ROMAN) return `${number} is **${toRoman(number)}** in roman numerals.`;
    return `Roman numerals go from 1 to ${MOST_ROMAN}.`;
  }
  const { letters = '', roman, to } = FROM_ROMAN.exec(text)?.groups ?? {};
  // "What is CD?" asks for something else; four letters are likely no abbreviation.
  const isAsked = roman !== undefined || to !== undefined || (/^what/i.test(asked) && letters.length >= 4);
  const number = isAsked ? fromRoman(letters) : null;
  return number === null ? null : `${letters} is **${number}**.`;
}

/** A time as computers count it. */
function formatMoment(digits: string, timeZone: string): string {
  const isSeconds = digits.length <= SECONDS_DIGITS;
  const at = DateTime.fromMillis(Number(digits) * (isSeconds ? 1000 : 1), { zone: 'utc' }).setLocale('en');
  return `${digits} is **${at.toFormat('cccc, d MMMM yyyy, HH:mm:ss')}** UTC, counted in ${isSeconds ? 'seconds' : 'milliseconds'} from 1970; ${at.setZone(timeZone).toFormat('d MMMM, HH:mm')} in your time zone.`;
}
