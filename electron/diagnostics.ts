/** The desktop app's self-check: its parts as they work in Electron, and the system it runs on. */
import {
  app,
  BrowserWindow,
  globalShortcut,
  Notification,
  safeStorage,
  type BrowserWindowConstructorOptions,
} from 'electron';
import { release } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { builtPageDir } from '../server/config.ts';
import { readHtmlApart } from '../server/tools/web/html-reader.ts';
import { startService } from '../server/start.ts';
import { VERSION } from '../server/lib/version.ts';
import { appImageOf } from './app-image.ts';
import { createSystemBox } from './secret-box.ts';
import { asTable, selfCheck, type CheckResult } from './self-check.ts';
import { showsTrayIcons } from './tray-host.ts';
import { isWayland } from './wayland.ts';

/** Keys that hardly anyone uses. */
const PROBE_KEYS = 'CommandOrControl+Alt+Shift+F11';
const PAGE_CHECK_MS = 50;
const OFF_SCREEN: BrowserWindowConstructorOptions = { show: false, webPreferences: { sandbox: true } };

/**
 * Checks every part; Electron has to be ready. `program` is the URL of the built main program, `pageUrl` that of the page to
 * load; null: that of the service started for the check. Returns the results, and as `text` a table of them.
 */
export async function diagnose(program: string, pageUrl: string | null) {
  const { platform, arch, versions } = process;
  const system = {
    Parley: VERSION,
    Electron: versions.electron,
    Chromium: versions.chrome,
    Node: versions.node,
    on: `${platform} ${release()} ${arch}`,
    as: app.isPackaged
      ? appImageOf(process.env, process.execPath)
        ? 'AppImage'
        : 'installed app'
      : 'checkout',
  };
  const rows = await selfCheck({
    startService: (dataDir) =>
      startService({ dataDir, port: 0, pageDir: builtPageDir(program), log: () => undefined }),
    readHtml: async (html) =>
      (await readHtmlApart({ html, address: 'http://127.0.0.1/' }, { signal: AbortSignal.timeout(10_000) }))
        .text,
    desktop: {
      page: ({ url }) => checkPage(pageUrl ?? url),
      sandbox: async () => checkSandbox(),
      sealing: checkSealing,
      tray: checkTray,
      shortcuts: async () => checkShortcuts(),
      notifications: async () =>
        Notification.isSupported() ? 'supported' : { missing: 'this system shows none' },
    },
  });
  return { system, rows, text: asTable(system, rows) };
}

async function checkPage(url: string): Promise<CheckResult> {
  const window = new BrowserWindow(OFF_SCREEN);
  try {
    await window.loadURL(url);
    for (;;) {
      const text: unknown = await window.webContents.executeJavaScript('document.body.innerText');
      if (typeof text === 'string' && text.trim() !== '') return 'drawn';
      await pause(PAGE_CHECK_MS);
    }
  } finally {
    window.destroy();
  }
}

/**
 * An AppImage starts Chromium without its sandbox where user namespaces are restricted. Enabling it afterwards
 * (`app.enableSandbox`) is too late for the processes from which others are forked.
 */
const checkSandbox = (): CheckResult =>
  process.platform === 'linux' && process.argv.includes('--no-sandbox')
    ? { missing: 'started with --no-sandbox: pages have a part of Chromium’s sandbox at most' }
    : 'in force';

async function checkSealing(): Promise<CheckResult> {
  const box = await createSystemBox(safeStorage, process.platform).open();
  if (!box?.seal) return { missing: 'no key store: secrets have only file permissions' };
  const { text } = await box.open(await box.seal('Parley'));
  if (text !== 'Parley') throw new Error('what was sealed came back changed');
  return 'sealed by the system, and opened again';
}

const isOnWayland = (): boolean =>
  isWayland(process.env, app.commandLine.getSwitchValue('ozone-platform'), process.platform);

const checkTray = async (): Promise<CheckResult> =>
  (await showsTrayIcons(process.platform, process.env, isOnWayland()))
    ? 'icons are shown'
    : { missing: 'this desktop shows no icons; a closed window is minimised' };

function checkShortcuts(): CheckResult {
  if (isOnWayland()) {
    return { missing: 'on Wayland the desktop decides, and doesn’t say' };
  }
  if (!globalShortcut.register(PROBE_KEYS, () => undefined)) return { missing: 'the system refused one' };
  globalShortcut.unregister(PROBE_KEYS);
  return 'can be set';
}
