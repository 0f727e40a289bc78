import { invalidField } from '../errors.ts';

/** Characters that break a line or disguise a name: control characters, and those that change the writing direction. */
const UNFIT = /[\p{Cc}\p{Bidi_Control}\s]+/gu;

/** The name of a file, without a path; empty when nothing is left. */
export function plainFileName(given: string): string {
  const name = (given.toWellFormed().split(/[/\\]/).at(-1) ?? '').replace(UNFIT, ' ').trim();
  return /^\.*$/.test(name) ? '' : name;
}

/** The same; throws AppError `invalid_request` when nothing is left. */
export function fileNameOf(given: string): string {
  const name = plainFileName(given);
  if (name === '') throw invalidField('name', '"name" must be the name of a file.');
  return name;
}
