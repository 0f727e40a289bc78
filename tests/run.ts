/**
 * `npm test`: format, lint, types, build, unit and service tests, end-to-end tests, and the service under Wine where that is. Every
 * part runs even when an earlier one failed, so that one run tells all; the last line counts tests, and a failed part counts as one failure.
 * With `--thorough` (`npm run test:thorough`), random tests, kills and sizes are several times what they usually are.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BUNDLED } from './support/bundled.ts';
import { type EndToEndReport, endToEndResults } from './support/run/e2e-results.ts';
import { firstLines, type Results, reported } from './support/run/results.ts';
import { filesToTryAgain, type UnitReport, unitResults } from './support/run/unit-results.ts';

if (process.argv.includes('--thorough')) process.env.PARLEY_EFFORT ??= '3';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const reports = mkdtempSync(join(tmpdir(), 'parley-reports-'));
const totals: Results = { passed: 0, skipped: [], failures: [], triedAgain: [] };
let failed = 0;
const failedParts: string[] = [];

/** Runs a part; what it prints is shown as it comes, or, `atEnd`, once it is over and to the caller as well. */
async function run(
  name: string,
  command: string,
  args: readonly string[],
  { env = {}, atEnd = false }: { env?: Record<string, string>; atEnd?: boolean } = {},
): Promise<{ isGood: boolean; printed: string }> {
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
  return { isGood, printed };
}

/** A report; null, and said so, when its part did not run to its end. */
function read(file: string): unknown {
  try {
    return JSON.parse(readFileSync(join(reports, file), 'utf8'));
  } catch {
    console.error(`No report in ${file}: that part did not run to its end.`);
    return null;
  }
}

/** Adds a part's results; one that failed without a failing test still counts as one failure. */
function add(name: string, isGood: boolean, results: Results | null): void {
  const tests = (results?.failures ?? []).reduce((sum, failure) => sum + failure.tests, 0);
  failed += isGood ? tests : Math.max(tests, 1);
  if (!isGood) failedParts.push(name);
  if (results === null) return;
  totals.passed += results.passed;
  totals.skipped.push(...results.skipped);
  totals.failures.push(...results.failures);
  totals.triedAgain.push(...results.triedAgain);
}

/** Reading components makes much garbage: with more room for what is new, collecting it takes a tenth less of the whole time. */
const ROOMY = { NODE_OPTIONS: '--max-semi-space-size=64' };

/** Runs parts one after the other. */
async function check(parts: readonly (readonly [string, string, readonly string[]])[]): Promise<void> {
  for (const [name, command, args] of parts) {
    const { isGood, printed } = await run(name, command, args, { env: ROOMY, atEnd: true });
    const failures = isGood ? [] : [{ name, error: firstLines({ message: printed }), tests: 1 }];
    add(name, isGood, { passed: 0, skipped: [], failures, triedAgain: [] });
  }
}

// What the window's client is typed by.
await check([['API types', 'node', ['tests/support/run/api-types.ts']]]);

// Two hundred megabytes, which come while the processors have other work.
const fetching = run('Electron', 'node', ['tests/support/run/fetch-electron.ts'], { atEnd: true });

// Two at a time, for two cores. What is left of the first two goes on beside the first tests.
const components = check([
  ['lint', 'eslint', ['.']],
  ['component types', 'svelte-check', ['--tsconfig', 'tsconfig.components.json', '--fail-on-warnings']],
]);
await check([
  ['build', 'electron-vite', ['build', '--ignoreConfigWarning', '--logLevel', 'warn']],
  ['types and lint of all other files', 'oxlint', []],
  ['format', 'oxfmt', ['--check']],
]);

const UNIT = 'unit and service tests';

/** Runs all unit test files, or some of them; null when that did not come to an end. */
async function runUnit(name: string, args: readonly string[] = []): Promise<[boolean, UnitReport | null]> {
  const file = args.length === 0 ? 'unit.json' : 'unit-again.json';
  const { isGood } = await run(
    name,
    'vitest',
    ['run', '--reporter=default', '--reporter=./tests/support/run/unit-reporter.ts', ...args],
    { env: { PARLEY_UNIT_REPORT: join(reports, file) } },
  );
  return [isGood, read(file) as UnitReport | null];
}

const [isGood, first] = await runUnit(UNIT);
const files = first === null ? [] : filesToTryAgain(first);
const [isGoodAgain, again] =
  files.length === 0 ? [isGood, null] : await runUnit('what failed, once more', [...files, '--maxWorkers=1']);
const unit = first === null ? null : unitResults(first, again ?? undefined);
await components;
add(UNIT, isGoodAgain && unit?.failures.length === 0, unit);

const WINDOWS = 'the service on Windows’ Node, under Wine';
// Goes on beside the end-to-end tests. A service that a failed test left running must not keep it from ending.
const smokeArgs = ['--test-force-exit', '--test-reporter=tap', 'tests/windows/smoke.ts'];
const smoking = run(WINDOWS, 'node', smokeArgs, { atEnd: true });

const END_TO_END = 'end-to-end tests';
await fetching;
const { isGood: isGoodToEnd } = await run(END_TO_END, 'playwright', ['test', '--reporter=list,json'], {
  env: {
    PLAYWRIGHT_JSON_OUTPUT_NAME: join(reports, 'e2e.json'),
    // The unit tests made the bundles.
    ...(first !== null && { [BUNDLED]: 'yes' }),
  },
});
const endToEnd = read('e2e.json') as EndToEndReport | null;
add(END_TO_END, isGoodToEnd, endToEnd === null ? null : endToEndResults(endToEnd));

const smoke = await smoking;
const failure = { name: WINDOWS, error: firstLines({ message: smoke.printed.replace(/^[^]*?not ok/, '') }) };
add(WINDOWS, smoke.isGood, {
  passed: Number(/^# pass (\d+)/m.exec(smoke.printed)?.[1] ?? 0),
  skipped: [...smoke.printed.matchAll(/# SKIP (.+)/g)].map(([, why = '']) => why),
  failures: smoke.isGood ? [] : [{ ...failure, tests: 1 }],
  triedAgain: [],
});

rmSync(reports, { recursive: true, force: true });
console.log('');
for (const [reason, tests] of Map.groupBy(totals.skipped, (why) => why)) {
  console.log(`${tests.length} skipped: ${reason}`);
}
for (const line of reported(totals)) console.log(line);
if (failedParts.length > 0) console.log(`Failed: ${failedParts.join(', ')}`);
console.log(`${totals.passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
