import { describe, expect, test } from 'vitest';
import { startSample } from './fixtures/start-sample.ts';
import { globalShortcut } from './global-shortcut.ts';

describe('a tray icon', () => {
  test('shows what it was given last, and is gone once destroyed', async () => {
    const sample = await startSample();
    const seen = await sample.run(({ Menu, nativeImage, Tray, standIn }) => {
      const tray = new Tray(nativeImage.createEmpty());
      tray.setToolTip('before');
      tray.setToolTip('now');
      tray.setContextMenu(Menu.buildFromTemplate([{ label: 'Quit' }]));
      const [shown] = standIn.Tray.standInAll;
      const there = [shown?.standIn.toolTip, shown?.standIn.menu?.items.map(({ label }) => label)];
      tray.destroy();
      return [...there, tray.isDestroyed(), standIn.Tray.standInAll.size];
    });
    expect(seen).toEqual(['now', ['Quit'], true, 0]);
  });

  test('throws when it is used after its end', async () => {
    const sample = await startSample();
    const used = sample.run(({ nativeImage, Tray }) => {
      const tray = new Tray(nativeImage.createEmpty());
      tray.destroy();
      tray.setToolTip('late');
    });
    await expect(used).rejects.toThrow('Tray is destroyed');
  });
});

describe('a notification', () => {
  const shownAndClosed = async (env: Record<string, string>): Promise<unknown> => {
    const sample = await startSample({ env });
    return sample.run(async ({ Notification }) => {
      const notification = new Notification({ title: 'A reply', body: 'is there' });
      const heard: string[] = [];
      for (const event of ['show', 'close'] as const)
        notification.on(event as 'show', () => heard.push(event));
      notification.close();
      notification.show();
      await new Promise(setImmediate);
      notification.close();
      await new Promise(setImmediate);
      return [Notification.isSupported(), notification.title, notification.body, heard];
    });
  };

  test('tells that it is shown, and that it was closed', async () => {
    expect(await shownAndClosed({})).toEqual([true, 'A reply', 'is there', ['show', 'close']]);
  });

  test('is never shown where the system has none', async () => {
    expect(await shownAndClosed({ STAND_IN_NO_NOTIFICATIONS: '1' })).toEqual([
      false,
      'A reply',
      'is there',
      [],
    ]);
  });
});

describe('a shortcut for the whole system', () => {
  test("can't be taken before the app is ready", () => {
    expect(() => globalShortcut.register('Ctrl+K', () => undefined)).toThrow('before the app is ready');
  });

  test('is heard however it is written, until it is given up', async () => {
    const sample = await startSample();
    await sample.endpoint;
    const pressed = await sample.run(({ globalShortcut: shortcuts, standIn }) => {
      let times = 0;
      const results = [
        shortcuts.register('CommandOrControl+Shift+Space', () => (times += 1)),
        standIn.pressShortcut('shift+CmdOrCtrl+space'),
        shortcuts.isRegistered('Shift+CommandOrControl+Space'),
        shortcuts.register('CmdOrCtrl+Shift+Space', () => undefined),
      ];
      shortcuts.unregister('CmdOrCtrl+Shift+Space');
      return [...results, standIn.pressShortcut('CmdOrCtrl+Shift+Space'), times];
    });
    expect(pressed).toEqual([true, true, true, false, false, 1]);
  });

  test('is refused when another program has it', async () => {
    const sample = await startSample({ env: { STAND_IN_TAKEN_SHORTCUTS: 'Alt+Space,Ctrl+K' } });
    await sample.endpoint;
    const taken = await sample.run(({ globalShortcut: shortcuts }) =>
      ['Space+Alt', 'Control+K', 'Alt+K'].map((keys) => shortcuts.register(keys, () => undefined)),
    );
    expect(taken).toEqual([false, false, true]);
  });
});

describe('the screen', () => {
  test('knows the display of a point or a rectangle, and the nearest one for what is on none', async () => {
    const sample = await startSample();
    const found = await sample.run(({ screen }) => {
      const plugged: number[] = [];
      screen.on('display-added', (_event, { id }) => plugged.push(id));
      screen.on('display-removed', (_event, { id }) => plugged.push(-id));
      const { standInDisplays } = screen as unknown as { standInDisplays: (all: object[]) => void };
      const left = { x: 0, y: 0, width: 1000, height: 800 };
      const right = { x: 1000, y: 0, width: 1600, height: 900 };
      standInDisplays.call(screen, [left, right]);
      const ids = [
        screen.getPrimaryDisplay().id,
        screen.getDisplayNearestPoint({ x: 1200, y: 50 }).id,
        screen.getDisplayMatching({ x: 900, y: 0, width: 300, height: 300 }).id,
        screen.getDisplayMatching({ x: -900, y: 0, width: 300, height: 300 }).id,
      ];
      const { workArea } = screen.getPrimaryDisplay();
      standInDisplays.call(screen, [left]);
      return [ids, workArea, plugged, screen.getAllDisplays().length];
    });
    expect(found).toEqual([[1, 2, 2, 1], { x: 0, y: 32, width: 1000, height: 768 }, [2, -2], 1]);
  });
});
