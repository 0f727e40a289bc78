import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MessageBoxOptions } from 'electron';
import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  CHECK_INTERVAL_MS,
  FIRST_CHECK_MS,
  INSTALL_LIMIT_MS,
  setupUpdates,
  type Updater,
  type UpdatesDeps,
} from '../../electron/updates.ts';
import { words } from '../../electron/words.ts';
import { eventually } from '../support/eventually.ts';

type Found = Awaited<ReturnType<Updater['checkForUpdates']>>;

const found = (version: string): Found =>
  ({ isUpdateAvailable: true, updateInfo: { version } }) as unknown as Found;
const nothing = (): Found =>
  ({ isUpdateAvailable: false, updateInfo: { version: '0.1.0' } }) as unknown as Found;

let resourcesPath: string;
beforeEach(async () => {
  resourcesPath = await mkdtemp(join(tmpdir(), 'parley-updates-'));
  await writeFile(join(resourcesPath, 'app-update.yml'), 'provider: generic\nurl: http://127.0.0.1:9/\n');
});
afterEach(() => rm(resourcesPath, { recursive: true, force: true }));

/** The app around the updates: a clock that runs when told, a person who answers, an updater that does as it is asked. */
function setup({
  checks = [],
  answers = [],
  isPackaged = true,
  download = async () => ['/tmp/new'],
}: {
  checks?: (() => Found)[];
  answers?: number[];
  isPackaged?: boolean;
  download?: () => Promise<string[]>;
} = {}) {
  const did: string[] = [];
  const asked: MessageBoxOptions[] = [];
  const lines: string[] = [];
  const timers: { ms: number; run: () => void }[] = [];
  const state = { isQuitting: false, loads: 0 };
  const updater = {
    autoDownload: true,
    autoInstallOnAppQuit: false,
    logger: console,
    checkForUpdates: async () => {
      did.push('check');
      return (checks.shift() ?? nothing)();
    },
    downloadUpdate: async () => {
      did.push('download');
      return download();
    },
    quitAndInstall: (isSilent?: boolean, isForceRunAfter?: boolean) =>
      void did.push(`install silent=${String(isSilent)} run=${String(isForceRunAfter)}`),
  } satisfies Updater;
  const deps: UpdatesDeps = {
    app: { isPackaged },
    dialog: {
      showMessageBox: (async (options: MessageBoxOptions) => {
        asked.push(options);
        return { response: answers.shift() ?? 1, checkboxChecked: false };
      }) as UpdatesDeps['dialog']['showMessageBox'],
    },
    resourcesPath,
    isQuitting: () => state.isQuitting,
    prepareToQuit: async () => void did.push('stop'),
    endInstead: () => void did.push('end'),
    log: (line) => void lines.push(line),
    loadUpdater: async () => {
      state.loads += 1;
      return updater;
    },
    after: (ms, run) => void timers.push({ ms, run }),
  };
  /** Lets the next timer ring, and waits until the next one is set or nothing more is to come. */
  async function ring(isOver = (): boolean => timers.length > 0): Promise<number> {
    const timer = timers.shift();
    if (timer === undefined) throw new Error('No timer is set.');
    timer.run();
    await eventually(() => expect(isOver()).toBe(true));
    return timer.ms;
  }
  return { deps, did, asked, lines, timers, state, updater, ring };
}

it('does nothing, and loads nothing, in a package without a feed', async () => {
  await rm(join(resourcesPath, 'app-update.yml'));
  const { deps, timers, state } = setup();
  expect(setupUpdates(deps)).toBe(false);
  expect(timers).toHaveLength(0);
  expect(state.loads).toBe(0);
});

it('does nothing when the app runs from its sources', () => {
  const { deps, timers } = setup({ isPackaged: false });
  expect(setupUpdates(deps)).toBe(false);
  expect(timers).toHaveLength(0);
});

it('looks a while after the start and then daily, and downloads nothing by itself', async () => {
  const { deps, did, asked, state, updater, ring } = setup();
  expect(setupUpdates(deps)).toBe(true);
  expect(state.loads).toBe(0);
  expect(await ring()).toBe(FIRST_CHECK_MS);
  expect(await ring()).toBe(CHECK_INTERVAL_MS);
  expect(did).toEqual(['check', 'check']);
  expect(asked).toHaveLength(0);
  expect(state.loads).toBe(1);
  expect(updater).toMatchObject({ autoDownload: false, autoInstallOnAppQuit: true, logger: null });
});

