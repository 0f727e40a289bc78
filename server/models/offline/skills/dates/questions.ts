/** Questions about days, spans and clocks, as a table: what is asked, and the tool with what its fields are called in the pattern. */
import { readDate } from '../../../../tools/dates/read-date.ts';
import { ownZone } from '../../../../tools/dates/zones.ts';
import { rules, type Groups } from '../../reading/rules.ts';
import type { Request, ToolRequest } from '../../skill.ts';
import { isDate, isHere, isPlace, MONTH, amountsIn, SPAN, UNIT, unitOf } from './words.ts';

const HOLES = {
  unit: `(?<unit>${UNIT})`,
  span: `(?<span>${SPAN})`,
  day: '(?:day of (?:the )?week|day|date|weekday)',
  when: '(?:(?:day|date) and time|day|date|time|when)',
  month: String.raw`(?<month>${MONTH}(?:,? \d{4})?)`,
  figures: String.raw`(?:\d{4}[-/]\d\d?[-/]\d\d?|\d\d?[-/.]\d\d?[-/.]\d{4})`,
  people: '(?:(?:someone|somebody|an?|person|who|i|am|if|he|she|they) )*',
  // The tool says that it doesn't know it.
  somewhere: '(?<somewhere>[a-z]+(?: [a-z]+)?)',
  // Whoever was born in 1990 is one of two ages.
  born: String.raw`born (?:on )?(?!\d{4}$)(?<from>.+?)`,
  ...{ from: '(?<from>.+?)', to: '(?<to>.+?)', date: '(?<date>.+?)', place: '(?:the )?(?<place>.+?)' },
};

/** `back` counts a span backwards; the ends of a `convert_time` are places. */
const RULES = rules(
  String.raw`
    ^(?:<unit>|long|time|difference|gap) (?:between|from) <from> (?:and|to|until|till?) <to>$  => date_difference
    ^(?:<unit>|long|time|countdown) (?:left |to go )?(?:until|till?|to|before) <to>(?: from (?:today|now))?$  => date_difference
    ^(?:far(?: away| off)?|soon) <to>$  => date_difference
    ^(?:<unit>|long|time) (?:ago|since) <from>$  => date_difference
    ^<unit> (?:left|remaining) (?:in )?(?:of )?(?:the |this )?(?<end>year|month)$  => date_difference
    ^(?:<unit> )?old <people><born>$  => date_difference years
    ^<people><born>,? how (?:many <unit> )?old(?: am| i| he| she| they)*$  => date_difference years
    ^(?:<when> )?<span> (?:from|after|since|past) <date>$  => date_add
    ^(?:<when> )?<span> before <date>$  => date_add back
    ^add <span> to <date>$  => date_add
    ^(?:subtract|take) <span> from <date>$  => date_add back
    ^<date> ?(?:\+|plus) ?<span>$  => date_add
    ^<date> ?(?:-|minus) ?<span>$  => date_add back
    ^(?<to><figures>) ?(?:[-–−]|minus) ?(?<from><figures>)$  => date_difference
    ^<when> in <span>(?:'? time)?$  => date_add
    ^(?:<when> )?<span> ago$  => date_add back
    ^(?:<date> )?a leap year$  => date_info
    ^days (?:in )?<month>$  => date_info
    ^<unit> in <month>$  => date_difference
    ^(?:iso |calendar )?week(?: number| no)?(?:(?: of| for)? <date>)??(?: in)?$  => date_info
    ^<day>(?: of)?(?: <date>)?$  => date_info
    ^(?:month|year)(?: in)?$  => date_info
    ^<date> <day>$  => date_info
    ^when <date>$  => date_info
    ^(?:(?:day|date|weekday) and )?time(?: of day)?(?: today)?(?: (?:in|at|for) <place>)?$  => current_time
    ^(?:day|date|weekday)(?: today)? in <place>$  => current_time
    ^<place> time$  => current_time
    ^time in <somewhere>$  => current_time
    ^(?:hours?|time)(?: zone)? difference (?:between|from) <from> (?:and|to) <to>$  => convert_time
    ^(?:hours|far) (?:ahead|behind) <to> (?:of|from|than) <from>$  => convert_time
  `,
  HOLES,
  'i',
);

