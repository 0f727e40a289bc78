/** Reads servers' error messages, for sentences that quote them. */
import { attempt } from '../../shared/attempt.ts';

const MAX_CHARACTERS = 200;
/** No more of a text is ever read. */
const MAX_READ_CHARACTERS = 4_000;

/** Where servers put the message of an error, in any case; the first that has one counts. OpenRouter has a provider's in `metadata.raw`. */
const NAMES = [
  'error_description',
  'error',
  'metadata',
  'raw',
  'message',
  'detail',
  'msg',
  'error_msg',
  'error_message',
  'errormessage',
  'errmsg',
  'errors',
  'reason',
  'title',
];

/** The message of an error, under one of those names or several of them, in JSON, XML or as it is, or a page's title; empty: nothing. */
export function wordsIn(body: unknown): string {
  if (typeof body === 'string') {
    if (/^\s*</.test(body)) return /<(?:title|h1|message)\b[^>]{0,99}>([^<]*)/i.exec(body)?.[1]?.trim() ?? '';
    return attempt(() => wordsIn(JSON.parse(body))) ?? body;
  }
  if (Array.isArray(body)) return wordsIn(body[0]);
  if (typeof body !== 'object' || body === null) return '';
  const fields = Object.entries(body).map(([name, value]) => [name.toLowerCase(), value] as const);
  const words = NAMES.map((name) => {
    const [, value] = fields.find((field) => field[0] === name) ?? [];
    if (typeof value !== 'string') return wordsIn(value);
    return attempt(() => wordsIn(JSON.parse(value))) || value;
  });
  return words.find((text) => text !== '') ?? '';
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
