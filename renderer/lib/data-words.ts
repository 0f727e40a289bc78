/** What the settings say about exports, imports and backups, put together from words and figures. */
import type { ImportResult } from '../../shared/api/data.ts';
import { ApiProblem, ConnectionProblem } from '../api/problem.ts';
import { describeProblem } from './problem-words.ts';
import { ImportStopped, UnfitFile } from './split-import.ts';
import { words } from './words/index.ts';

/** What came of an import or a restore, in a sentence or two. */
export function describeResult({ imported, copied, skipped }: ImportResult): string {
  const text = words.data;
  if (imported + copied + skipped === 0) return text.nothingInIt;
  if (imported + copied === 0) return text.allThere(skipped);
  const parts = [text.cameIn(imported + copied)];
  if (skipped > 0) parts.push(text.wereThere(skipped));
  const sentence = `${parts.join(text.and)}.`;
  return copied > 0 ? `${sentence} ${text.asCopies(copied)}` : sentence;
}

/** Why something didn't work, in words a person can act on. */
export function describeDataProblem(problem: unknown): string {
  const text = words.data;
  if (problem instanceof UnfitFile) {
    const { reason } = problem;
    return reason.kind === 'chat_too_large'
      ? text.unfit.chat_too_large(reason.number)
      : text.unfit[reason.kind];
  }
  if (problem instanceof ImportStopped) return describeStop(problem);
  if (problem instanceof ConnectionProblem) return text.noConnection;
  if (problem instanceof ApiProblem) {
    if (problem.code === 'conflict') return text.busyElsewhere;
    // How far it came, only the service knows.
    if (problem.code === 'storage_full' || problem.code === 'storage_unavailable') return problem.message;
  }
  return describeProblem(problem);
}

function describeStop(stop: ImportStopped): string {
  const text = words.data;
  const { damagedAt, result, problem } = stop;
  // What the service says of its part of the file would be taken for the whole.
  if (problem instanceof ApiProblem && problem.code === 'storage_full') return text.importDiskFull;
  if (problem instanceof ApiProblem && problem.code === 'storage_unavailable') return text.importDiskFailed;
  const why =
    damagedAt === null ? describeDataProblem(problem) : text.damagedAt(damagedAt.chat, damagedAt.message);
  const came = result.imported + result.copied;
  if (came === 0) return damagedAt === null ? why : `${why} ${text.nothingCameIn}`;
  return `${why} ${text.cameInBefore(came)}`;
}
