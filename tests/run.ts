/**
 * `npm test`: format, lint, types, build, unit and service tests, end-to-end tests. Every part runs even when an
 * earlier one failed, so that one run tells all; the last line counts tests, and a failed part counts as one failure.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

interface Counts {
  passed: number;
  failed: number;
  /** Why, of each; of unit tests, which. */
  skipped: string[];
  /** Names of those that failed first and then passed; they count as passed. */
  secondTry: string[];
}

/** Of Vitest's report. */
interface UnitReport {
  numPassedTests: number;
  numFailedTests: number;
  testResults: { assertionResults: { status: string; fullName: string }[] }[];
}

/** A part of Playwright's report. */
interface Suite {
  suites?: Suite[];
  specs?: {
    title: string;
    tests: { status: string; annotations: { type: string; description?: string }[] }[];
  }[];
}

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const reports = mkdtempSync(join(tmpdir(), 'parley-reports-'));
const totals: Counts = { passed: 0, failed: 0, skipped: [], secondTry: [] };
const failedParts: string[] = [];

/** Runs a part; what it prints is shown as it comes, or, `atEnd`, once it is over. */
async function run(
  name: string,
  command: string,
  args: readonly string[],
  { env = {}, atEnd = false }: { env?: Record<string, string>; atEnd?: boolean } = {},
): Promise<boolean> {
  const title = `\n── ${name}`;
  if (!atEnd) console.log(title);
  const child = spawn(command, args, {
    cwd: ROOT,
    stdio: atEnd ? ['ignore', 'pipe', 'pipe'] : 'inherit',
    // There the tools are scripts that only a shell runs.
    shell: process.platform === 'win32',
    env: { ...process.env, ...env },
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => (printed += text));
  }
  const isGood = await new Promise<boolean>((resolve) => {
    child.on('error', (error) => {
      console.error(error.message);
      resolve(false);
    });
    child.on('close', (code) => resolve(code === 0));
  });
  if (atEnd) console.log(`${title}\n${printed}`);
  if (!isGood) failedParts.push(name);
  return isGood;
}

/** Adds a report's counts; a part that failed without a failing test still counts as one failure. */
function count(file: string, ok: boolean, read: (report: unknown) => Counts): void {
  let counts: Counts = { passed: 0, failed: 0, skipped: [], secondTry: [] };
  try {
    counts = read(JSON.parse(readFileSync(join(reports, file), 'utf8')));
  } catch {
    console.error(`No report in ${file}: that part did not run to its end.`);
    ok = false;
  }
  totals.passed += counts.passed;
  totals.failed += ok ? counts.failed : Math.max(counts.failed, 1);
  totals.skipped.push(...counts.skipped);
  totals.secondTry.push(...counts.secondTry);
}

/** The reasons of a report's skipped tests. */
function skippedIn({ suites = [], specs = [] }: Suite): string[] {
  const here = specs
    .flatMap(({ tests }) => tests)
    .filter(({ status }) => status === 'skipped')
    .map(({ annotations }) => annotations.find(({ type }) => type === 'skip')?.description ?? 'marked so');
  return [...here, ...suites.flatMap(skippedIn)];
}

/** The names of a report's tests that passed at the second try. */
function secondTriesIn({ suites = [], specs = [] }: Suite): string[] {
  const here = specs
    .filter(({ tests }) => tests.some(({ status }) => status === 'flaky'))
    .map(({ title }) => title);
  return [...here, ...suites.flatMap(secondTriesIn)];
}

/** Runs parts one after the other. */
async function check(parts: readonly (readonly [string, string, readonly string[]])[]): Promise<void> {
  for (const [name, command, args] of parts) {
    if (!(await run(name, command, args, { atEnd: true }))) totals.failed += 1;
  }
}

// Each takes one core, and lint as long as all the others.
await Promise.all([
  check([['lint', 'eslint', ['.']]]),
  check([
    ['build', 'electron-vite', ['build', '--ignoreConfigWarning', '--logLevel', 'warn']],
    ['format', 'prettier', ['--check', '.']],
    ['types', 'tsc', ['-p', 'tsconfig.node.json']],
    ['page types', 'svelte-check', ['--tsconfig', 'tsconfig.web.json', '--fail-on-warnings']],
  ]),
]);

const unitReport = join(reports, 'unit.json');
const unitOk = await run('unit and service tests', 'vitest', [
  'run',
  '--reporter=default',
  '--reporter=json',
  `--outputFile.json=${unitReport}`,
]);
count('unit.json', unitOk, (report) => {
  const { numPassedTests, numFailedTests, testResults } = report as UnitReport;
  const skipped = testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status }) => status !== 'passed' && status !== 'failed')
    .map(({ fullName }) => fullName);
  return { passed: numPassedTests, failed: numFailedTests, skipped, secondTry: [] };
});

const endToEndOk = await run('end-to-end tests', 'playwright', ['test', '--reporter=list,json'], {
  env: { PLAYWRIGHT_JSON_OUTPUT_NAME: join(reports, 'e2e.json') },
});
count('e2e.json', endToEndOk, (report) => {
  const { expected, unexpected, flaky } = (report as { stats: Record<string, number> }).stats;
  return {
    passed: (expected ?? 0) + (flaky ?? 0),
    failed: unexpected ?? 0,
    skipped: skippedIn(report as Suite),
    secondTry: secondTriesIn(report as Suite),
  };
});

rmSync(reports, { recursive: true, force: true });
if (failedParts.length > 0) console.error(`\nFailed: ${failedParts.join(', ')}`);
console.log('');
for (const [reason, tests] of Map.groupBy(totals.skipped, (why) => why)) {
  console.log(`${tests.length} skipped: ${reason}`);
}
for (const name of totals.secondTry) console.log(`passed at the second try only: ${name}`);
console.log(`${totals.passed} passed, ${totals.failed} failed`);
process.exitCode = totals.failed === 0 ? 0 : 1;
