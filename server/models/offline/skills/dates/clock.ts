import type { ToolRequest } from '../../skill.ts';
import { DATE, isHere, isPlace, TIME } from './words.ts';

const CLOCK = new RegExp(`(?<![\\d/])${TIME}(?![\\d/])`, 'i');
const DAY = new RegExp(`(?<=^|[\\s,])${DATE}(?=$|[\\s,])`, 'i');
const BETWEEN = /(?<!\s)\s*(?:->|→|=)\s*|(?:^|(?<!\s)\s+)(?:in(?:to)?|to|for|as|at|is)(?=\s|$)/i;
const SAYS_NOTHING =
  /\b(?:what|is it|it is|will(?: it)? be|when|if|it's|then|the|local|time|convert)\b|[?!.,]+/gi;

/** "1:30 + 0:45": a sum, or a zone. */
const ADDS = /^\s*[-+−–]\s*\d[\d:]*$/;
/** A yes or a no is wanted. */
const IS_IT = /^(?:will|would|is|was) it\b/i;

/** "10:00 Paris in Tokyo", "when it's 3pm EST, what time is it in London?", "convert 9am to CET". */
export function readConversion(text: string): ToolRequest | null {
  const clock = CLOCK.exec(text);
  // "When it's 10:00 in Paris" by itself asks nothing.
  if (clock === null || (/^(?:when|if|it)\b/i.test(text) && !/\bwhat\b/i.test(text))) return null;
  const [time] = clock;
  if (ADDS.test(text.slice(clock.index + time.length)) || IS_IT.test(text)) return null;
  const around = `${text.slice(0, clock.index)} § ${text.slice(clock.index + time.length)}`;
  const day = DAY.exec(around)?.[0];
  const [before = [], after = []] = around
    .replace(day ?? '', ' ')
    .replace(SAYS_NOTHING, ' ')
    .split('§')
    .map(placesIn);
  // A city before the time is the target, and so is the last one after it.
  const [to, from = 'here'] = before.length > 0 ? [before[0], after[0]] : after.toReversed();
  if (to === undefined || before.length > 1 || before.length + after.length > 2) return null;
  if (![to, from].every((place) => isPlace(place) || isHere(place)) || [to, from].every(isHere)) return null;
  const date = day?.replace(/^on /i, '');
  const input = { time, ...(!isHere(from) && { from }), ...(!isHere(to) && { to }), ...(date && { date }) };
  return { tool: 'convert_time', input };
}

/** The parts between small words; two cities side by side count as two. */
const placesIn = (words: string): string[] =>
  words.split(BETWEEN).flatMap((part) => {
    const plain = part.replace(/\s+/g, ' ').trim();
    const [, one = '', other = ''] = /^(.+?) (\S+|for me)$/.exec(plain) ?? [];
    const isTwo = !isPlace(plain) && isPlace(one) && (isPlace(other) || isHere(other));
    return plain === '' ? [] : isTwo ? [one, other] : [plain];
  });
