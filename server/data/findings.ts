import type { FileFindings, FileProblem } from '../../shared/api/data.ts';
import { MAX_FILE_PROBLEMS } from '../../shared/limits.ts';

/** Where in a file something is, counted from 1. */
export type FilePlace = Omit<FileProblem, 'what'>;

/** About no chat: about the file, or what stands beside its chats. */
export const IN_FILE: FilePlace = { chat: null, message: null };

/** Notes what in a file can't be taken as it stands. */
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
      // However much else there was, this is told.
      if (found.problems.length === MAX_FILE_PROBLEMS) found.problems.pop();
      note('leftOut', place, what);
    },
    /** Something is taken after it was put right; `what` says how, in sentences. */
    mend: (place: FilePlace, what: string): void => note('mended', place, what),
    /** Something is not taken; `what` says why, in sentences. */
    leaveOut: (place: FilePlace, what: string): void => note('leftOut', place, what),
  };
}
