import { expect, test } from 'vitest';
import { API_ERROR_CODES, TURN_ERROR_CODES } from '../../../shared/errors.ts';
import { ApiProblem } from '../../../renderer/api/problem.ts';
import { describeProblem, describeTurnError, remedyOf } from '../../../renderer/api/problem-words.ts';
import { en } from '../../../renderer/lib/words/en.ts';

test('every error code of the service has a sentence', () => {
  for (const code of API_ERROR_CODES) expect(en.apiErrors[code], code).toMatch(/^[A-Z].*\.$/);
  for (const code of TURN_ERROR_CODES) expect(en.turnErrors[code], code).toMatch(/^[A-Z].*\.$/);
});

test.each([
  [400, 'invalid_request', 'content is too long.'],
  [409, 'conflict', 'There are 100 workspaces already.'],
  [507, 'storage_full', 'Parley’s store is full: it can hold 2,000 MB.'],
] as const)('%i %s is told in the service’s own words, which say what is wrong', (status, code, message) => {
  expect(describeProblem(new ApiProblem(status, code, message))).toBe(message);
});

test('other problems are told in the page’s words', () => {
  expect(describeProblem(new ApiProblem(429, 'queue_full', 'x'))).toBe(en.apiErrors.queue_full);
  expect(describeProblem(new ApiProblem(404, 'connection_not_found', 'x'))).toBe(
    en.apiErrors.connection_not_found,
  );
  expect(describeProblem(new ApiProblem(502, null, '<html>'))).toBe(en.unknownError);
  expect(describeProblem(new TypeError('x'))).toBe(en.unknownError);
});

test('a failed reply is told in words: the service’s own if they name the cause, and once', () => {
  expect(describeTurnError({ code: 'timed_out', message: 'x' })).toBe(en.turnErrors.timed_out);
  const unreachable = 'Nobody answers at 127.0.0.1:1.';
  expect(describeTurnError({ code: 'model_unreachable', message: unreachable })).toBe(unreachable);
  expect(describeTurnError(undefined)).toBe(en.unknownError);
  expect(describeTurnError({ code: 'context_too_long', message: '' })).toBe(en.turnErrors.context_too_long);
});

test('every reason of a failed reply has one action that helps', () => {
  const remedies = TURN_ERROR_CODES.map((code) => [code, remedyOf({ code, message: '' })]);
  expect(Object.fromEntries(remedies)).toEqual({
    timed_out: 'retry',
    interrupted: 'retry',
    model_failed: 'retry',
    agent_crashed: 'retry',
    model_unreachable: 'retry',
    model_not_found: 'choose_model',
    model_key_refused: 'open_connection',
    model_overloaded: 'retry',
    context_too_long: 'choose_model',
  });
  expect(remedyOf(undefined)).toBe('retry');
});