it('names the version and asks before it downloads; "Later" is not asked again for that version', async () => {
  const { deps, did, asked, ring } = setup({
    checks: [() => found('0.2.0'), () => found('0.2.0'), () => found('0.3.0')],
    answers: [1, 1],
  });
  setupUpdates(deps);
  await ring();
  await ring();
  await ring();
  expect(asked.map(({ message }) => message)).toEqual([
    words.updates.found('0.2.0').message,
    words.updates.found('0.3.0').message,
  ]);
  expect(asked[0]).toMatchObject({ buttons: [words.updates.download, words.updates.later], cancelId: 1 });
  expect(did).toEqual(['check', 'check', 'check']);
});

it('restarts into the new version only when told, and stops the service before the installer comes', async () => {
  const { deps, did, asked, timers, ring } = setup({ checks: [() => found('0.2.0')], answers: [0, 0] });
  setupUpdates(deps);
  await ring(() => did.length === 4);
  expect(did).toEqual(['check', 'download', 'stop', 'install silent=false run=true']);
  expect(asked[1]).toMatchObject({
    message: words.updates.ready('0.2.0').message,
    buttons: [words.updates.restart, words.updates.whenIQuit],
  });
  // The process ends here, unless the installer could not be run.
  expect(timers.map(({ ms }) => ms)).toEqual([INSTALL_LIMIT_MS]);
  await ring(() => did.length === 5);
  expect(did.at(-1)).toBe('end');
});

it('leaves the installing to the end of the app on "When I quit", and looks no further', async () => {
  const { deps, did, asked, lines, timers, ring } = setup({
    checks: [() => found('0.2.0')],
    answers: [0, 1],
  });
  setupUpdates(deps);
  await ring(() => asked.length === 2);
  expect(did).toEqual(['check', 'download']);
  expect(lines.at(-1)).toContain('installed when Parley quits');
  expect(timers).toHaveLength(0);
});

it('tells the log, and nobody else, when a feed or a download fails, and tries again the next day', async () => {
  const { deps, asked, lines, ring } = setup({
    checks: [
      () => {
        throw new Error('Cannot reach the feed\n<html>a whole page</html>');
      },
      () => found('0.2.0'),
    ],
    answers: [0],
    download: () => Promise.reject(new Error('cut off')),
  });
  setupUpdates(deps);
  await ring();
  expect(lines).toEqual(['Updating failed: Cannot reach the feed']);
  expect(asked).toHaveLength(0);
  expect(await ring()).toBe(CHECK_INTERVAL_MS);
  expect(lines.at(-1)).toBe('Updating failed: cut off');
  expect(asked).toHaveLength(1);
});

it('tries to load the library again when that failed', async () => {
  const { deps, state, did, ring } = setup();
  const { loadUpdater } = deps;
  deps.loadUpdater = async () => {
    if (state.loads === 0) {
      state.loads += 1;
      throw new Error('unreadable');
    }
    return loadUpdater === undefined ? Promise.reject(new Error('none')) : loadUpdater();
  };
  setupUpdates(deps);
  await ring();
  expect(did).toEqual([]);
  await ring();
  expect(did).toEqual(['check']);
});

it('asks nothing and starts nothing once the app is on its way out', async () => {
  const { deps, did, asked, timers, state } = setup({ checks: [() => found('0.2.0')], answers: [0] });
  setupUpdates(deps);
  state.isQuitting = true;
  timers.shift()?.run();
  await Promise.resolve();
  expect(did).toEqual([]);
  expect(asked).toHaveLength(0);
});

it('does not restart over a way out that began while its question stood', async () => {
  const { deps, did, state, asked, ring } = setup({ checks: [() => found('0.2.0')], answers: [0, 0] });
  const { showMessageBox } = deps.dialog;
  deps.dialog.showMessageBox = (async (options: MessageBoxOptions) => {
    const answer = await showMessageBox(options);
    if (options.message === words.updates.ready('0.2.0').message) state.isQuitting = true;
    return answer;
  }) as typeof showMessageBox;
  setupUpdates(deps);
  await ring(() => asked.length === 2);
  await new Promise((resolve) => setImmediate(resolve));
  expect(did).toEqual(['check', 'download']);
});
