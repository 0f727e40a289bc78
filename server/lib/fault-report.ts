/**
 * What to log of an error: what happened and where, but nothing that people wrote. Messages of foreign errors quote
 * what they fail on (JSON's parser, SQLite's search, the engine itself), so quoted pieces are masked.
 */
import { AppError } from '../errors.ts';

/** A line of a stack: a place in the code. */
const FRAME = /^\s+at .*(?::\d+:\d+\)?|\(<anonymous>\)|native\)?)$/;
const MAX_FRAMES = 12;
const MAX_CAUSES = 3;
const MAX_MESSAGE = 300;
const MASK = '…';
/** Prefix of the AI SDK's error names: their messages contain whole prompts, replies and tool inputs. */
const MODEL_ERROR = 'AI_';

/** The error's name, its message without quotations, its causes and where it was thrown, in several lines. */
export function describeFault(error: unknown): string {
  const lines: string[] = [];
  let current = error;
  for (let depth = 0; depth <= MAX_CAUSES && current !== undefined && current !== null; depth += 1) {
    lines.push(
      ...faultLines(current).map((line, index) => (depth > 0 && index === 0 ? `caused by ${line}` : line)),
    );
    current = current instanceof Error ? current.cause : undefined;
  }
  return lines.length === 0 ? `nothing (${String(error)}) was thrown` : lines.join('\n');
}

/** As {@link describeFault}, in one line without the places. */
export function nameFault(error: unknown): string {
  if (!(error instanceof Error)) return thrownType(error);
  return isInWords(error) ? error.message : headOf(error);
}

function faultLines(error: unknown): string[] {
  if (!(error instanceof Error)) return [thrownType(error)];
  // Remove the message first: one of several lines may look like a stack frame.
  const stack = (error.stack ?? '').replace(error.message, '');
  const frames = stack.split('\n').filter((line) => FRAME.test(line));
  return [headOf(error), ...frames.slice(0, MAX_FRAMES)];
}

/** Anything may have been thrown, even a person's message. */
const thrownType = (thrown: unknown): string => `something that is no error (${typeof thrown}) was thrown`;

function headOf(error: Error): string {
  const { code, statusCode } = error as NodeJS.ErrnoException & { statusCode?: unknown };
  if (error.name.startsWith(MODEL_ERROR)) {
    return typeof statusCode === 'number' ? `${error.name} (status ${statusCode})` : error.name;
  }
  const message = isInWords(error) ? error.message : withoutQuotations(error.message);
  const known = typeof code === 'string' && !message.includes(code) ? ` [${code}]` : '';
  return `${error.name}${known}: ${message.replace(/\s+/gu, ' ').slice(0, MAX_MESSAGE)}`;
}

/** System messages name at most a path or an address, and our own quote nobody. */
const isInWords = (error: Error): boolean => 'syscall' in error || error instanceof AppError;

const QUOTATIONS: readonly (readonly [opening: RegExp, closing: RegExp, masked: string])[] = [
  // An apostrophe within a word isn't a quotation mark.
  [/(?<!\p{L})'/u, /'(?!\p{L})/gu, `'${MASK}'`],
  [/"/, /"/g, `"${MASK}"`],
  [/`/, /`/g, `\`${MASK}\``],
  [/“/, /”/g, `“${MASK}”`],
  [/\[/, /\]/g, `[${MASK}]`],
];

/**
 * The message with everything from the first quotation mark to the last masked, or to the end if there is only one. The
 * name of a single property stays, since it shows where the fault is.
 */
function withoutQuotations(message: string): string {
  let masked = message
    .replace(/\b(reading|setting) '([\w$]{1,40})'/g, '$1 ‹$2›')
    // The engine's only message that repeats a value without quotation marks.
    .replace(/\bCannot convert .*/s, `Cannot convert ${MASK}`);
  for (const [opening, closing, mask] of QUOTATIONS) {
    const start = masked.search(opening);
    if (start === -1) continue;
    const rest = masked.slice(start + 1);
    const end = [...rest.matchAll(closing)].at(-1);
    masked = masked.slice(0, start) + mask + (end === undefined ? '' : rest.slice(end.index + 1));
  }
  return masked;
}
