import { expect, it } from 'vitest';
import { endToEndResults } from './e2e-results.ts';
import { reported } from './results.ts';
import { filesToTryAgain, type UnitFile, unitResults, type UnitTest } from './unit-results.ts';

const NOTHING_FAILED = { skipped: [], failures: [], triedAgain: [] };

function file(path: string, states: readonly UnitTest['state'][], errors: string[] = []): UnitFile {
  const tests = states.map((state, index) => ({
    id: `${path}_${index}`,
    name: `test ${index}`,
    state,
    error: state === 'failed' ? 'wrong' : '',
  }));
  return { path, errors, tests };
}

it('runs files once more that failed or were cut short, but not a whole suite', () => {
  const good = file('good.test.ts', ['passed', 'skipped']);
  const failed = file('failed.test.ts', ['passed', 'failed']);
  const dead = file('dead.test.ts', [], ['Worker exited unexpectedly']);
  expect(filesToTryAgain({ files: [good, failed, dead], errors: [] })).toEqual([
    'failed.test.ts',
    'dead.test.ts',
  ]);
  const many = Array.from({ length: 11 }, (_, index) => file(`${index}.test.ts`, ['failed']));
  expect(filesToTryAgain({ files: many, errors: [] })).toEqual([]);
});

it('counts each test once, whatever was tried again', () => {
  const files = [
    file('good.test.ts', ['passed', 'skipped']),
    file('flaky.test.ts', ['passed', 'failed', 'failed']),
    file('cut-short.test.ts', ['passed', 'unfinished', 'unfinished'], ['died']),
    file('dead.test.ts', [], ['died early']),
  ];
  const again = [
    // What passed at first has passed, even though it fails now.
    file('flaky.test.ts', ['failed', 'passed', 'failed']),
    file('cut-short.test.ts', ['passed', 'passed', 'passed']),
    file('dead.test.ts', ['passed', 'passed']),
  ];
  expect(unitResults({ files, errors: [] }, { files: again, errors: [] })).toEqual({
    passed: 8,
    skipped: ['test 1'],
    failures: [{ name: 'flaky.test.ts > test 2', error: 'wrong', tests: 1 }],
    triedAgain: [
      { name: 'flaky.test.ts > test 1', error: 'wrong', tests: 1 },
      { name: 'cut-short.test.ts', error: 'died', tests: 2 },
      { name: 'dead.test.ts', error: 'died early', tests: 2 },
    ],
  });
});

it('counts tests as failed that a dead process never came to', () => {
  const dead = file('dead.test.ts', ['passed', 'unfinished', 'unfinished'], ['died']);
  const report = { files: [dead], errors: ['an error of nobody'] };
  expect(unitResults(report, { files: [dead], errors: [] })).toEqual({
    ...NOTHING_FAILED,
    passed: 1,
    failures: [
      { name: 'outside of tests', error: 'an error of nobody', tests: 1 },
      { name: 'dead.test.ts', error: 'died', tests: 2 },
    ],
  });
});

it('tells end-to-end tests apart by how they came out', () => {
  const spec = (title: string, status: 'expected' | 'unexpected' | 'flaky' | 'skipped') => ({
    title,
    file: 'chat.spec.ts',
    tests: [
      {
        projectName: 'window',
        status,
        annotations: [{ type: 'skip', description: 'no runtime' }],
        results: [{ errors: [{ message: '\u001b[31mError\u001b[0m: first' }] }, { errors: [] }],
      },
    ],
  });
  const specs = [spec('a', 'expected'), spec('b', 'flaky')];
  const suites = [{ specs: [spec('c', 'unexpected'), spec('d', 'skipped')] }];
  expect(endToEndResults({ specs, suites, errors: [] })).toEqual({
    passed: 2,
    skipped: ['no runtime'],
    failures: [{ name: 'chat.spec.ts > c [window]', error: 'Error: first', tests: 1 }],
    triedAgain: [{ name: 'chat.spec.ts > b [window]', error: 'Error: first', tests: 1 }],
  });
});

it('tells some 60 lines of failures at most', () => {
  const failures = Array.from({ length: 50 }, (_, index) => ({
    name: `test ${index}`,
    error: 'one\ntwo\nthree',
    tests: 1,
  }));
  const lines = reported({ failures, triedAgain: failures });
  expect(lines).toHaveLength(62);
  expect(lines.slice(0, 2)).toEqual(['failed: test 0', '    one']);
  expect(lines[40]).toBe('and 40 more failed');
  expect(lines.at(-1)).toBe('and 30 more passed only when tried again');
});
