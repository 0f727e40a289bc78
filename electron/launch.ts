/**
 * `npm start` in a checkout: builds what has to be built and opens the desktop app. Where there can be no window, it says so
 * in one line and serves the same thing headless.
 */
import { spawn } from 'node:child_process';
import { ensureBuilt, ROOT } from '../server/ensure-built.ts';
import { downloadRuntime, findRuntime } from './runtime.ts';
import { whyNoWindow } from './why-no-window.ts';

/** An Electron that ends in less, and not in order, could not open its window on this machine. */
const START_MS = 10_000;
/** The exit codes that Parley itself ends with. */
const OWN_CODES = [0, 1, 2, 3];

const args = process.argv.slice(2);
const say = (line: string): void => void process.stderr.write(`${line}\n`);

ensureBuilt();
const reason = whyNoWindow(args, process) ?? (await obtainRuntime());
if (reason === null) await openWindow();
else await serve(reason);

/** Null when the runtime is there, else why not. */
async function obtainRuntime(): Promise<string | null> {
  if (findRuntime() !== null) return null;
  say('Parley’s window needs Electron’s runtime, about 120 MB; it is being downloaded, once …');
  const problem = await downloadRuntime();
  if (problem !== null) return `Electron’s runtime can’t be downloaded (${problem})`;
  return findRuntime() === null ? 'Electron’s runtime isn’t where its package says' : null;
}

async function openWindow(): Promise<void> {
  const program = findRuntime() ?? '';
  const startedAt = performance.now();
  const env = { ...process.env };
  // With it, Electron would be a plain Node.
  delete env['ELECTRON_RUN_AS_NODE'];
  const child = spawn(program, [ROOT, ...args], { stdio: 'inherit', env });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
  const [code, problem] = await new Promise<[number | null, string]>((resolve) => {
    child.on('error', (error) => resolve([null, error.message]));
    child.on('close', (ended, signal) => resolve([ended, signal ?? `exit code ${ended}`]));
  });
  const isOwn = code !== null && OWN_CODES.includes(code);
  if (isOwn || performance.now() - startedAt > START_MS) process.exitCode = code ?? 1;
  else await serve(`Electron could not open a window here (${problem})`);
}

/** The service in this same process: signals, arguments and exit codes are its own. */
async function serve(why: string): Promise<void> {
  if (why !== '') say(`${why}, so Parley runs headless: open the link below in a browser.`);
  process.argv = process.argv.filter((argument) => argument !== '--hidden');
  await import(new URL('../out/main/cli.js', import.meta.url).href);
}
