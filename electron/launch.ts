/**
 * `npm start` in a checkout: builds what needs building and opens the desktop app. If no window is possible, it says so
 * in one line and runs the same service without one.
 */
import { ensureBuilt, ROOT } from '../server/process/ensure-built.ts';
import { downloadHint, downloadRuntime, findRuntime } from './runtime.ts';
import { whyNoWindow } from './why-no-window.ts';
import { runWindow } from './window-process.ts';

const args = process.argv.slice(2);
const say = (line: string): void => void process.stderr.write(`${line}\n`);

ensureBuilt(args);
const reason = (await whyNoWindow(args, process)) ?? (await openWindow());
if (reason !== null) await serve(reason);

/** Runs the app until it ends; resolves with why no window was possible, or null. */
async function openWindow(): Promise<string | null> {
  const problem = findRuntime() === null ? await obtainRuntime() : null;
  if (problem !== null) return problem;
  const program = findRuntime();
  if (program === null) return 'Electron’s runtime is missing';
  const env = { ...process.env };
  // With it, Electron would run as plain Node.
  delete env['ELECTRON_RUN_AS_NODE'];
  const end = await runWindow({
    program,
    args: [ROOT, ...args],
    env,
    hasTerminal: process.stdin.isTTY,
  });
  if ('noWindow' in end) return end.noWindow;
  process.exitCode = end.exitCode;
  return null;
}

/** Null when it was downloaded, else why not. */
async function obtainRuntime(): Promise<string | null> {
  say('Downloading Electron’s runtime for Parley’s window, about 120 MB, once …');
  const problem = await downloadRuntime();
  if (problem === null) return null;
  const hint = downloadHint();
  return `Electron’s runtime can’t be downloaded (${problem}${hint === '' ? '' : `; ${hint}`})`;
}

/** Runs the service in this process: signals, arguments and exit codes are its own. */
async function serve(why: string): Promise<void> {
  if (why !== '') say(`${why}, so Parley runs headless: open the link below in a browser.`);
  process.argv = process.argv.filter((argument) => argument !== '--hidden');
  await import(new URL('../out/main/cli.js', import.meta.url).href);
}
