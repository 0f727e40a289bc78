import { expect, test } from 'vitest';
import { BINDING, RECEIVER } from './page-scripts.ts';
import { inPage, startWithWindow, type Sample } from './fixtures/start-sample.ts';

/** Loads something from within the page and waits until it has loaded or failed. */
async function follow(sample: Sample, expression: string): Promise<unknown> {
  await inPage(sample, `${expression}; 0`);
  await inPage(sample, 'new Promise((done) => setTimeout(done, 300))').catch(() => undefined);
  return sample.run(() => globalThis.win.webContents.getURL().replace(globalThis.sampleOrigin, ''));
}

test('the preload has run before the first script of the page', async () => {
  const sample = await startWithWindow();
  expect(await inPage(sample, '[early, sample.early, sample.argv]')).toEqual([
    'object',
    'loading',
    ['--sample=1'],
  ]);
});

test("what the preload gives the page is a frozen copy that can't be replaced", async () => {
  const sample = await startWithWindow();
  expect(
    await inPage(
      sample,
      `(() => {
        sample.list.push?.call && (() => { try { sample.list.push(2) } catch {} })();
        try { window.sample = null } catch {}
        sample.extra = 1;
        const { writable, configurable } = Object.getOwnPropertyDescriptor(window, 'sample');
        return [sample.list, 'extra' in sample, Object.isFrozen(sample.list[1]), writable, configurable];
      })()`,
    ),
  ).toEqual([[1, { deep: true }], false, true, false, false]);
});

test('functions cross the bridge both ways, with what they return and throw', async () => {
  const sample = await startWithWindow();
  expect(await inPage(sample, 'sample.sum(1, 2)')).toBe(3);
  expect(
    await inPage(sample, '(() => { let got; sample.call((word) => (got = word)); return got; })()'),
  ).toBe('called');
  expect(
    await inPage(sample, '(() => { try { sample.fail() } catch (error) { return error.message } })()'),
  ).toBe('as asked');
});

test('a preload can require nothing but what Electron gives it', async () => {
  const sample = await startWithWindow();
  const asked = `(() => { try { sample.requireAgain('node:fs') } catch (error) { return error.message } })()`;
  expect(await inPage(sample, asked)).toContain('module not found');
  expect(await inPage(sample, '[typeof require, typeof process, typeof module]')).toEqual(
    Array(3).fill('undefined'),
  );
});

test('nothing of the plumbing stands in the page, and frames within it get no preload', async () => {
  const sample = await startWithWindow();
  const names = JSON.stringify([BINDING, RECEIVER, 'require', 'process', 'ipcRenderer']);
  const reached = `[window, frames[0]].flatMap((frame) => ${names}.filter((name) => name in frame))`;
  expect(await inPage(sample, reached)).toEqual([]);
  expect(await inPage(sample, `[typeof sample, typeof frames[0].sample]`)).toEqual(['object', 'undefined']);
});

test('an invocation tells who asked, and brings back the answer or the reason', async () => {
  const sample = await startWithWindow();
  await sample.run(({ ipcMain }) => {
    ipcMain.handle('ask', (event, ...args: unknown[]) => {
      if (args[0] === 'fail') throw new Error('not today');
      const { mainFrame } = event.sender;
      return [
        event.senderFrame === mainFrame,
        event.senderFrame?.url === `${globalThis.sampleOrigin}/`,
        args,
      ];
    });
  });
  expect(await inPage(sample, `sample.ask({ at: new Date(0), none: undefined }).then(String)`)).toBe(
    'true,true,[object Object]',
  );
  expect(await inPage(sample, `sample.ask('fail').catch((error) => error.message)`)).toBe(
    "Error invoking remote method 'ask': Error: not today",
  );
  expect(await inPage(sample, `sample.ask(() => 1).catch((error) => error.message)`)).toBe(
    'An object could not be cloned.',
  );
});

test('messages go to and fro', async () => {
  const sample = await startWithWindow();
  await sample.run(({ ipcMain }) => {
    ipcMain.on('tell', (event, word) =>
      event.reply('to-page', word, event.senderFrame === event.sender.mainFrame),
    );
  });
  await inPage(sample, `sample.tell('hello')`);
  await expect.poll(() => inPage(sample, 'sample.heard()')).toEqual([['hello', true]]);
});

