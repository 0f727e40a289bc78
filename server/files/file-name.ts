import { invalidField } from '../errors.ts';

/** What would let a name show other than it is, or break a line: control characters, and those that turn the order of writing. */
const UNFIT = /[\p{Cc}\p{Bidi_Control}\s]+/gu;

/** The name of a file, without a path; empty when nothing is left. */
export function plainFileName(told: string): string {
  const name = (told.toWellFormed().split(/[/\\]/).at(-1) ?? '').replace(UNFIT, ' ').trim();
  return /^\.*$/.test(name) ? '' : name;
}

/** The same; throws AppError `invalid_request` when nothing is left. */
export function fileNameOf(told: string): string {
  const name = plainFileName(told);
  if (name === '') throw invalidField('name', '"name" must be the name of a file.');
  return name;
}
