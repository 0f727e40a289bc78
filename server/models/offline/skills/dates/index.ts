import { fieldsOf, textOf, type Fields } from '../../../../lib/fields.ts';
import { previousCall, type PreviousCall } from '../../reading/history.ts';
import { DATE_TOOLS } from '../../../../tools/index.ts';
import { plainQuotes } from '../../reading/phrases.ts';
import type { Request, OfflineSkill, ToolRequest } from '../../skill.ts';
import { figures } from '../maths/number-words.ts';
import { readConversion } from './clock.ts';
import { MANY_DAYS, readDateQuestion } from './questions.ts';
import { formatDates } from './format.ts';
import { isDate, isHere, isHoliday, isPlace, MONTH, amountsIn, SPAN, TIME, UNIT, unitOf } from './words.ts';

const MAX_CHARACTERS = 200;

/** Dates, times and zones. */
export const datesSkill: OfflineSkill = {
  needs: 'the calendar',
  summary: 'dates, times and time zones: count days, find weekdays, compare clocks',
  examples: `
    days until 3 March | what day is 14 July 2027? | what's the date 90 days from today? |
    10:00 Paris in Tokyo | what time is it in New York?
  `,
  tools: DATE_TOOLS.map(({ name }) => name),
  parse(request) {
    const { material } = request;
    // "Last month" beside a table is about its rows.
    const isAboutBlock = material !== null && !request.text.includes(material);
    if (request.text.length > MAX_CHARACTERS || isAboutBlock) return null;
    const text = plain(request.text);
    return (
      readConversion(text) ?? readDateQuestion(text, request) ?? followUp(text, request) ?? dayAlone(text)
    );
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
  return isAlone && isDate(date) && !MANY_DAYS.test(date) ? { tool: 'date_info', input: { date } } : null;
}

const LEAD =
  /^(?:(?:and|what about|how about|or|how many of (?:them|those) are|in|to|for|on|until|since|from|at)\b,?\s*)+/i;
const only = (source: string): RegExp => new RegExp(`^${source}$`, 'i');
/** "A week later", "2 days before that", "the day after": counted from the last answer. */
const ON = only(
  `(?:(?:on |what is )*the )?(?<span>${SPAN}|(?:next|following|previous)? ?${UNIT}) ?(?<way>later|earlier|sooner|more|from then|after|before)?(?: (?:that|then|it))?`,
);

/** "what about Tokyo?", "and 4 April?", "in weeks?", "and 11:00?" after a question of dates. */
function followUp(text: string, { history }: Request): ToolRequest | null {
  const last = previousCall(history, datesSkill.tools, 3);
  const phrase = text.replace(LEAD, '');
  const on = ON.exec(phrase)?.groups;
  const way = on?.['way'] ?? /^(?:next|following|previous)/i.exec(on?.['span'] ?? '')?.[0];
  if (on !== undefined && way !== undefined)
    return last && carried(last, on['span'] ?? '', /earlier|sooner|before|previous/i.test(way));
  if (last === null || phrase === text) return null;
  const { tool, input } = last;
  if (only(SPAN).test(phrase)) {
    if (tool !== 'date_add' && tool !== 'date_info') return null;
    const isBack = Object.values(input).some((amount) => typeof amount === 'number' && amount < 0);
    const { date } = input;
    const amounts = amountsIn(phrase, isBack ? -1 : 1);
    return { tool: 'date_add', input: { ...(date !== undefined && { date }), ...amounts } };
  }
  const change = changeOf(tool, input, phrase, /\b(?:from|since)\b/i.test(text));
  return change && { tool, input: tool === 'current_time' ? change : { ...input, ...change } };
}

/** A span counted from the last result, which is a day or a moment. */
function carried({ tool, output }: PreviousCall, span: string, isBack: boolean): ToolRequest | null {
  const day = fieldsOf(output[tool === 'date_info' ? 'day' : 'to']);
  const [date, time] = [textOf(day['date']), textOf(day['time'])];
  if ((tool !== 'date_add' && tool !== 'date_info') || date === null) return null;
  const plain = /^\d|^an? /i.test(span) ? span : `1 ${span.replace(/^\w+ /, '')}`;
  const amounts = amountsIn(plain, isBack ? -1 : 1);
  return { tool: 'date_add', input: { date: time === null ? date : `${date}T${time}`, ...amounts } };
}

/** What the words change in the input of the question before. */
function changeOf(tool: string, input: Fields, phrase: string, isStart: boolean): Fields | null {
  if (tool === 'current_time') return isHere(phrase) ? {} : isPlace(phrase) ? { place: phrase } : null;
  if (tool === 'convert_time' && only(TIME).test(phrase)) return { time: phrase };
  if (tool === 'convert_time' && isPlace(phrase)) return isStart ? { from: phrase } : { to: phrase };
  if (tool === 'date_difference' && only(UNIT).test(phrase)) return { unit: unitOf(phrase) };
  // "How many days in February 2028", "and March?".
  const [month, year = ''] = /^1 [a-z]+(,? \d{4})?$/i.exec(String(input['date'])) ?? [];
  if (month !== undefined && tool === 'date_info' && only(MONTH).test(phrase))
    return { date: `1 ${phrase}${year}` };
  // "And in 2027?" after a day is no day.
  if (!isDate(phrase) || (/^\d{4}$/.test(phrase) && !/^\d{4}$/.test(String(input['date'])))) return null;
  const { from, to } = input;
  const field = tool !== 'date_difference' ? 'date' : isStart || to === undefined ? 'from' : 'to';
  // "And 5 July?" after "4 July 1976" is in that year; what is counted from today is the next one.
  const isFromToday = tool === 'date_difference' && (from === undefined || to === undefined);
  const [inYear = ''] = isFromToday ? [] : (/ \d{4}$/.exec(String(input[field])) ?? []);
  const isOpen = !/\d{4}/.test(phrase) && (isHoliday(phrase) || new RegExp(MONTH, 'i').test(phrase));
  return { [field]: isOpen ? phrase + inYear : phrase };
}
