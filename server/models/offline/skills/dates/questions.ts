/** Questions about days, spans and clocks, as a table: what is asked, and the tool with what its fields are called in the pattern. */
import type { Wish } from '../../skill.ts';
import { rules } from '../../reading/rules.ts';
import { cleanDate, differenceUnit, isDateLike, isHoliday, isPlace, MONTH, readSpan, SPAN } from './words.ts';

const COUNTED = String.raw`(?:working|business|work|week)[ -]?days?|days?|weeks?|months?|years?|hours?|minutes?`;
const HOLES = {
  unit: String.raw`(?:how many |(?:the )?number of )?(?:more )?(?<unit>${COUNTED})(?: (?:are|is|was|were|will be|have|has)(?: (?:there|it|been|passed|gone by)){0,2})?(?: left)?`,
  span: `(?<span>${SPAN})`,
  day: String.raw`(?:the )?(?:date|day|weekday|time)(?: of (?:the )?week)?`,
  be: '(?:is|was|were|will|would|does|did|of|for|it is)',
  now: '(?: (?:right now|now|today|currently|at the moment))?',
  ...{ from: '(?<from>.+?)', to: '(?<to>.+?)', date: '(?<date>.+?)', place: '(?<place>.+?)' },
};

/** `back` counts a span backwards. */
const RULES = rules(
  String.raw`
    ^(?:<unit>|how long|how much time|(?:the )?(?:time|difference|gap|interval))(?: is (?:it|there))? (?:between|from) <from> (?:and|to|until|till|through) <to>$  => date_difference
    ^(?:<unit>|how long(?: is it| do (?:i|we) have)?|(?:how much )?time|countdown) (?:until|till?|'til|to|before|up to) <to>(?: from (?:today|now))?$  => date_difference
    ^how (?:far (?:away|off)|soon|long away) is <to>$  => date_difference
    ^<unit>(?: has it been)? since <from>$  => date_difference
    ^how long (?:ago (?:was|is|were)|(?:has it been |is it |it's been )?since|has it been since) <from>$  => date_difference
    ^(?:<day>(?: (?:is it|was it|it is|is|was|will it be|will be))? )?<span> (?:from|after|since|past|later than) <date>$  => date_add
    ^(?:<day>(?: (?:is it|was it|it is|is|was|will it be|will be))? )?<span> (?:before|prior to|ahead of) <date>$  => date_add back
    ^add <span> to <date>$  => date_add
    ^(?:subtract|take|deduct) <span> from <date>$  => date_add back
    ^<date> ?(?:\+|plus) ?<span>$  => date_add
    ^<date> ?(?:-|minus) ?<span>$  => date_add back
    ^(?:<day>|when)(?: (?:is it|is|it is|will it be|would it be|will be|falls))? in <span>(?:'?s?'? time)?$  => date_add
    ^(?:<day>(?: was it| was)? )?<span> ago$  => date_add back
    ^<span> (?:hence|from now)$  => date_add
    ^(?:is|was|will) (?:it|(?<date>\d{4}|(?:this|next) year))(?: be)? a leap year$  => date_info
    ^how many days (?:are |are there |does )?(?:in )?(?<month>${MONTH}(?:,? (?:of |in )?\d{4})?)(?: have)?$  => date_info
    ^(?:the )?(?:current )?(?:iso |calendar )?week(?: (?:number|no\.?))?(?: is it| are we in)?<now>$  => date_info
    ^(?:the )?(?:iso |calendar )?week(?: (?:number|no\.?))?(?: (?:of|for|is|on|does))? <date>(?: (?:in|fall in|be in))?$  => date_info
    ^<day>(?: <be>)? (?:the )?<date>(?: (?:be|falls?|falls? on|on|land on|going to be))?$  => date_info
    ^(?:when|what date)(?:'s|s| <be>)? <date>(?: (?:fall|be|happen))?$  => date_info
    ^<place> time<now>$  => current_time
    ^(?:the )?(?:exact |current |local )?(?:time|date and time|date)(?: of day)?(?: is it| it is)?<now> (?:in|at|for) (?:the )?<place><now>$  => current_time
  `,
  HOLES,
  'i',
);

