import type { Page } from '@playwright/test';
import { expect, test, type Desktop } from './support/desktop.ts';

/** What the preload gives the page, all of it. */
const BRIDGE = [
  'chooseFolder',
  'diagnose',
  'dismiss',
  'locale',
  'offerCommands',
  'onOrder',
  'openInMain',
  'reveal',
  'session',
  'setOpenAtLogin',
  'state',
  'window',
];

/** Puts an empty frame into the page, as hostile content might. */
const addFrame = (page: Page, sandbox?: string): Promise<void> =>
  page.evaluate(async (restrictions) => {
    const frame = document.createElement('iframe');
    if (restrictions !== undefined) frame.setAttribute('sandbox', restrictions);
    frame.srcdoc = '<p>frame</p>';
    const loaded = new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }));
    document.body.append(frame);
    await loaded;
  }, sandbox);

/** Says something over IPC as a frame of the page, whose address may be another than it is; what came of it. */
function speakAs(
  desktop: Desktop,
  speaker: { frame: 'main' | 'child' | 'gone'; url?: string },
): Promise<{ session: string; reveals: number }> {
  return desktop.evaluate(async ({ BrowserWindow, ipcMain }, { frame, url }) => {
    const sender = BrowserWindow.getAllWindows()[0]?.webContents;
    if (sender === undefined) throw new Error('There is no window.');
    const real = { main: sender.mainFrame, child: sender.mainFrame.frames[0], gone: null }[frame];
    if (real === undefined) throw new Error('There is no such frame.');
    const { processId, routingId, parent } = real ?? {};
    const senderFrame =
      url === undefined ? real : { processId, routingId, parent, url, origin: new URL(url).origin };
    const event = { type: 'frame', sender, senderFrame, processId, frameId: routingId };
    // No renderer can be made to speak as another frame, so the handlers are called as Electron would call them.
    const { _invokeHandlers: handlers } = ipcMain as unknown as {
      _invokeHandlers: Map<string, (event: object, folder?: string) => Promise<{ apiKey: string }>>;
    };
    const ask = async (): Promise<string> => (await handlers.get('parley:session')?.(event))?.apiKey ?? '';
    const session = await ask().then(
      (key) => (key.startsWith('parley_') ? 'given' : 'odd'),
      () => 'refused',
    );
    const reveals = (): number =>
      globalThis.parleyProbe.calls.filter(({ name }) => name === 'shell.openPath').length;
    const before = reveals();
    await Promise.resolve(event)
      .then((spoken) => handlers.get('parley:reveal')?.(spoken, 'data'))
      .catch(() => undefined);
    return { session, reveals: reveals() - before };
  }, speaker);
}

