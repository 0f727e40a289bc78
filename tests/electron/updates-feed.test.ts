/** The real updater over a real feed: what is downloaded, what is checked, what is put in the app's place and when. */
import { createHash } from 'node:crypto';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import {
  createServer,
  request,
  type ClientRequest,
  type IncomingMessage,
  type RequestOptions,
  type Server,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { configureRequestUrl, HttpExecutor, type DownloadOptions } from 'builder-util-runtime';
import { AppImageUpdater } from 'electron-updater';
import type { MessageBoxOptions } from 'electron';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { setupUpdates, type Updater, type UpdatesDeps } from '../../electron/updates.ts';
import { words } from '../../electron/words.ts';
import { eventually } from '../support/eventually.ts';

const OLD_APP = '#!/bin/sh\n# the old version\n';
const NEW_APP = '#!/bin/sh\n# the new version\nexit 0\n';

/** Electron's network stands behind the updater's own in the app; here it is Node's. */
class NodeExecutor extends HttpExecutor<ClientRequest> {
  createRequest(options: RequestOptions, callback: (response: IncomingMessage) => void): ClientRequest {
    return request(options, callback);
  }

  /** Through the updater's own download, which checks what arrives. */
  download(url: URL, destination: string, options: DownloadOptions): Promise<string> {
    return options.cancellationToken.createPromise((resolve, reject, onCancel) => {
      const callback = (error: Error | null): void => {
        if (error instanceof Error) reject(error);
        else resolve(destination);
      };
      const target: RequestOptions = {};
      configureRequestUrl(url, target);
      this.doDownload(target, { destination, options, onCancel, callback, responseHandler: null }, 0);
    });
  }
}

let folder: string;
let feed: Server;
let requested: string[];
let sha512: string;
const savedAppImage = process.env['APPIMAGE'];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-feed-'));
  requested = [];
  sha512 = createHash('sha512').update(NEW_APP).digest('base64');
  feed = createServer((incoming, response) => {
    const { pathname } = new URL(incoming.url ?? '/', 'http://feed');
    requested.push(pathname);
    if (pathname.endsWith('.yml')) {
      const file = `  - url: Parley-0.2.0.AppImage\n    sha512: ${sha512}\n    size: ${Buffer.byteLength(NEW_APP)}\n`;
      response.end(
        `version: 0.2.0\nfiles:\n${file}path: Parley-0.2.0.AppImage\nsha512: ${sha512}\nreleaseDate: '2026-11-20T00:00:00.000Z'\n`,
      );
    } else if (pathname === '/Parley-0.2.0.AppImage') response.end(NEW_APP);
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => {
    feed.listen(0, '127.0.0.1', resolve);
  });
  const { port } = feed.address() as AddressInfo;
  await writeFile(join(folder, 'app-update.yml'), `provider: generic\nurl: http://127.0.0.1:${port}/\n`);
  process.env['APPIMAGE'] = join(folder, 'Parley.AppImage');
  await writeFile(process.env['APPIMAGE'], OLD_APP);
  await chmod(process.env['APPIMAGE'], 0o755);
});
afterEach(async () => {
  if (savedAppImage === undefined) delete process.env['APPIMAGE'];
  else process.env['APPIMAGE'] = savedAppImage;
  feed.closeAllConnections();
  await new Promise((resolve) => feed.close(resolve));
  await rm(folder, { recursive: true, force: true });
});

/** An app of version 0.1.0 whose person gives these answers. */
function startApp(answers: number[]) {
  const asked: string[] = [];
  const lines: string[] = [];
  let quitHandler: ((exitCode: number) => void) | null = null;
  let isDone = false;
  const loadUpdater = async (): Promise<Updater> => {
    const updater = new AppImageUpdater(undefined, {
      version: '0.1.0',
      name: 'parley',
      isPackaged: true,
      appUpdateConfigPath: join(folder, 'app-update.yml'),
      userDataPath: folder,
      baseCachePath: folder,
      whenReady: () => Promise.resolve(),
      relaunch: () => undefined,
      quit: () => undefined,
      onQuit: (handler: (exitCode: number) => void) => {
        quitHandler = handler;
      },
    });
    Object.assign(updater, { httpExecutor: new NodeExecutor() });
    return updater;
  };
  let rings = 0;
  setupUpdates({
    app: { isPackaged: true },
    dialog: {
      showMessageBox: (async (options: MessageBoxOptions) => {
        asked.push(options.message);
        isDone = answers.length === 1;
        return { response: answers.shift() ?? 1, checkboxChecked: false };
      }) as UpdatesDeps['dialog']['showMessageBox'],
    },
    resourcesPath: folder,
    endInstead: () => undefined,
    isQuitting: () => false,
    prepareToQuit: async () => undefined,
    log: (line) => void lines.push(line),
    loadUpdater,
    after: (_ms, run) => {
      rings += 1;
      if (rings === 1) run();
      else isDone = true;
    },
  });
  return {
    asked,
    lines,
    settled: () => eventually(() => expect(isDone).toBe(true)),
    quit: () => quitHandler?.(0),
  };
}

const installed = (): Promise<string> => readFile(process.env['APPIMAGE'] ?? '', 'utf8');

// Only Linux has an updater whose installing is no more than putting a file in another's place.
describe.runIf(process.platform === 'linux')('with the real updater for AppImages', () => {
  it('asks, downloads, and puts the new version in place of the old one only when the app ends', async () => {
    const app = startApp([0, 1]);
    await app.settled();
    expect(app.asked).toEqual([words.updates.found('0.2.0').message, words.updates.ready('0.2.0').message]);
    expect(requested).toContain('/Parley-0.2.0.AppImage');
    expect(await installed()).toBe(OLD_APP);
    app.quit();
    expect(await installed()).toBe(NEW_APP);
  });

  it('fetches nothing but the list of versions when the person says "Later"', async () => {
    const app = startApp([1]);
    await app.settled();
    expect(requested).toEqual(['/latest-linux.yml']);
    app.quit();
    expect(await installed()).toBe(OLD_APP);
  });

  it('refuses a download that is not what the feed promised', async () => {
    sha512 = createHash('sha512').update('something else').digest('base64');
    const app = startApp([0, 0]);
    await eventually(() =>
      expect(app.lines.join('\n')).toContain('Updating failed: sha512 checksum mismatch'),
    );
    expect(app.asked).toHaveLength(1);
    app.quit();
    expect(await installed()).toBe(OLD_APP);
  });
});
