import type { Intent, Request } from '../../skill.ts';
import { lastCall } from '../phrases.ts';
import { cleanDate, DATE, differenceUnit, isDateLike, isPlace, readSpan, SPAN, TIME } from './words.ts';

const TOOLS = ['current_time', 'convert_time', 'date_difference', 'date_add', 'date_info'];
const LEAD =
  /^(?:(?:and|what about|how about|or|now|then|ok|okay|so|but|what is it|what's it|what time is (?:it|that)|is (?:it|that)|that)\b,?\s*)+/i;
const ONLY_SPAN = new RegExp(
  `^(${SPAN})(?:\\s+(?:from|after)\\s+(?:that|then|it))?( later| earlier| before that)?$`,
  'i',
);
const ONLY_TIME = new RegExp(`^(?:at\\s+)?${TIME}$`, 'i');

/** "what about Tokyo?", "and 4 April?", "in weeks?", "and 11:00?" after a question of dates. */
export function followUp(text: string, request: Request): Intent | null {
  const last = lastCall(request, TOOLS);
  if (!last) return null;
  const whole = text.replace(/[?!.\s]+$/, '').trim();
  const rest = whole.replace(LEAD, '').trim();
  if (rest === '' || rest.length > 60) return null;
  const led = rest !== whole;
  const bare = rest.replace(/^(?:in|to|for|on|until|since|at)\s+/i, '');
  if (!led && bare === rest && !isOnlyDate(rest)) return null;
  const changed = change(last.tool, last.input, rest, bare);
  return changed && { ...changed, confidence: led ? 0.85 : 0.7 };
}

function isOnlyDate(text: string): boolean {
  return new RegExp(`^${DATE}$`, 'i').test(text);
}

function change(tool: string, input: Record<string, unknown>, rest: string, bare: string): Intent | null {
  const again = (changes: Record<string, unknown>, other = tool): Intent => ({
    tool: other,
    input: changes,
    confidence: 0.8,
  });
  const span = ONLY_SPAN.exec(rest);
  if (span && tool === 'date_add') {
    const before =
      /earlier|before/i.test(span[2] ?? '') ||
      Object.values(input).some((amount) => typeof amount === 'number' && amount < 0);
    const amounts = readSpan(span[1] ?? '', before ? -1 : 1);
    return amounts && again({ ...('date' in input ? { date: input['date'] } : {}), ...amounts });
  }
  if (tool === 'current_time') return isPlace(bare) ? again({ place: bare }) : null;
  if (tool === 'convert_time') {
    if (ONLY_TIME.test(rest)) return again({ ...input, time: rest.replace(/^at\s+/i, '') });
    if (isPlace(bare)) return again({ ...input, to: bare });
    return isDateLike(bare) ? again({ ...input, date: cleanDate(bare) }) : null;
  }
  if (tool === 'date_difference') {
    const unit = differenceUnit(bare);
    if (unit) return again({ ...input, unit });
    if (!isDateLike(bare)) return null;
    return again(
      input['to'] === undefined ? { ...input, from: cleanDate(bare) } : { ...input, to: cleanDate(bare) },
    );
  }
  if (!isDateLike(bare)) return null;
  return again({ ...input, date: cleanDate(bare) });
}
