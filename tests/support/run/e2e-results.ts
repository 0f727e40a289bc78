import { type Failure, firstLines, type Results } from './results.ts';

/** The parts of Playwright's JSON report that are read. */
export interface EndToEndReport extends Suite {
  /** Of no test: a spec that can't be loaded, a set-up that failed. */
  errors: ErrorReport[];
}

interface Suite {
  suites?: Suite[];
  specs?: { title: string; file: string; tests: TestReport[] }[];
}

interface TestReport {
  projectName: string;
  status: 'expected' | 'unexpected' | 'flaky' | 'skipped';
  annotations: { type: string; description?: string }[];
  /** One of each try. */
  results: { errors: ErrorReport[] }[];
}

interface ErrorReport {
  message?: string;
  stack?: string;
}

/** The results of an end-to-end run; Playwright itself tries again what fails. */
export function endToEndResults(report: EndToEndReport): Results {
  const tests = testsIn(report);
  const having = (status: TestReport['status']) => tests.filter(({ test }) => test.status === status);
  return {
    passed: having('expected').length + having('flaky').length,
    skipped: having('skipped').map(({ test: { annotations } }) => {
      return annotations.find(({ type }) => type === 'skip')?.description ?? 'marked so';
    }),
    failures: [
      ...report.errors.map((error) => ({ name: 'outside of tests', error: firstLines(error), tests: 1 })),
      ...having('unexpected').map(failureOf),
    ],
    triedAgain: having('flaky').map(failureOf),
  };
}

interface NamedTest {
  name: string;
  test: TestReport;
}

function testsIn({ suites = [], specs = [] }: Suite): NamedTest[] {
  const here = specs.flatMap(({ title, file, tests }) => {
    return tests.map((test) => ({ name: `${file} > ${title} [${test.projectName}]`, test }));
  });
  return [...here, ...suites.flatMap(testsIn)];
}

/** With the error of the first try: later ones may fail by what that left behind. */
function failureOf({ name, test }: NamedTest): Failure {
  return { name, error: firstLines(test.results[0]?.errors[0] ?? {}), tests: 1 };
}