const WORDS_AT_START =
  'what|which|how(?: many| much)?|is|are|was|were|will|does|did|(?:the )?number of|current';
/** A pronoun at the start is no question: "it was 2 days before …". */
const WORDS_ANYWHERE =
  'what|is|are|was|were|will|would|does|did|do|has|have|been|passed|(?<=(?:are|is|were|was) )there|it|we|i|be|falls?(?: on)?|more(?= [a-z -]*(?:day|week|month|year|hour|minute)s?\\b)|exact|current|local|right now|currently|(?<!from |until |till |since |between )now';
const SAYS_NOTHING = new RegExp(
  `^(?:${WORDS_AT_START})\\b|(?<=\\s)(?:${WORDS_ANYWHERE})(?=\\s|$)|\\b(?<!of )the(?= (?:(?:current|exact|local) )?(?:day(?! after| before)|date|weekday|time|week|year|difference|number)\\b)`,
  'gi',
);

/** What is left of a question without the words that only ask. */
function kernelOf(text: string): string {
  let [kernel, before] = [text, ''];
  while (kernel !== before) {
    before = kernel;
    kernel = kernel.replace(SAYS_NOTHING, ' ').replace(/\s+/g, ' ').trim();
  }
  return kernel;
}

/** What a question about dates and clocks asks for; null: it is none. */
export function readDateQuestion(text: string, request: Request): ToolRequest | null {
  // A word by itself may be a column or an answer.
  if (/^(?:day|date|week|month|year)$/i.test(text)) return null;
  const kernel = kernelOf(text);
  const isPast = /\b(?:was|did|were)\b/i.test(text);
  for (const { pattern, to } of RULES) {
    const match = pattern.exec(kernel);
    const [tool = '', how] = to.split(' ');
    const input = match === null ? null : inputOf(match.groups ?? {}, tool, how, request);
    if (input !== null)
      return { tool, input: { ...input, ...(isPast && tool === 'date_info' && { past: true }) } };
  }
  return null;
}

type Input = Record<string, unknown>;
/** Nobody can count from or to them. */
export const MANY_DAYS = /^(?:last|this|past) (?:week|month|year)$/i;

/** The fields that the groups of a rule name; null where what they hold can't be meant. */
function inputOf(groups: Groups, tool: string, how: string | undefined, request: Request): Input | null {
  const { span, unit, month, end, place, somewhere, ...days } = groups;
  if (tool === 'convert_time') return distance(days['from'] ?? '', days['to'] ?? '');
  if (place !== undefined) return isClockPlace(place) ? { place } : null;
  if (somewhere !== undefined) return { place: somewhere };
  const input: Input = span === undefined ? {} : amountsIn(span, how === 'back' ? -1 : 1);
  const asked = unit === undefined ? how : unitOf(unit);
  if (tool === 'date_difference' && asked !== undefined) input['unit'] = asked;
  if (end !== undefined) input['to'] = `end of the ${end}`;
  if (month !== undefined && tool === 'date_info') input['date'] = `1 ${month}`;
  else if (month !== undefined) {
    const { at } = readDate(`1 ${month}`, { now: request.now, timeZone: ownZone(request.timeZone) });
    // Of two days the first isn't counted, but for working days.
    const before = asked === 'working days' ? 0 : 1;
    Object.assign(input, { from: at.minus({ days: before }).toISODate(), to: at.endOf('month').toISODate() });
  }
  for (const [name, day] of Object.entries(days)) {
    if (day === undefined || /^(?:today|now)$/i.test(day)) continue;
    if (!isDate(day) || (tool !== 'date_info' && MANY_DAYS.test(day))) return null;
    input[name] = day;
  }
  return input;
}

/** Lower-case words that are likelier something else than a zone: "la time", "west time". */
const isClockPlace = (text: string): boolean =>
  isPlace(text) && !/^(?:[a-z]|et|west|[pmc]t|mst|la)$/.test(text);

/** How far the clock of one place is from another's: noon here on the clock there. */
function distance(from: string, to: string): Input | null {
  const isKnown = [from, to].every((place) => isPlace(place) || isHere(place));
  if (!isKnown || (isHere(from) && isHere(to))) return null;
  return { time: '12:00', ...(!isHere(from) && { from }), ...(!isHere(to) && { to }) };
}