test('frames are known, keep their identity, and end with their page', async () => {
  const sample = await startWithWindow();
  const seen = await sample.run(async () => {
    const { mainFrame } = globalThis.win.webContents;
    const [inner] = mainFrame.frames;
    const before = [inner?.url, inner?.parent === mainFrame, inner?.top === mainFrame, mainFrame.parent];
    await globalThis.win.loadURL(`${globalThis.sampleOrigin}/other`);
    return [
      before,
      globalThis.win.webContents.mainFrame === mainFrame,
      mainFrame.frames.length,
      inner?.detached,
    ];
  });
  expect(seen).toEqual([['about:srcdoc', true, true, null], true, 0, true]);
});

test('a navigation that the app prevents never happens', async () => {
  const sample = await startWithWindow();
  await sample.run(() => {
    globalThis.win.webContents.on('will-navigate', (event) => {
      globalThis.happened.push(event.isMainFrame);
      event.preventDefault();
    });
  });
  expect(await follow(sample, `location.href = '/other'`)).toBe('/');
  expect(await sample.run(() => globalThis.happened)).toEqual([true]);
  // The app isn't asked about what it loads itself.
  await sample.run(() => globalThis.win.loadURL(`${globalThis.sampleOrigin}/other`));
  expect(await inPage(sample, 'location.pathname')).toBe('/other');
});

test("a redirect and a frame's navigation can be prevented, too", async () => {
  const sample = await startWithWindow();
  await sample.run(() => {
    const { webContents } = globalThis.win;
    webContents.on('will-redirect', (event) => event.preventDefault());
    webContents.on('will-frame-navigate', (event) => {
      if (event.isMainFrame) return;
      globalThis.happened.push(event.frame === webContents.mainFrame.frames[0]);
      event.preventDefault();
    });
  });
  expect(await follow(sample, `location.href = '/redirect'`)).toBe('/');
  await follow(
    sample,
    `document.querySelector('iframe').src = '/other'; document.querySelector('iframe').removeAttribute('srcdoc')`,
  );
  expect(await sample.run(() => globalThis.happened)).toEqual([true]);
});

test('a page that wants a window gets none, and the app is asked', async () => {
  const sample = await startWithWindow();
  await sample.run(() => {
    globalThis.win.webContents.setWindowOpenHandler(({ url }) => {
      globalThis.happened.push(new URL(url).pathname);
      return { action: 'deny' };
    });
  });
  expect(await inPage(sample, `String(window.open('/script'))`)).toBe('null');
  await inPage(
    sample,
    `document.body.innerHTML = '<a target=_blank href=/link>x</a>'; document.querySelector('a').click()`,
  );
  await expect.poll(() => sample.run(() => globalThis.happened)).toEqual(['/script', '/link']);
  expect(await sample.run(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(1);
});

test('a crashed page is told of, and loaded again has its preload', async () => {
  const sample = await startWithWindow();
  const reason = await sample.run(async ({ app }) => {
    const gone = new Promise<string>((resolve) =>
      globalThis.win.webContents.once('render-process-gone', (_event, details) => resolve(details.reason)),
    );
    app.once('render-process-gone', (_event, contents) =>
      globalThis.happened.push(contents === globalThis.win.webContents),
    );
    globalThis.win.webContents.forcefullyCrashRenderer();
    return gone;
  });
  expect(reason).toBe('crashed');
  await sample.run(() => globalThis.win.loadURL(`${globalThis.sampleOrigin}/`));
  expect(await inPage(sample, 'early')).toBe('object');
  expect(await sample.run(() => globalThis.happened)).toEqual([true]);
});

test("a page that can't be loaded is told of with its reason", async () => {
  const sample = await startWithWindow();
  const told = await sample.run(async () => {
    globalThis.win.webContents.on('did-fail-load', (_event, code, description) =>
      globalThis.happened.push(code, description),
    );
    const reason = await globalThis.win
      .loadURL('http://127.0.0.1:9/')
      .catch((error: unknown) => (error as { code: string }).code);
    return [reason, ...globalThis.happened];
  });
  expect(told[0]).toMatch(/^ERR_/);
  expect(told.slice(2)).toEqual([told[0]]);
});

test('what the app refuses, the page may not', async () => {
  const sample = await startWithWindow();
  const query = `navigator.permissions.query({ name: 'geolocation' }).then(({ state }) => state)`;
  await expect.poll(() => inPage(sample, query)).toBe('granted');
  await sample.run(async ({ session }) => {
    session.defaultSession.setPermissionRequestHandler((_contents, _permission, callback) => callback(false));
    await globalThis.win.loadURL(`${globalThis.sampleOrigin}/`);
  });
  await expect.poll(() => inPage(sample, query)).toBe('denied');
});
