import type { MessageError } from '../../shared/api/message.ts';
import { ApiProblem, ConnectionProblem } from '../api/problem.ts';
import { words } from './words/index.ts';

/** A newer service may have codes that this page has no words for. */
const lookUp = (table: Readonly<Record<string, string>>, code: string): string | undefined => table[code];

/** A problem in words a person can act on. */
export function describeProblem(problem: unknown): string {
  if (problem instanceof ConnectionProblem) return words.connection.noAnswer;
  if (problem instanceof ApiProblem) {
    // A rejected input is explained best by the service itself: only it knows what was wrong.
    if (problem.code === 'invalid_request') return problem.message;
    if (problem.code === null) return words.unknownError;
    return lookUp(words.apiErrors, problem.code) ?? problem.message;
  }
  return words.unknownError;
}

/** Why a reply could not be made. What the model itself reported is added: it names the cause. */
export function describeTurnError(error: MessageError | undefined): string {
  if (!error) return words.unknownError;
  const reason = lookUp(words.turnErrors, error.code) ?? words.unknownError;
  const detail = error.code === 'model_failed' && error.message !== '' ? ` ${error.message}` : '';
  return reason + detail;
}
