/** Reads servers' error messages, for sentences that quote them. */
import { attempt } from '../lib/attempt.ts';

const MAX_CHARACTERS = 200;
/** No more of a text is ever read. */
const MAX_READ_CHARACTERS = 4_000;

/**
 * The message of an error: as `error.message`, `error`, `message`, `detail`, `msg` or `errors`, in JSON or as it is; empty: nothing, or
 * a page.
 */
export function wordsIn(body: unknown): string {
  if (typeof body === 'string') {
    return /^\s*</.test(body) ? '' : (attempt(() => wordsIn(JSON.parse(body))) ?? body);
  }
  if (Array.isArray(body)) return wordsIn(body[0]);
  if (typeof body !== 'object' || body === null) return '';
  const { error, errors, message, detail, msg } = body as Record<string, unknown>;
  if (error !== undefined && error !== null && error !== '')
    return typeof error === 'string' ? error : wordsIn(error);
  const text = [message, detail, msg].find((value) => typeof value === 'string' && value !== '');
  return typeof text === 'string' ? text : wordsIn(detail ?? errors);
}

/** A text in one line without control characters and without what `hide` removes, at most 200 characters long. */
export function inOneLine(text: string, hide: (text: string) => string): string {
  const line = hide(text.slice(0, MAX_READ_CHARACTERS))
    .replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}\s]+/gu, ' ')
    .trim();
  return line.length <= MAX_CHARACTERS
    ? line
    : `${line
        .slice(0, MAX_CHARACTERS - 1)
        .trimEnd()
        .toWellFormed()}…`;
}
