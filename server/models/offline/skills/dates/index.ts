import { DATE_TOOLS } from '../../../../tools/index.ts';
import type { Wish, Request, Skill } from '../../skill.ts';
import { recogniseAddition, recogniseDifference, recogniseInfo } from './calendar.ts';
import { recogniseConversion, recogniseNow, recogniseOffset, recogniseThere } from './clock.ts';
import { followUp } from './follow-up.ts';
import { tellDates } from './tells.ts';
import { isDayAlone, SPAN, TIME } from './words.ts';
import { plainQuotes } from '../../reading/phrases.ts';

const MAX_CHARACTERS = 200;
const GATE =
  /\d|\b(?:time|date|day|days|today|tomorrow|yesterday|week|month|year|years|quarter|when|until|till|since|ago|born|ahead|behind|hour|hours|noon|midnight|midday|easter|christmas|sleeps|how (?:long|soon|far))\b/i;
const LEAD =
  /^(?:(?:please|hey|hi|hello|ok|okay|so|well|and|then|now|also|but|can you|could you|would you|tell me|let me know|do you know|i'd like to know|i want to know|work out|calculate|count|compute|find(?: out)?|show me|give me)\b[,:]?\s*)+/i;

/** "In two weeks, what date will it be": the span before the question. */
const FRONTED = new RegExp(
  `^in (${SPAN}),? (what (?:date|day|time)(?: of the week)? (?:will it be|would it be|is it|will that be|is that))$`,
  'i',
);

/** "If a train leaves at 14:35 and arrives at 18:10, how long is the journey": what stands around the two times. */
const FROM_TO = new RegExp(
  `^.{0,40}?\\b(?:leaves?|starts?|begins?|departs?|opens?)(?: [a-z]+)? (?:at |from )?(${TIME}),? (?:and |but )?(?:it )?(?:arrives?|gets (?:in|there)|ends?|finish(?:es)?|closes?)(?: [a-z]+)? (?:at )?(${TIME}),? how long (?:is|does|do|was|will).{0,30}$`,
  'i',
);

/** Dates, times and zones. */
export const datesSkill: Skill = {
  name: 'dates',
  summary: 'dates, times and time zones: count days, find weekdays, compare clocks',
  examples: [
    'days until 3 March',
    'what day is 14 July 2027?',
    "what's the date 90 days from today?",
    '10:00 Paris in Tokyo',
    'what time is it in New York?',
  ],
  tools: DATE_TOOLS.map(({ name }) => name),
  reads(request) {
    if (request.text.length > MAX_CHARACTERS) return null;
    const text = plainQuotes(request.text).trim();
    return (GATE.test(text) ? fresh(text) : null) ?? later(text, request) ?? dayAlone(text);
  },
  tells: tellDates,
};

function fresh(text: string): Wish | null {
  const plain = text
    .replace(/[?!.\s]+$/, '')
    .replace(/,?\s+(?:please|for me)$/i, '')
    .replace(LEAD, '')
    // As people type them.
    .replace(/\bwhats\b/i, "what's")
    .replace(/\b(today|tomorrow|yesterday)s(?= date| day)/i, "$1's")
    .replace(
      /^((?:next|this|last) \S+day|tomorrow|yesterday),? (?:is|was|will be) (what (?:date|day))$/i,
      '$2 is $1',
    )
    .replace(/\s+/g, ' ')
    .replace(
      /^(?:from|between) (.+?) (to|and|until|till) (.+?),? (how long)(?: is (?:that|it))?$/i,
      '$4 from $1 $2 $3',
    )
    .replace(FROM_TO, 'how long from $1 to $2')
    .replace(FRONTED, (_, span: string, asks: string) => `${asks} in ${span}`);
  const asked = plain
    .replace(/^what(?:'s|s| is)\s+(?=the (?:difference|gap|interval|time) (?:between|from)\b)/i, '')
    .replace(/^(?:what(?:'s|s| is| are)\s+)?(?:the number of|how many)\s+/i, 'how many ');
  return (
    recogniseThere(plain) ??
    recogniseConversion(plain) ??
    recogniseOffset(plain) ??
    recogniseDifference(asked) ??
    recogniseAddition(plain) ??
    recogniseInfo(plain) ??
    recogniseNow(plain)
  );
}

/** "Tomorrow?", "first Monday in May 2027". */
function dayAlone(text: string): Wish | null {
  const date = text.replace(/[?!.\s]+$/, '').replace(/^what about /i, '');
  return isDayAlone(date) ? { tool: 'date_info', input: { date } } : null;
}

function later(text: string, request: Request): Wish | null {
  return request.history.length === 0 ? null : followUp(text, request);
}
