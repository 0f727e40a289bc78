import { previousCall } from '../../reading/history.ts';
import type { Request, Wish } from '../../skill.ts';
import { cleanDate, DATE, differenceUnit, isDateLike, isPlace, readSpan, SPAN, TIME } from './words.ts';

const TOOLS = ['current_time', 'convert_time', 'date_difference', 'date_add', 'date_info'];
const LEAD =
  /^(?:(?:and|what about|how about|or|now|then|ok|okay|so|but|what time is (?:it|that)|is (?:it|that)|that)\b,?\s*)+/i;
const ONLY_SPAN = new RegExp(
  `^(?:in )?(${SPAN})(?: (?:from|after) (?:that|then|it))?( later| earlier)?$`,
  'i',
);
const ONLY_DATE = new RegExp(`^${DATE}$`, 'i');
const ONLY_TIME = new RegExp(`^(?:at\\s+)?${TIME}$`, 'i');

/** "what about Tokyo?", "and 4 April?", "in weeks?", "and 11:00?" after a question of dates. */
export function followUp(text: string, request: Request): Wish | null {
  const last = previousCall(request.history, TOOLS, 3);
  if (!last) return null;
  const whole = text.replace(/[?!.\s]+$/, '').trim();
  const rest = whole
    .replace(LEAD, '')
    .replace(
      /^how many (?:of (?:them|those) are (.+)|(\S+(?: days)?) (?:is|are|would) (?:that|it)(?: be)?)$/i,
      'in $1$2',
    )
    .trim();
  if (rest === '' || rest.length > 60) return null;
  const bare = rest.replace(/^(?:in|to|for|on|until|since|from|at)\s+/i, '');
  if (rest === whole && bare === rest && !ONLY_DATE.test(rest)) return null;
  const input = changed(last.tool, last.input, rest, bare);
  return input && { tool: ONLY_SPAN.test(rest) ? 'date_add' : last.tool, input };
}

/** The input of the same question anew, with what the words change in it. */
function changed(
  tool: string,
  input: Record<string, unknown>,
  rest: string,
  bare: string,
): Record<string, unknown> | null {
  const [, span, direction = ''] = ONLY_SPAN.exec(rest) ?? [];
  if (span !== undefined) {
    if (tool !== 'date_add' && tool !== 'date_info') return null;
    const isBack = Object.values(input).some((amount) => typeof amount === 'number' && amount < 0);
    const amounts = readSpan(span, isBack || /earlier/i.test(direction) ? -1 : 1);
    return amounts && { ...('date' in input ? { date: input['date'] } : {}), ...amounts };
  }
  if (tool === 'current_time') {
    if (/^here$/i.test(bare)) return {};
    return isPlace(bare) ? { place: bare } : null;
  }
  if (tool === 'convert_time') {
    if (ONLY_TIME.test(rest)) return { ...input, time: rest.replace(/^at\s+/i, '') };
    if (isPlace(bare)) return { ...input, to: bare };
    return isDateLike(bare) ? { ...input, date: cleanDate(bare) } : null;
  }
  const unit = tool === 'date_difference' ? differenceUnit(bare) : null;
  if (unit) return { ...input, unit };
  const isYear = (words: unknown): boolean => /^\d{4}$/.test(String(words));
  if (!isDateLike(bare) || (isYear(bare) && !isYear(input['date']))) return null;
  const date = cleanDate(bare);
  if (tool !== 'date_difference') return { ...input, date };
  return /^(?:from|since)\s/i.test(rest) || input['to'] === undefined
    ? { ...input, from: date }
    : { ...input, to: date };
}