const ASKING =
  /^(?:what(?:'s|s| is| are| was| were| will be| would be)?|which|tell me|do you know|calculate|find|give me|show)\s+(?:what )?(?=\S)/i;
const TODAY =
  /^(?:what(?:'s|s| is)? |tell me |give me )?(?:the )?(?:current )?(?:today'?s (?:date|day)|(?:what )?(?:day|date)(?: of the (?:week|month))?(?: is it| it is| is)?(?: today| now| right now)?)$/i;
const THIS = /^(?:what|which) (?:year|month) (?:is it|are we in)(?: now)?$/i;
const CLOCK =
  /^(?:(?:what(?:'s|s| is)?|tell me|show|give me) )?(?:what )?(?:the )?(?:exact |current |local )?(?:time(?: of day)?(?: is it| it is)?|date and time)(?: (?:right now|now|today|currently|at the moment))?$/i;
/** "What time is it in Atlantis": the tool says that it doesn't know it. */
const UNKNOWN_PLACE =
  /^(?:tell me )?(?:what )?time (?:is it|it is) in (?<place>(?!.*(?:\d|,|\b(?:and|or|when|if)\b))\S+(?: \S+){0,3})$/i;
const LEFT =
  /^(?:how many )?(?:(?<working>working |business )?days|weeks) (?:are )?(?:there )?(?:left|remaining|to go) (?:in|until the end of) (?:the|this) (?<what>year|month)$/i;
const WORKING_DAYS_IN = new RegExp(
  `^(?:how many )?(?:working|business|work|week)[ -]?days (?:are |are there )?in (?<month>${MONTH}),? (?<year>\\d{4})$`,
  'i',
);

/** What a question about dates and clocks asks for; null: it is none. */
export function readQuestion(text: string): Wish | null {
  if (TODAY.test(text) && /what|today|current/i.test(text)) return { tool: 'date_info', input: {} };
  if (THIS.test(text)) return { tool: 'date_info', input: {} };
  if (CLOCK.test(text) && /^the time$|^time$|what|tell|current|now|show|give/i.test(text))
    return { tool: 'current_time', input: {} };
  const age = ageIn(text);
  if (age !== null) return age;
  const left = LEFT.exec(text)?.groups;
  if (left !== undefined)
    return difference({
      to: `end of the ${left['what'] ?? ''}`,
      unit: left['working'] ? 'working days' : /weeks/i.test(text) ? 'weeks' : 'days',
    });
  const month = WORKING_DAYS_IN.exec(text)?.groups;
  if (month !== undefined) return difference(workingDaysOf(month['month'] ?? '', Number(month['year'])));
  const isPast = /\b(?:was|did|were)\b/i.test(text);
  const asked = text.replace(ASKING, '');
  for (const { pattern, to } of RULES) {
    const match = pattern.exec(asked);
    const [tool = '', back] = to.split(' ');
    const input = match === null ? null : inputOf(match.groups ?? {}, back === undefined ? 1 : -1);
    if (input === null) continue;
    return {
      tool,
      input: { ...input, ...(isPast && tool === 'date_info' && 'date' in input && { past: true }) },
    };
  }
  const place = UNKNOWN_PLACE.exec(text)?.groups?.['place'];
  if (place !== undefined) return { tool: 'current_time', input: { place } };
  return isHoliday(text) && /\d{4}|this year|next year/.test(text)
    ? { tool: 'date_info', input: { date: cleanDate(text) } }
    : null;
}

/** The fields that the groups of a rule name; null where what they hold can't be meant. */
function inputOf(groups: Record<string, string | undefined>, sign: 1 | -1): Record<string, unknown> | null {
  let input: Record<string, unknown> = {};
  for (const [name, said] of Object.entries(groups)) {
    const isNow = name === 'date' && 'span' in groups && /^(?:today|now)$/i.test(said ?? '');
    if (said === undefined || isNow) continue;
    if (name === 'month') input['date'] = `1 ${said}`;
    else if (name === 'span') {
      const amounts = readSpan(said, sign);
      if (amounts === null) return null;
      input = { ...input, ...amounts };
    } else if (name === 'unit') input[name] = differenceUnit(said);
    else if (
      name === 'place' ? isPlace(said) && !/^(?:[a-z]|et|west|[pmc]t|mst|la)$/.test(said) : isDateLike(said)
    )
      input[name] = cleanDate(said);
    else return null;
  }
  return input;
}

const difference = (input: Record<string, unknown>): Wish => ({ tool: 'date_difference', input });

const BORN =
  /\bborn\s+(?:on|in)?\s*(.+?)(?:,?\s+(?:how old\b.*|what(?:'s| is) (?:my|their|his|her) age.*))?$/i;
const ABOUT_AGE =
  /^(?:(?:how|old|many|days|weeks|months|years|is|are|am|would|will|someone|somebody|a|person|who|i|he|she|they|was|were|be|born|on|if|the|age|aged|what(?:'s)?|my|of|now|today)[\s,?]*)+$/i;

/** "How old is someone born on 3 March 1990", in any order of words. Whoever was born "in 1990" is one of two ages. */
function ageIn(text: string): Wish | null {
  const [isAge, unit = 'years'] =
    /\b(?:how (?:many (days|weeks|months|years) )?old|aged?)\b/i.exec(text) ?? [];
  const date = isAge === undefined ? undefined : BORN.exec(text)?.[1];
  if (date === undefined || !isDateLike(date) || /^\d{4}$/.test(cleanDate(date))) return null;
  return ABOUT_AGE.test(text.replace(date, ''))
    ? difference({ from: cleanDate(date), unit: unit.toLowerCase() })
    : null;
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** From the last day before the month, which isn't counted, to its last. */
function workingDaysOf(month: string, year: number): Record<string, unknown> {
  const index = MONTHS.indexOf(month.slice(0, 3).toLowerCase());
  const end = (months: number): string =>
    new Date(Date.UTC(year, index + months, 0)).toISOString().slice(0, 10);
  return { from: end(0), to: end(1), unit: 'working days' };
}
