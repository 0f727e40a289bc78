import type { Failure, Results } from './results.ts';

/** What Vitest came to: written by `unit-reporter.ts`. */
export interface UnitReport {
  files: UnitFile[];
  /** Unhandled errors that belong to no file. */
  errors: string[];
}

export interface UnitFile {
  path: string;
  /** Of the file, its suites and its process; not those of its tests. */
  errors: string[];
  tests: UnitTest[];
}

export interface UnitTest {
  /** The same at every run. */
  id: string;
  name: string;
  /** `unfinished`: its file ended, or failed, before. */
  state: 'passed' | 'failed' | 'skipped' | 'unfinished';
  error: string;
}

/** More files than this don't fail by accident. */
const MAX_FILES_TRIED_AGAIN = 10;

/** Files to run once more: none, when too many of them failed. */
export function filesToTryAgain({ files }: UnitReport): string[] {
  const failed = files.filter(({ errors, tests }) => errors.length > 0 || tests.some(isBad));
  return failed.length > MAX_FILES_TRIED_AGAIN ? [] : failed.map(({ path }) => path);
}

/** The results of a run and of what was tried again after it, if anything was; each test is counted once. */
export function unitResults(first: UnitReport, again: UnitReport = { files: [], errors: [] }): Results {
  const results: Results = { passed: 0, skipped: [], failures: [], triedAgain: [] };
  for (const error of [...first.errors, ...again.errors]) {
    results.failures.push({ name: 'outside of tests', error, tests: 1 });
  }
  for (const file of first.files) {
    const second = again.files.find(({ path }) => path === file.path);
    const last = second === undefined ? file : afterBoth(file, second);
    results.passed += last.tests.filter(({ state }) => state === 'passed').length;
    results.skipped.push(...last.tests.filter(({ state }) => state === 'skipped').map(({ name }) => name));
    results.failures.push(...failuresIn(last));
    if (second === undefined) continue;
    // A file whose process died before its tests were known has them from the second run alone.
    const before = new Map(file.tests.map((test) => [test.id, test]));
    const tests = last.tests
      .filter(({ state }) => state === 'passed')
      .map((test): UnitTest => before.get(test.id) ?? { ...test, state: 'unfinished' });
    const errors = last.errors.length === 0 ? file.errors : [];
    results.triedAgain.push(...failuresIn({ path: file.path, errors, tests }));
  }
  return results;
}

function isBad({ state }: UnitTest): boolean {
  return state === 'failed' || state === 'unfinished';
}

/** What passed at first has passed; all else is as it came out the second time. */
function afterBoth(first: UnitFile, second: UnitFile): UnitFile {
  const again = new Map(second.tests.map((test) => [test.id, test]));
  const tests = first.tests.map((test) => (isBad(test) ? (again.get(test.id) ?? test) : test));
  const known = new Set(first.tests.map(({ id }) => id));
  return {
    path: first.path,
    errors: second.errors,
    tests: [...tests, ...second.tests.filter(({ id }) => !known.has(id))],
  };
}

/** One of each failed test, and one of what failed with the file. */
function failuresIn({ path, errors, tests }: UnitFile): Failure[] {
  const failed = tests.filter(({ state }) => state === 'failed');
  const unfinished = tests.filter(({ state }) => state === 'unfinished').length;
  const failures = failed.map(({ name, error }) => ({ name: `${path} > ${name}`, error, tests: 1 }));
  if (errors.length === 0 && unfinished === 0) return failures;
  return [...failures, { name: path, error: errors.join('\n'), tests: Math.max(unfinished, 1) }];
}
