import { expect, test } from 'vitest';
import { inPage, startWithWindow, type Sample } from './fixtures/start-sample.ts';

const seen = (sample: Sample): Promise<unknown> => inPage(sample, '[innerWidth, innerHeight]');

test('a zoomed page has fewer and larger pixels, and as many as before when the zoom is reset', async () => {
  const sample = await startWithWindow();
  await expect.poll(() => seen(sample)).toEqual([800, 600]);
  await sample.run(() => globalThis.win.webContents.setZoomFactor(2));
  await expect.poll(() => seen(sample)).toEqual([400, 300]);
  expect(await inPage(sample, 'devicePixelRatio')).toBe(2);
  expect(await sample.run(() => globalThis.win.webContents.getZoomLevel())).toBeCloseTo(3.8, 1);
  await sample.run(() => (globalThis.win.webContents.zoomLevel = 0));
  await expect.poll(() => seen(sample)).toEqual([800, 600]);
});

test('the page has the size of its window, within what the window may be', async () => {
  const sample = await startWithWindow();
  const size = await sample.run(() => {
    globalThis.win.setMinimumSize(500, 400);
    globalThis.win.setSize(100, 450);
    return globalThis.win.getSize();
  });
  expect(size).toEqual([500, 450]);
  await expect.poll(() => seen(sample)).toEqual([500, 450]);
});

test('a maximized window fills the work area, one in full screen the display; each remembers its own place', async () => {
  const sample = await startWithWindow();
  const places = await sample.run(({ screen }) => {
    const { bounds, workArea } = screen.getPrimaryDisplay();
    const own = globalThis.win.getBounds();
    const same = (a: object, b: object): boolean => JSON.stringify(a) === JSON.stringify(b);
    globalThis.win.maximize();
    const results = [same(globalThis.win.getBounds(), workArea), globalThis.win.isNormal()];
    globalThis.win.setFullScreen(true);
    results.push(same(globalThis.win.getBounds(), bounds), same(globalThis.win.getNormalBounds(), own));
    globalThis.win.setFullScreen(false);
    globalThis.win.unmaximize();
    return [...results, same(globalThis.win.getBounds(), own), globalThis.win.isNormal()];
  });
  expect(places).toEqual([true, false, true, true, true, true]);
});

test('one window has the keyboard at a time; a hidden one never', async () => {
  const sample = await startWithWindow();
  const told = await sample.run(({ BrowserWindow }) => {
    const heard: string[] = [];
    const other = new BrowserWindow({ show: false });
    for (const [name, window] of [
      ['first', globalThis.win],
      ['other', other],
    ] as const)
      for (const event of ['focus', 'blur'] as const)
        window.on(event as 'focus', () => heard.push(`${name} ${event}`));
    other.focus();
    heard.push('shown');
    other.show();
    heard.push(String(BrowserWindow.getFocusedWindow() === other));
    other.hide();
    heard.push(String(BrowserWindow.getFocusedWindow() === null));
    return heard;
  });
  expect(told).toEqual(['shown', 'first blur', 'other focus', 'true', 'other blur', 'true']);
});

test('what Electron has and the stand-in lacks is told by name', async () => {
  const sample = await startWithWindow();
  const asked = (fn: Parameters<Sample['run']>[0]): Promise<unknown> => sample.run(fn);
  await expect(asked(() => globalThis.win.setShape([]))).rejects.toThrow('no BaseWindow.setShape');
  await expect(asked(() => globalThis.win.webContents.print())).rejects.toThrow('no webContents.print');
  await expect(asked(({ desktopCapturer }) => desktopCapturer)).rejects.toThrow(
    'no electron.desktopCapturer',
  );
});
