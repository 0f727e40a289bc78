import { invalidField } from '../errors.ts';
import { INVISIBLE, VISIBLE } from './plain-text.ts';

/**
 * A name that a person gave, as it is stored: one line, without white space around it, broken surrogates or characters that
 * don't show. `null` when nothing is left of it that shows.
 */
export function cleanName(text: string): string | null {
  const name = text
    .toWellFormed()
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .replace(INVISIBLE, '')
    .trim();
  return VISIBLE.test(name) ? name : null;
}

/** As {@link cleanName}; throws AppError `invalid_request` about that field when nothing is left. */
export function readName(text: string, field = 'name'): string {
  const name = cleanName(text);
  if (name === null)
    throw invalidField(field, `"${field}" must not be only white space or characters that do not show.`);
  return name;
}

/** Text that SQLite and everything else can store: no NUL, no half of a surrogate pair. */
export const storableText = (text: string): string => text.replaceAll('\0', '').toWellFormed();
