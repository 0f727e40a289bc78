import { stripVTControlCharacters } from 'node:util';

/** The results of a part of `npm test`, in the same form for both test runners. */
export interface Results {
  passed: number;
  /** Why, of each; of unit tests, which. */
  skipped: string[];
  failures: Failure[];
  /** What failed first and then passed, with its first error; counted as passed. */
  triedAgain: Failure[];
}

export interface Failure {
  /** A test's name; a file's, when it didn't finish. */
  name: string;
  /** Its first lines, without colours. */
  error: string;
  /** How many tests failed with it; 1 as well for an error outside of them. */
  tests: number;
}

const MAX_LINES_OF_AN_ERROR = 6;
const MAX_LINE_CHARS = 300;
const MAX_LINES_OF_FAILURES = 40;
const MAX_LINES_OF_TRIED_AGAIN = 20;

/** An error's message, cut, and where in our own files it was thrown. */
export function firstLines({ message = '', stack = '' }: { message?: string; stack?: string }): string {
  const lines = stripVTControlCharacters(message)
    .split('\n')
    .filter((line) => line.trim() !== '');
  const frame = stripVTControlCharacters(stack)
    .split('\n')
    .find((line) => /^\s+at /.test(line) && !/node_modules|node:|\[native/.test(line));
  return [...lines.slice(0, MAX_LINES_OF_AN_ERROR), ...(frame === undefined ? [] : [frame.trim()])]
    .map((line) => line.slice(0, MAX_LINE_CHARS))
    .join('\n');
}

/** The summary of tests that failed, or passed only when retried, for the end of the output: at most about 60 lines. */
export function reported({ failures, triedAgain }: Pick<Results, 'failures' | 'triedAgain'>): string[] {
  return [
    ...bounded(
      failures.map(({ name, error, tests }) => [
        `failed: ${name}${ofTests(tests)}`,
        ...error.split('\n').map((line) => `    ${line}`),
      ]),
      MAX_LINES_OF_FAILURES,
      'failed',
    ),
    ...bounded(
      triedAgain.map(({ name, error, tests }) => [
        `passed only when tried again: ${name}${ofTests(tests)}; at first: ${error.split('\n')[0] ?? ''}`,
      ]),
      MAX_LINES_OF_TRIED_AGAIN,
      'passed only when tried again',
    ),
  ];
}

function ofTests(tests: number): string {
  return tests > 1 ? ` (${tests} tests)` : '';
}

function bounded(entries: readonly string[][], max: number, what: string): string[] {
  const lines: string[] = [];
  for (const [index, entry] of entries.entries()) {
    if (lines.length + entry.length > max) return [...lines, `and ${entries.length - index} more ${what}`];
    lines.push(...entry);
  }
  return lines;
}
