/**
 * Starting the desktop app: from the start of the process until the service is ready, and until the window is painted. Reference
 * in the same run: an app that only opens a window with one word in it.
 */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openDesk } from '../support/electron/desk.ts';
import { giveTo, preparedRuntime, prepareRuntime } from '../support/electron/runtime.ts';
import { startElectron, type ElectronStart } from '../support/electron/start.ts';
import { median } from './scenarios.ts';
import { newFolder } from './servers.ts';

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

/** Measures the built app; throws where there is no Electron. */
export async function measureDesktop(): Promise<DesktopFigures> {
  const clean = await prepareRuntime();
  const runtime = preparedRuntime();
  if ('missing' in runtime) throw new Error(runtime.missing);
  const desk = await openDesk(runtime.user);
  const folder = await newFolder();
  const emptyApp = join(folder, 'empty');
  await mkdir(emptyApp);
  await writeFile(join(emptyApp, 'main.mjs'), EMPTY_APP);
  await writeFile(join(emptyApp, 'package.json'), '{"name":"empty","version":"1.0.0","main":"main.mjs"}');
  await giveTo(runtime.user, folder);
  const ready: number[] = [];
  const painted: number[] = [];
  const empty: number[] = [];
  // The very first start fills the machine's caches, and doesn't count.
  for (let round = 0; round <= ROUNDS; round += 1) {
    const data = join(folder, `data-${round}`);
    const app = await start({ runtime, desk, args: [`--data-dir=${data}`, '--port=0'] }, [
      'is running at',
      'a window is painted',
    ]);
    const blank = await start(
      { runtime: { ...runtime, app: emptyApp }, desk, args: [`--user-data-dir=${data}-empty`] },
      ['a window is painted'],
    );
    if (round === 0) continue;
    ready.push(app[0] ?? 0);
    painted.push(app[1] ?? 0);
    empty.push(blank[0] ?? 0);
  }
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  await desk.close();
  await clean();
  return {
    runtime: `Electron ${runtime.version}`,
    readyMs: median(ready),
    paintedMs: median(painted),
    emptyMs: median(empty),
  };
}

/** Starts an app, ends it once it has printed all of these, and returns when each was printed. */
async function start(
  what: Pick<ElectronStart, 'runtime' | 'desk' | 'args'>,
  lines: string[],
): Promise<number[]> {
  const scratch = await newFolder();
  const tellPaint = join(scratch, 'tell-paint.cjs');
  await writeFile(tellPaint, TELL_PAINT);
  const startedAt = performance.now();
  const { process: child, ended } = await startElectron({ ...what, scratch, before: [tellPaint] });
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
  await rm(scratch, { recursive: true });
  if (times.size < lines.length) throw new Error(`The app ended early:\n${printed}`);
  return lines.map((line) => times.get(line) ?? 0);
}
