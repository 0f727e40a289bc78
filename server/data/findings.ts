import type { FileFindings, FileProblem } from '../../shared/api/data.ts';
import { MAX_FILE_PROBLEMS } from '../../shared/limits.ts';

/** Where in a file something is, counted from 1. */
export type FilePlace = Omit<FileProblem, 'what'>;

/** About no chat, but about the file or its other content. */
export const IN_FILE: FilePlace = { chat: null, message: null };

/** Notes what in a file can't be imported as it is. */
export type Findings = ReturnType<typeof createFindings>;

/** Nothing noted yet. */
export function createFindings() {
  const found: FileFindings = { mended: 0, leftOut: 0, problems: [] };
  const note = (kind: 'mended' | 'leftOut', place: FilePlace, what: string): void => {
    found[kind] += 1;
    if (found.problems.length < MAX_FILE_PROBLEMS) found.problems.push({ ...place, what });
  };
  let isDamaged = false;
  return {
    found,
    get isDamaged(): boolean {
      return isDamaged;
    },
    /** Part of the file can't be read at all. */
    damage(place: FilePlace, what: string): void {
      isDamaged = true;
      // This is always reported, however many other problems there are.
      if (found.problems.length === MAX_FILE_PROBLEMS) found.problems.pop();
      note('leftOut', place, what);
    },
    /** Something was repaired and is imported; `what` says how, in sentences. */
    mend: (place: FilePlace, what: string): void => note('mended', place, what),
    /** Something is left out; `what` says why, in sentences. */
    leaveOut: (place: FilePlace, what: string): void => note('leftOut', place, what),
  };
}
