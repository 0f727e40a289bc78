import type { MessageError } from '../../shared/api/message.ts';
import type { ApiErrorCode, TurnErrorCode } from '../../shared/errors.ts';
import { ApiProblem, ConnectionProblem, WordedProblem } from './problem.ts';
import { words } from '../lib/words/index.ts';

/** A newer service may have codes that this page has no words for. */
const lookUp = (table: Readonly<Record<string, string>>, code: string): string | undefined => table[code];

/** What only the service can explain: what is wrong with an input or a file, another server's failure, a limit, the disk. */
const SHOWN_IN_FULL: ReadonlySet<string> = new Set<ApiErrorCode>([
  'invalid_request',
  'fetch_failed',
  'conflict',
  'storage_full',
  'storage_unavailable',
  'unsupported_import',
  'body_too_large',
]);

/** A problem in words a person can act on. */
export function describeProblem(problem: unknown): string {
  if (problem instanceof WordedProblem) return problem.message;
  if (problem instanceof ConnectionProblem) return words.connection.noAnswer;
  if (!(problem instanceof ApiProblem) || problem.code === null) return words.unknownError;
  if (problem.details.some(({ path }) => path === '/projectId')) return words.apiErrors.project_not_found;
  if (SHOWN_IN_FULL.has(problem.code)) return problem.message;
  return lookUp(words.apiErrors, problem.code) ?? problem.message;
}

/** Reasons about which the service says more than the code does: which server, which model, what it reported. */
const WORDED_BY_SERVICE: ReadonlySet<string> = new Set<TurnErrorCode>([
  'model_failed',
  'model_unreachable',
  'model_not_found',
  'model_key_refused',
  'model_overloaded',
  'context_too_long',
]);

/** Why a reply failed, in the service's own sentence if that names the cause. */
export function describeTurnError(error: MessageError | undefined): string {
  if (!error) return words.unknownError;
  if (WORDED_BY_SERVICE.has(error.code) && error.message !== '') return error.message;
  return lookUp(words.turnErrors, error.code) ?? words.unknownError;
}

/** The one thing that helps with a failed reply: trying again, another model, or checking its connection. */
export type TurnRemedy = 'retry' | 'choose_model' | 'open_connection';

/** What helps with a failed reply. For a temporary or unknown cause, that is trying again. */
export function remedyOf(error: MessageError | undefined): TurnRemedy {
  switch (error?.code) {
    case 'model_not_found':
    case 'context_too_long':
      return 'choose_model';
    case 'model_key_refused':
      return 'open_connection';
    default:
      return 'retry';
  }
}
