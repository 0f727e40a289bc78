import { Type } from 'typebox';
import { choice } from '../../shared/api/common.ts';
import { DAY_ORDERS, readDay } from './data-times.ts';
import { MONTHS } from './number-words.ts';
import { defineTool } from './tool.ts';

const MONTH = `(?:${MONTHS})\\.?`;
/** With commas or points between thousands, with a decimal comma, and plain. */
const FIGURES = [
  '\\d{1,3}(?:,\\d{3}){1,8}(?!\\d)(?:\\.\\d{1,400})?',
  '\\d{1,3}(?:\\.\\d{3}){1,8},\\d{1,400}',
  '(?<!,[-\u2212]?)\\d{1,400},\\d{1,2}(?!\\d|,\\d)',
  '\\d{0,400}\\.\\d{1,400}',
  '\\d{1,400}',
].join('|');

/**
 * Every repetition is bounded or ends at a character that can't be in it, so that matching stays linear in the text.
 */
const PATTERNS = {
  emails: /(?<![\w.+%-])[\w.+%-]{1,64}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,8}/gu,
  links:
    /\b(?:https?:\/\/|ftp:\/\/|www\.)[^\s<>"'`()\]}]{1,2048}(?:\([^\s<>"'`()]{0,200}\)[^\s<>"'`()\]}]{0,2048})?/giu,
  // A unit may follow; what goes on with figures is a name, a version or an address.
  numbers: new RegExp(
    `(?<![\\p{L}\\d.])[-\u2212]?(?:${FIGURES})(?:[eE][-+]?\\d{1,4})?(?!\\d|\\.\\d|(?:st|nd|rd|th)\\b|x[\\da-f]|(?![ckd]?m[23]\\b)\\p{L}{1,20}\\d)`,
    'gu',
  ),
  dates: new RegExp(
    '\\b(?:\\d{4}-\\d{2}-\\d{2}|\\d{1,2}[/.]\\d{1,2}[/.](?:\\d{4}|\\d{2})|' +
      `\\d{1,2}(?:st|nd|rd|th)?(?: of)? ${MONTH}(?:,? \\d{4})?|${MONTH} \\d{1,2}(?:st|nd|rd|th)?(?:,? \\d{4})?)(?![\\d\\p{L}])`,
    'giu',
  ),
  phone_numbers: /(?<![\p{L}\d.+(])(?:\+\d|\(\d|\d)(?:[ ().\-/]{0,2}\d){6,14}(?![\p{L}\d])/gu,
  hashtags: /(?<![\p{L}\p{N}_&/#])#(?=[\p{N}_]{0,99}\p{L})[\p{L}\p{N}_]{1,100}/gu,
  mentions: /(?<![\p{L}\p{N}_.@])@[\p{L}\p{N}_](?:[\p{L}\p{N}_.-]{0,98}[\p{L}\p{N}_])?/gu,
};

/** What can be pulled out of a text. */
export type ExtractKind = keyof typeof PATTERNS;
export const EXTRACT_KINDS = Object.keys(PATTERNS) as ExtractKind[];

/** Pulls things of one kind out of a text. */
export const extractFromTextTool = defineTool({
  name: 'extract_from_text',
  description:
    'Finds all e-mail addresses, links, numbers, calendar dates, phone numbers, hashtags or @mentions in a text, in order, each once.',
  input: Type.Object({
    text: Type.String({ description: 'The text to look through.' }),
    kind: choice(EXTRACT_KINDS),
    keepRepeats: Type.Optional(
      Type.Boolean({ description: 'List a thing each time it occurs. Default false, but true for numbers.' }),
    ),
  }),
  run({ text, kind, keepRepeats = kind === 'numbers' }) {
    const found = findAll(text, kind);
    return { items: keepRepeats ? found : [...new Set(found)] };
  },
});

/** All things of `kind` in `text`, in order, repeats included. Time is linear in the length of the text. */
export function findAll(text: string, kind: ExtractKind): string[] {
  const found = Array.from(text.matchAll(PATTERNS[kind]), ([match]) => match);
  if (kind === 'links') return found.map(withoutEndPunctuation);
  if (kind === 'phone_numbers') return found.filter(isPhoneNumber);
  if (kind === 'dates') return found.filter(isDay);
  return found;
}

/** Whether there is such a day, in either order. */
const isDay = (date: string): boolean =>
  DAY_ORDERS.some((order) => readDay(date.replace(/ of\b/i, ''), order) !== null);

/** A full stop or comma after a link belongs to the sentence around it. */
function withoutEndPunctuation(link: string): string {
  let end = link.length;
  while (end > 0 && '.,;:!?*_'.includes(link.charAt(end - 1))) end -= 1;
  return link.slice(0, end);
}

/** Dates and plain long numbers look much like phone numbers; a phone number begins with + or 0 or is grouped. */
function isPhoneNumber(candidate: string): boolean {
  if (/^\d{4}-\d{2}-\d{2}|^\d{1,2}[/.]\d{1,2}[/.]\d{2,4}$/.test(candidate)) return false;
  return /^[+(0]|[ ().\-/]/.test(candidate);
}
