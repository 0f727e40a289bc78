/**
 * Starting the desktop app: from the start of the process until the service is ready, and until the window is painted. Reference
 * in the same run: an app that only opens a window with one word in it. On Electron if its runtime is installed, else
 * on the stand-in, whose Chromium takes longer to start.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findRuntime } from '../../electron/runtime.ts';
import { startStandIn } from '../support/electron/start.ts';
import { median } from './scenarios.ts';
import { newFolder } from './servers.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const ROUNDS = 5;
const LIMIT_MS = 60_000;

/** Prints when a window is painted. Evaluated before the app. */
const TELL_PAINT = `require('electron').app.on('browser-window-created', (_event, window) =>
  window.once('ready-to-show', () => console.log('a window is painted')));
`;
const EMPTY_APP = `import { app, BrowserWindow } from 'electron';
void app.whenReady().then(() => new BrowserWindow({ show: false }).loadURL('data:text/html,<p>word'));
`;

/** Times in milliseconds, medians. */
export interface DesktopFigures {
  runtime: string;
  readyMs: number;
  paintedMs: number;
  /** Until the window with one word is painted. */
  emptyMs: number;
}

/** Measures the built app. */
export async function measureDesktop(): Promise<DesktopFigures> {
  const folder = await newFolder();
  const tellPaint = join(folder, 'tell-paint.cjs');
  const emptyApp = join(folder, 'main.mjs');
  await writeFile(tellPaint, TELL_PAINT);
  await writeFile(emptyApp, EMPTY_APP);
  const ready: number[] = [];
  const painted: number[] = [];
  const empty: number[] = [];
  // The very first start fills the machine's caches, and doesn't count.
  for (let round = 0; round <= ROUNDS; round += 1) {
    const data = join(folder, `data-${round}`);
    const app = await start(
      join(ROOT, 'out/main/main.js'),
      tellPaint,
      [`--data-dir=${data}`, '--port=0'],
      ['is running at', 'a window is painted'],
    );
    const blank = await start(
      emptyApp,
      tellPaint,
      [`--user-data-dir=${data}-empty`],
      ['a window is painted'],
    );
    if (round === 0) continue;
    ready.push(app[0] ?? 0);
    painted.push(app[1] ?? 0);
    empty.push(blank[0] ?? 0);
  }
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  const runtime = findRuntime() === null ? 'the stand-in for Electron' : 'Electron';
  return { runtime, readyMs: median(ready), paintedMs: median(painted), emptyMs: median(empty) };
}

/** Starts an app, ends it once it has printed all of these, and returns when each was printed. */
async function start(entry: string, before: string, args: string[], lines: string[]): Promise<number[]> {
  const startedAt = performance.now();
  const child = launch(entry, before, args);
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const limit = setTimeout(() => child.kill('SIGKILL'), LIMIT_MS);
  const times = new Map<string, number>();
  let printed = '';
  await new Promise<void>((resolve) => {
    child.stdout?.on('data', (text: Buffer) => {
      printed += text.toString();
      for (const line of lines) {
        if (!times.has(line) && printed.includes(line)) times.set(line, performance.now() - startedAt);
      }
      if (times.size === lines.length) resolve();
    });
    void ended.then(() => resolve());
  });
  clearTimeout(limit);
  child.kill('SIGTERM');
  await ended;
  if (times.size < lines.length) throw new Error(`The app ended early:\n${printed}`);
  return lines.map((line) => times.get(line) ?? 0);
}

function launch(entry: string, before: string, args: string[]): ChildProcess {
  const runtime = findRuntime();
  if (runtime === null) return startStandIn({ entry, args, env: process.env, before: [before] }).process;
  const asRoot = process.platform === 'linux' && process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return spawn(runtime, [...asRoot, '-r', before, entry, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
}
