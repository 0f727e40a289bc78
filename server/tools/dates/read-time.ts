import { en } from 'chrono-node';
import { NUMBER_WORDS } from '../number-words.ts';
import { ToolError } from '../tool.ts';

export interface TimeOfDay {
  hour: number;
  minute: number;
}

/** The hours of a clock; twelve stands at 0. */
const WORDS = ['twelve', ...NUMBER_WORDS.slice(1, 12)];

/**
 * Reads a time of day: "10:00", "3pm", "9.30 am", "noon", "half past three", "1530", "15h".
 * @throws ToolError when it is none.
 */
export function readTime(text: string): TimeOfDay {
  const plain = text
    .trim()
    .toLowerCase()
    .replace(/^at\s+/, '')
    .replace(/(?<!\s)\s*o['’]?clock\b/, '')
    .replace(/(?<![?.!])[?.!]+$/, '');
  const time = readFigures(plain) ?? readWords(plain) ?? readWithChrono(plain);
  if (time) return time;
  throw new ToolError(`I can't read "${text.slice(0, 40)}" as a time of day.`);
}

function readFigures(text: string): TimeOfDay | null {
  const match =
    /^(\d{1,2})(?:[:.h](\d{2}))?(?::\d{2})?(?:\s*(?:h|hrs|hours))?\s*(a\.?m\.?|p\.?m\.?)?$/.exec(text) ??
    /^(\d{2})(\d{2})()$/.exec(text);
  if (!match) return null;
  const [, hours = '', minutes = '0', half = ''] = match;
  const hour = Number(hours);
  const minute = Number(minutes);
  if (minute > 59 || hour > 24 || (hour === 24 && minute > 0)) return null;
  if (half === '') return { hour: hour % 24, minute };
  if (hour < 1 || hour > 12) return null;
  return { hour: (hour % 12) + (half.startsWith('p') ? 12 : 0), minute };
}

function readWords(text: string): TimeOfDay | null {
  if (/^(?:noon|midday)$/.test(text)) return { hour: 12, minute: 0 };
  if (text === 'midnight') return { hour: 0, minute: 0 };
  const match =
    /^(?:(half|quarter|a quarter|twenty|ten|five) (past|to) )?(\d{1,2}|[a-z]+)(?:\s*(am|pm|in the morning|in the afternoon|in the evening|at night))?$/.exec(
      text,
    );
  if (!match) return null;
  const [, part, side, name = '', half] = match;
  const index = WORDS.indexOf(name);
  const hour = /^\d/.test(name) ? Number(name) : index === 0 ? 12 : index;
  if (hour < 0 || hour > 23) return null;
  const after = { half: 30, quarter: 15, 'a quarter': 15, twenty: 20, ten: 10, five: 5 }[part ?? ''] ?? 0;
  const late = half !== undefined && half !== 'am' && half !== 'in the morning' ? 12 : 0;
  const base = half === undefined ? hour : (hour % 12) + late;
  const minutes = (base * 60 + (side === 'to' ? -after : after) + 1440) % 1440;
  return { hour: Math.floor(minutes / 60), minute: minutes % 60 };
}

function readWithChrono(text: string): TimeOfDay | null {
  const [result] = en.GB.parse(text);
  if (!result?.start.isCertain('hour') || result.text.length < text.length - 3) return null;
  // A moment, such as "20 minutes from now".
  if (result.start.isCertain('day')) return null;
  return { hour: result.start.get('hour') ?? 0, minute: result.start.get('minute') ?? 0 };
}
