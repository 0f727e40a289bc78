import { DATE_TOOLS } from '../../../../tools/index.ts';
import { plainQuotes } from '../../reading/phrases.ts';
import type { Skill, ToolRequest } from '../../skill.ts';
import { figures } from '../maths/number-words.ts';
import { readConversion } from './clock.ts';
import { followUp } from './follow-up.ts';
import { readQuestion } from './questions.ts';
import { formatDates } from './tells.ts';
import { isDate, isHoliday } from './words.ts';

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
  parse(request) {
    if (request.text.length > MAX_CHARACTERS) return null;
    const text = plain(request.text);
    return readConversion(text) ?? readQuestion(text, request) ?? followUp(text, request) ?? dayAlone(text);
  },
  format: formatDates,
};

/** As the table of questions has it: figures for number words, no marks at the end, no short forms. */
const plain = (text: string): string =>
  figures(plainQuotes(text))
    .trim()
    .replace(/(?<![?!.,\s])[?!.,\s]+$|,? please$/gi, '')
    .replace(/\s+/g, ' ')
    .replace(/\b(what|when)'?s\b/gi, '$1')
    .replace(/\b(today|tomorrow|yesterday)'?s\b/gi, '$1')
    .replace(/\bhrs?\b/gi, 'hours')
    .replace(/\bhalf an hour\b/gi, '30 minutes')
    .replace(/\ba fortnight\b/gi, '2 weeks');

/** What can only be meant as a question for its date: "tomorrow?", "first Monday in May 2027", "Easter 2028". */
function dayAlone(text: string): ToolRequest | null {
  const date = text.replace(/^(?:what|when|which) (?:is|was) /i, '');
  const isAlone =
    /^(?:today|tomorrow|yesterday|(?:the )?(?:day|first|second|third|fourth|last)|next|this)\b/i.test(date) ||
    (isHoliday(date) && /\d{4}|year$/.test(date));
  return isAlone && isDate(date) ? { tool: 'date_info', input: { date } } : null;
}
