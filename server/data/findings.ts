import type { FileFindings, FileProblem } from '../../shared/api/data.ts';
import { MAX_FILE_PROBLEMS } from '../../shared/limits.ts';

/** Where in a file something is, counted from 1. */
export type FileLocation = Omit<FileProblem, 'what'>;

/** About no chat, but about the file or its other content. */
export const IN_FILE: FileLocation = { chat: null, message: null };

/** Notes what in a file can't be imported as it is. */
export type Findings = ReturnType<typeof createFindings>;

/** Nothing noted yet. */
export function createFindings() {
  const found: FileFindings = { mended: 0, leftOut: 0, problems: [] };
  const note = (kind: 'mended' | 'leftOut', location: FileLocation, what: string): void => {
    found[kind] += 1;
    if (found.problems.length < MAX_FILE_PROBLEMS) found.problems.push({ ...location, what });
  };
  let isDamaged = false;
  return {
    found,
    get isDamaged(): boolean {
      return isDamaged;
    },
    /** Part of the file can't be read at all. */
    damage(location: FileLocation, what: string): void {
      isDamaged = true;
      // This is always reported, however many other problems there are.
      if (found.problems.length === MAX_FILE_PROBLEMS) found.problems.pop();
      note('leftOut', location, what);
    },
    /** Something was repaired and is imported; `what` says how, in sentences. */
    repaired: (location: FileLocation, what: string): void => note('mended', location, what),
    /** Something is left out; `what` says why, in sentences. */
    leaveOut: (location: FileLocation, what: string): void => note('leftOut', location, what),
  };
}
