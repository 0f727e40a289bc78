import { DATE_TOOLS } from '../../../../tools/index.ts';
import type { Wish, Skill } from '../../skill.ts';
import { recogniseConversion, recogniseOffset } from './clock.ts';
import { followUp } from './follow-up.ts';
import { readQuestion } from './questions.ts';
import { tellDates } from './tells.ts';
import { isDayAlone } from './words.ts';
import { plainQuotes } from '../../reading/phrases.ts';

const MAX_CHARACTERS = 200;
/** Dates, times and zones. */
export const datesSkill: Skill = {
  needs: 'the calendar',
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
    return fresh(text) ?? followUp(text, request) ?? dayAlone(text);
  },
  tells: tellDates,
};

function fresh(text: string): Wish | null {
  const plain = text
    .replace(/[?!.\s]+$/, '')
    .replace(/,?\s+(?:please|for me)$/i, '')
    .replace(/\s+/g, ' ')
    // As people type them.
    .replace(/\bwhats\b/i, "what's")
    .replace(/\b(?:the )?(today|tomorrow|yesterday)'?s (date|day)$/i, 'the $2 $1')
    .replace(
      /^((?:next|this|last) \S+day|tomorrow|yesterday),? (?:is|was|will be) (what (?:date|day))$/i,
      '$2 is $1',
    )
    .replace(/ (?:be|fall)(?: on)? in (\d{4})$/i, ' in $1');
  return recogniseConversion(plain) ?? recogniseOffset(plain) ?? readQuestion(plain);
}

/** "Tomorrow?", "first Monday in May 2027". */
function dayAlone(text: string): Wish | null {
  const date = text.replace(/[?!.\s]+$/, '').replace(/^what about /i, '');
  return isDayAlone(date) ? { tool: 'date_info', input: { date } } : null;
}
