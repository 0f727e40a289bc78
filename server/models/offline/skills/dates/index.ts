import { DATE_TOOLS } from '../../../../tools/index.ts';
import type { Wish, Request, Skill } from '../../skill.ts';
import { recogniseAddition, recogniseDifference, recogniseInfo } from './calendar.ts';
import { recogniseConversion, recogniseNow, recogniseOffset } from './clock.ts';
import { followUp } from './follow-up.ts';
import { tellDates } from './tells.ts';
import { isDayAlone } from './words.ts';
import { plainQuotes } from '../../reading/phrases.ts';

const MAX_CHARACTERS = 200;
const GATE =
  /\d|\b(?:time|date|day|days|today|tomorrow|yesterday|week|month|year|years|quarter|when|until|till|since|ago|born|ahead|behind|hour|hours|noon|midnight|midday|easter|christmas|sleeps|how (?:long|soon|far))\b/i;
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
    // As people type them.
    .replace(/\bwhats\b/i, "what's")
    .replace(/\b(?:the )?(today|tomorrow|yesterday)['’]?s (date|day)$/i, 'the $2 $1')
    .replace(
      /^((?:next|this|last) \S+day|tomorrow|yesterday),? (?:is|was|will be) (what (?:date|day))$/i,
      '$2 is $1',
    )
    .replace(/\s+/g, ' ');
  const asked = plain
    .replace(/^what(?:'s|s| is)\s+(?=the (?:difference|gap|interval|time) (?:between|from)\b)/i, '')
    .replace(/^(?:what(?:'s|s| is| are)\s+)?(?:the number of|how many)\s+/i, 'how many ');
  return (
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