test('a page has only what the preload gives it, only its top frame is heard, and it neither leaves nor opens a window', async ({
  launch,
}) => {
  const desktop = await launch();
  desktop.expected.push(
    /Not allowed to load local resource/,
    /Not allowed to launch/,
    /JavaScript URL.*violates/s,
  );
  const { page } = await desktop.chat();
  const origin = await desktop.origin();

  await test.step('windows are isolated, sandboxed and without Node, and get the preload’s few methods, frozen, and no permission but to copy', async () => {
    const preferences = await desktop.evaluate(({ BrowserWindow }) => {
      // Not in Electron's types, but there.
      const contents = BrowserWindow.getAllWindows()[0]?.webContents as unknown as {
        getLastWebPreferences: () => Record<string, unknown>;
      };
      return contents.getLastWebPreferences();
    });
    expect(preferences).toMatchObject({
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      webSecurity: true,
      webviewTag: false,
    });
    for (const more of [
      'nodeIntegrationInSubFrames',
      'nodeIntegrationInWorker',
      'allowRunningInsecureContent',
    ])
      expect([undefined, false], more).toContain(preferences[more]);
    const reached = ['require', 'process', 'module', 'Buffer', 'ipcRenderer', 'electron'];
    expect(await page.evaluate((names) => names.filter((name) => name in window), reached)).toEqual([]);
    const bridge = await page.evaluate(() => {
      const { parley } = window as unknown as { parley: Record<string, unknown> };
      const own = Object.getOwnPropertyDescriptor(window, 'parley');
      try {
        parley['session'] = () => 'mine';
        (window as unknown as { parley: unknown }).parley = null;
      } catch {
        // Modules are strict: what can't be changed throws.
      }
      const after = (window as unknown as { parley: unknown }).parley;
      return {
        names: Object.keys(parley).sort(),
        isFrozen: Object.isFrozen(parley),
        isSame: after === parley && parley['session'] === parley['session'],
        own: [own?.writable, own?.configurable],
        window: parley['window'],
      };
    });
    expect(bridge).toEqual({
      names: BRIDGE,
      isFrozen: true,
      isSame: true,
      own: [false, false],
      window: 'main',
    });

    // It gets no permission but to copy.
    const states = () =>
      page.evaluate(async () => {
        const names = ['geolocation', 'notifications', 'camera', 'microphone', 'clipboard-read'];
        const asked = names.map((name) => navigator.permissions.query({ name: name as PermissionName }));
        return (await Promise.all(asked)).map(({ state }) => state);
      });
    await expect.poll(states).toEqual(Array(5).fill('denied'));
    expect(await page.evaluate(() => Notification.requestPermission())).toBe('denied');
  });

  await test.step('addresses of the web, and only those, reach the system’s browser', async () => {
    const address = page.url();
    await page.evaluate(() => (location.href = 'https://example.org/away'));
    await expect.poll(() => desktop.calls('shell.openExternal')).toEqual([['https://example.org/away']]);
    await page.evaluate(() => (location.href = 'http://127.0.0.1:1/neighbour'));
    await expect.poll(() => desktop.calls('shell.openExternal')).toHaveLength(2);
    expect(page.url()).toBe(address);
    expect(await page.evaluate(() => location.href)).toBe(address);
    const opened = await page.evaluate(() =>
      [
        'https://example.org/a',
        'file:///etc/passwd',
        'mailto:x@example.org',
        'javascript:1',
        'parley://new',
      ].map((address) => window.open(address) === null),
    );
    expect(opened).toEqual(Array(5).fill(true));
    await page.evaluate(() => {
      const link = document.createElement('a');
      Object.assign(link, { href: 'https://example.org/b', target: '_blank' });
      document.body.append(link);
      link.click();
    });
    await expect
      .poll(() => desktop.calls('shell.openExternal'))
      .toEqual([
        ['https://example.org/away'],
        ['http://127.0.0.1:1/neighbour'],
        ['https://example.org/a'],
        ['https://example.org/b'],
      ]);
    await expect.poll(async () => (await desktop.windows()).map((one) => one.url())).toHaveLength(1);
  });

  await test.step('a script of the page leads the window nowhere else, not even to the service’s other addresses', async () => {
    const address = page.url();
    // Playwright would wait for a navigation that never comes.
    const pageState = (): Promise<unknown> =>
      desktop.inPage('[location.href, document.getElementById("message") !== null, "isBefore" in window]');
    for (const other of ['/health', '/docs']) {
      await desktop.inPage(`isBefore = true; location.href = '${other}'; null`);
      await expect
        .poll(async () => (await desktop.calls('shell.openExternal')).at(-1))
        .toEqual([origin + other]);
      expect(await pageState()).toEqual([address, true, true]);
    }
    await desktop.inPage(`setTimeout(() => (location.href = 'about:blank')); null`);
    await expect.poll(pageState).toEqual([address, true, false]);
  });

  await test.step('only the top frame of a window’s own page is heard, and has the session key', async () => {
    await addFrame(page);
    await expect
      .poll(() =>
        desktop.evaluate(
          ({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.mainFrame.frames.length,
        ),
      )
      .toBe(1);
    expect(await speakAs(desktop, { frame: 'main' })).toEqual({ session: 'given', reveals: 1 });
    const refused = { session: 'refused', reveals: 0 };
    expect(await speakAs(desktop, { frame: 'child' })).toEqual(refused);
    expect(await speakAs(desktop, { frame: 'child', url: `${origin}/` })).toEqual(refused);
    expect(await speakAs(desktop, { frame: 'gone' })).toEqual(refused);
    const elsewhere = [
      'https://example.org/',
      'http://127.0.0.1.example.org/',
      'http://127.0.0.1:1/',
      'about:blank',
    ];
    for (const url of elsewhere) expect(await speakAs(desktop, { frame: 'main', url }), url).toEqual(refused);

    // Nor does a frame within the page reach the session key.
    expect(await page.evaluate(() => 'parley' in (window.frames[0] ?? {}))).toBe(false);
    await addFrame(page, 'allow-scripts');
    const foreign = page.frames().at(-1);
    const tried = await foreign?.evaluate(() => {
      try {
        return typeof (window.parent as unknown as { parley: unknown }).parley;
      } catch {
        return 'refused';
      }
    });
    expect(tried).toBe('refused');
    expect(await foreign?.evaluate(() => 'parley' in window)).toBe(false);
  });
});
