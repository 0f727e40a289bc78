import type { Wish } from '../../skill.ts';
import { cleanDate, DATE, isPlace, TIME } from './words.ts';

const DIFFERENCE =
  /^(?:(?:what(?:'s|s| is)|how (?:big|much) is|how many hours(?: is|'s)?)\s+)?(?:the\s+)?(?:time|hour|hours)(?: zone)? difference (?:between|from) (.+?) (?:and|to) (.+)$/i;
const AHEAD =
  /^how (?:many hours|far) (?:ahead|behind) is (.+?) (?:of|from|to|than|compared (?:to|with)) (.+)$/i;

/** "time difference between London and Tokyo": noon there on the clock here. */
export function recogniseOffset(text: string): Wish | null {
  const between = DIFFERENCE.exec(text);
  const ahead = AHEAD.exec(text);
  const [from = '', to = ''] = between ? [between[1], between[2]] : ahead ? [ahead[2], ahead[1]] : [];
  const [here, there] = [isHere(from), isHere(to)];
  if ((!here && !isPlace(from)) || (!there && !isPlace(to)) || (here && there)) return null;
  return {
    tool: 'convert_time',
    input: { time: '12:00', ...(here ? {} : { from }), ...(there ? {} : { to }) },
  };
}

const CLOCK = new RegExp(`(?<![\\d/])(${TIME})(?![\\d/])`, 'i');
const DAY_PART = new RegExp(`(?:^|[\\s,])((?:on\\s+)?${DATE})(?=$|[\\s,])`, 'i');
const BETWEEN = /\s*(?:->|→|=)\s*|(?:^|\s+)(?:in(?:to)?|to|for|as|at|is)(?=\s|$)/i;
const SAYS_NOTHING =
  /\b(?:what(?:'s|s| is| will)?(?: the)?(?: local)? time(?: is it| will it be| would it be| it is| is| be)?|what(?:'s|s| is)|convert|local time|o'?clock|(?:when|if) (?:it's|it is|its)|when|time|then|is it|the)\b|[?!.,]+/gi;

/** "10:00 Paris in Tokyo", "when it's 3pm EST, what time is it in London?", "convert 9am to CET". */
export function recogniseConversion(text: string): Wish | null {
  const clock = CLOCK.exec(text);
  const time = clock?.[1];
  // "When it's 10:00 in Paris" by itself asks nothing.
  if (!clock || !time || (/^(?:when|if)\b/i.test(text) && !/\b(?:what|which|how)\b/i.test(text))) return null;
  const asked = `${text.slice(0, clock.index)} § ${text.slice(clock.index + time.length)}`;
  const day = DAY_PART.exec(asked)?.[1];
  const [before = [], after = []] = (day === undefined ? asked : asked.replace(day, ' '))
    .replace(SAYS_NOTHING, ' ')
    .split('§')
    .map(placesIn);
  // The place before the time is where it is wanted, and so is the last one after it.
  const [to, from] = before.length > 0 ? [before[0], after[0]] : after.toReversed();
  if (to === undefined || before.length > 1 || before.length + after.length > 2) return null;
  if (![to, from ?? 'here'].every((place) => isPlace(place) || isHere(place))) return null;
  const input = {
    time: time.trim(),
    ...(from !== undefined && !isHere(from) && { from }),
    ...(!isHere(to) && { to }),
    ...(day !== undefined && { date: cleanDate(day) }),
  };
  return { tool: 'convert_time', input };
}

/** The parts between small words; two places that stand side by side as two. */
function placesIn(words: string): string[] {
  const parts = words.split(BETWEEN).flatMap((part) => part.replace(/\s+/g, ' ').trim() || []);
  return parts.flatMap((part) => {
    const [, one = '', other = ''] = /^(.+?) (\S+|for me)$/.exec(part) ?? [];
    const isTwo = !isPlace(part) && isPlace(one) && (isPlace(other) || isHere(other));
    return isTwo ? [one, other] : [part];
  });
}

function isHere(text: string): boolean {
  return /^(?:here|my time|my time zone|my|local|our time|for me)$/i.test(text);
}
