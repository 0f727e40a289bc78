import type { Wish } from '../../skill.ts';
import { cleanDate, DATE, isPlace, TIME } from './words.ts';

const NOW =
  /^(?:(?:what(?:'s|s| is)?|tell me|do you know|show|give me)\s+)?(?:what\s+)?(?:the\s+)?(?:exact\s+|current\s+|local\s+)?(?:time(?: of day)?(?: is it| it is)?|date and time|date)(?:\s+(?:right now|now|today|currently|at the moment))?(?:\s+(?:over\s+)?(?:in|at|for)\s+(?:the\s+)?(.+?))?(?:\s+(?:right now|now|today|currently|at the moment))?$/i;
const PLACE_TIME = /^(?:what(?:'s|s| is)\s+)?(?:the\s+)?(?:current\s+)?(.+?)\s+time(?:\s+(?:right )?now)?$/i;

/** "what time is it in New York", "the time". */
export function recogniseNow(text: string): Wish | null {
  const match = NOW.exec(text);
  if (match) {
    const place = match[1]?.trim();
    if (place === undefined)
      return /\btime\b/i.test(text) && isAsking(text) ? intent('current_time', {}) : null;
    if (isPlace(place)) return intent('current_time', { place });
    const isCertain =
      /\btime is it\b|\btime it is\b/i.test(text) &&
      !/\d|,|\b(?:and|or|when|if)\b/i.test(place) &&
      place.split(' ').length <= 4;
    return isCertain ? intent('current_time', { place }) : null;
  }
  const named = PLACE_TIME.exec(text)?.[1];
  return named && isPlace(named) && !/^(?:[a-z]|et|west|pt|mt|ct|mst|la)$/.test(named)
    ? intent('current_time', { place: named })
    : null;
}

function isAsking(text: string): boolean {
  return /\b(?:what|tell|know|current|now|show|give)\b|^(?:the )?time$/i.test(text);
}

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
  return intent('convert_time', { time: '12:00', ...(here ? {} : { from }), ...(there ? {} : { to }) });
}

const CLOCK = new RegExp(`(?<![\\d/])(${TIME})(?![\\d/])`, 'i');
const DAY_PART = new RegExp(`(?:^|[\\s,])((?:on\\s+)?${DATE})(?=$|[\\s,])`, 'i');
const BETWEEN = /\s*(?:->|→|=)\s*|(?:^|\s+)(?:in(?:to)?|to|for|as)\s+/gi;

/** "10:00 Paris in Tokyo", "when it's 3pm EST, what time is it in London?", "convert 9am to CET". */
export function recogniseConversion(text: string): Wish | null {
  const clock = CLOCK.exec(text);
  const time = clock?.[1];
  if (!clock || !time) return null;
  // "When it's 10:00 in Paris" by itself asks nothing.
  if (/^(?:when|if)\b/i.test(text) && !/\b(?:what|which|how)\b/i.test(text)) return null;
  let rest = `${text.slice(0, clock.index)} § ${text.slice(clock.index + time.length)}`;
  const day = DAY_PART.exec(rest)?.[1];
  if (day) rest = rest.replace(day, ' ');
  const places = placesOf(tidy(rest));
  if (!places) return null;
  const input = {
    time: time.trim(),
    ...(places.from === null ? {} : { from: places.from }),
    ...(places.to === null ? {} : { to: places.to }),
    ...(day ? { date: cleanDate(day) } : {}),
  };
  return intent('convert_time', input);
}

function tidy(text: string): string {
  return text
    .replace(/[?!.,]+/g, ' ')
    .replace(
      /\b(?:what(?:'s|s| is| will)?(?: the)?(?: local)? time(?: is it| will it be| would it be| it is| is| be)?|what(?:'s|s| is)|convert|please|local time|o'?clock)\b/gi,
      ' ',
    )
    .replace(/\b(?:when|if) (?:it's|it is|its)\b/gi, ' ')
    .replace(/\b(?:time|then|is it|the)\b(?!\w)/gi, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

interface Places {
  /** Null: where the person is. */
  from: string | null;
  to: string | null;
}

/** Finds where the time (marked §) is given and where it is wanted. */
function placesOf(text: string): Places | null {
  const [before = '', after = ''] = text.split('§').map((part) => part.trim());
  const wantedFirst = /^(?:in|to|at)\s+(.+?)(?:\s+(?:at|when|if))?$/i.exec(before);
  if (wantedFirst?.[1] && isPlace(wantedFirst[1])) {
    const from = after.replace(/^in\s+/i, '');
    if (from === '' || isHere(from)) return { from: null, to: wantedFirst[1] };
    return isPlace(from) ? { from, to: wantedFirst[1] } : null;
  }
  if (before !== '' && !/^(?:at|is|in|for)$/i.test(before)) return null;
  const toHere = /^(?:in\s+)?(.+?)\s+(?:here|for me)$/i.exec(after)?.[1];
  if (toHere && isPlace(toHere)) return { from: toHere, to: null };
  for (const between of [...after.matchAll(BETWEEN)].reverse()) {
    const left = after
      .slice(0, between.index)
      .replace(/^(?:in|at)\s+/i, '')
      .trim();
    const right = after.slice(between.index + between[0].length).trim();
    const from = left === '' || isHere(left) ? null : left;
    const to = isHere(right) ? null : right;
    if ((from === null || isPlace(from)) && (to === null || isPlace(to)) && (from !== null || to !== null))
      return { from, to };
  }
  const glued = /^(\S+)\s+(.+)$/.exec(after);
  return glued?.[1] && glued[2] && isPlace(glued[1]) && isPlace(glued[2])
    ? { from: glued[1], to: glued[2] }
    : null;
}

function isHere(text: string): boolean {
  return /^(?:here|my time|my time zone|my|local|our time|for me)$/i.test(text);
}

function intent(tool: string, input: Record<string, unknown>): Wish {
  return { tool, input };
}
