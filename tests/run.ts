/**
 * `npm test`: format, lint, types, build, unit and service tests, end-to-end tests. Every part runs even when an
 * earlier one failed, so that one run tells all; the last line counts tests, and a failed part counts as one failure.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const reports = mkdtempSync(join(tmpdir(), 'parley-reports-'));
const totals: Counts = { passed: 0, failed: 0, skipped: 0 };
const failedParts: string[] = [];

function run(name: string, command: string, args: string[], env: Record<string, string> = {}): boolean {
  console.log(`\n── ${name}`);
  const { status } = spawnSync(command, args, {
    cwd: ROOT,
    stdio: 'inherit',
    env: { ...process.env, ...env },
  });
  if (status !== 0) failedParts.push(name);
  return status === 0;
}

/** Adds a report's counts; a part that failed without a failing test still counts as one failure. */
function count(file: string, ok: boolean, read: (report: unknown) => Counts): void {
  let counts: Counts = { passed: 0, failed: 0, skipped: 0 };
  try {
    counts = read(JSON.parse(readFileSync(join(reports, file), 'utf8')));
  } catch {
    console.error(`No report in ${file}: that part did not run to its end.`);
    ok = false;
  }
  totals.passed += counts.passed;
  totals.failed += ok ? counts.failed : Math.max(counts.failed, 1);
  totals.skipped += counts.skipped;
}

for (const [name, command, args] of [
  ['format', 'prettier', ['--check', '.']],
  ['lint', 'eslint', ['.']],
  ['types', 'tsc', ['-p', 'tsconfig.node.json']],
  ['page types', 'svelte-check', ['--tsconfig', 'tsconfig.web.json', '--fail-on-warnings']],
  ['build', 'electron-vite', ['build', '--ignoreConfigWarning', '--logLevel', 'warn']],
] as const) {
  if (!run(name, command, [...args])) totals.failed += 1;
}

const unitReport = join(reports, 'unit.json');
const unitOk = run('unit and service tests', 'vitest', [
  'run',
  '--reporter=default',
  '--reporter=json',
  `--outputFile.json=${unitReport}`,
]);
count('unit.json', unitOk, (report) => {
  const { numPassedTests, numFailedTests, numPendingTests } = report as Record<string, number>;
  return { passed: numPassedTests ?? 0, failed: numFailedTests ?? 0, skipped: numPendingTests ?? 0 };
});

const endToEndOk = run('end-to-end tests', 'playwright', ['test', '--reporter=list,json'], {
  PLAYWRIGHT_JSON_OUTPUT_NAME: join(reports, 'e2e.json'),
});
count('e2e.json', endToEndOk, (report) => {
  const { expected, unexpected, flaky, skipped } = (report as { stats: Record<string, number> }).stats;
  return { passed: (expected ?? 0) + (flaky ?? 0), failed: unexpected ?? 0, skipped: skipped ?? 0 };
});

rmSync(reports, { recursive: true, force: true });
if (failedParts.length > 0) console.error(`\nFailed: ${failedParts.join(', ')}`);
const skipped = totals.skipped > 0 ? `, ${totals.skipped} skipped` : '';
console.log(`\n${totals.passed} passed, ${totals.failed} failed${skipped}`);
process.exitCode = totals.failed === 0 ? 0 : 1;
