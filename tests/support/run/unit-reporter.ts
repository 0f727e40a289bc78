import { writeFileSync } from 'node:fs';
import type { SerializedError } from 'vitest';
import type { Reporter, TestCase, TestModule, TestSuite } from 'vitest/node';
import { firstLines } from './results.ts';
import type { UnitFile, UnitReport, UnitTest } from './unit-results.ts';

/**
 * Writes what `npm test` needs to know to the file named by `PARLEY_UNIT_REPORT`. Vitest's own JSON report leaves out
 * unhandled errors, a worker's death among them, and calls the tests which that cut short skipped.
 */
export default class UnitReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    const rest = new Set(unhandled);
    const files = modules.map((module) => {
      const own = unhandled.filter((error) => isOf(module, error));
      for (const error of own) rest.delete(error);
      return fileOf(module, own);
    });
    const report: UnitReport = { files, errors: [...rest].map(firstLines) };
    writeFileSync(process.env.PARLEY_UNIT_REPORT ?? 'unit.json', JSON.stringify(report));
  }
}

/** Of a worker that died, only the cause tells which file it ran. */
function isOf({ moduleId }: TestModule, { VITEST_TEST_PATH: path, cause }: SerializedError): boolean {
  return path === moduleId || (cause?.message.includes(moduleId) ?? false);
}

function fileOf(module: TestModule, unhandled: readonly SerializedError[]): UnitFile {
  const suites = [module, ...module.children.allSuites()];
  const errors = [
    ...unhandled.map((error) => error.cause ?? error),
    ...suites.flatMap((suite) => suite.errors()),
  ].map(firstLines);
  const isOver = ['passed', 'failed', 'skipped'].includes(module.state());
  return {
    path: module.relativeModuleId,
    errors: isOver || errors.length > 0 ? errors : ['It did not come to its end.'],
    tests: Array.from(module.children.allTests(), testOf),
  };
}

function testOf(test: TestCase): UnitTest {
  const { state, errors } = test.result();
  return {
    id: test.id,
    name: test.fullName,
    state: state === 'pending' || (state === 'skipped' && isCutShort(test.parent)) ? 'unfinished' : state,
    error: firstLines(errors?.[0] ?? {}),
  };
}

/** Tests of a suite whose preparation failed are called skipped, too. */
function isCutShort(suite: TestSuite | TestModule): boolean {
  return suite.errors().length > 0 || (suite.type === 'suite' && isCutShort(suite.parent));
}
