import { expect, test } from 'vitest';
import { inPage, startSample, startWithWindow } from './fixtures/start-sample.ts';

test('a menu is what its template says, down to the last submenu', async () => {
  const sample = await startSample();
  const built = await sample.run(({ Menu }) => {
    const menu = Menu.buildFromTemplate([
      { label: 'File', submenu: [{ id: 'deep', label: 'New', accelerator: 'Ctrl+N', enabled: false }] },
      { type: 'separator' },
      { role: 'quit' },
    ]);
    const deep = menu.getMenuItemById('deep');
    return [
      menu.items.map(({ type }) => type),
      [deep?.label, deep?.accelerator, deep?.enabled],
      menu.getMenuItemById('nothing'),
      menu.items[2]?.role,
    ];
  });
  expect(built).toEqual([['submenu', 'separator', 'normal'], ['New', 'Ctrl+N', false], null, 'quit']);
});

test('a template that says nothing of an item, or has a submenu without items, is refused', async () => {
  const sample = await startSample();
  const refused = await sample.run(({ Menu }) =>
    [{}, { label: 'x', type: 'submenu' as const }].map((item) => {
      try {
        return Menu.buildFromTemplate([item]).items.length;
      } catch (error) {
        return String(error);
      }
    }),
  );
  expect(refused).toEqual([
    'TypeError: Invalid template for MenuItem: must have at least one of label, role or type',
    'Error: Invalid submenu',
  ]);
});

test('a click reaches the item with itself and the window in front; a disabled item hears nothing', async () => {
  const sample = await startWithWindow();
  const heard = await sample.run(({ Menu }) => {
    const told: unknown[] = [];
    const { items } = Menu.buildFromTemplate([
      { label: 'one', click: (item, window) => told.push(item.label, window === globalThis.win) },
      { label: 'two', enabled: false, click: () => told.push('two') },
    ]);
    for (const item of items) (item.click as () => void)();
    return told;
  });
  expect(heard).toEqual(['one', true]);
});

test('a checkbox turns with each click; of neighbouring radio items one alone is checked', async () => {
  const sample = await startSample();
  const checked = await sample.run(({ Menu }) => {
    const { items } = Menu.buildFromTemplate([
      { label: 'box', type: 'checkbox' },
      { label: 'a', type: 'radio' },
      { label: 'b', type: 'radio' },
      { type: 'separator' },
      { label: 'c', type: 'radio' },
    ]);
    const now = (): boolean[] => items.filter(({ type }) => type !== 'separator').map((item) => item.checked);
    const states = [now()];
    for (const at of [0, 2, 0]) {
      (items[at]?.click as (() => void) | undefined)?.();
      states.push(now());
    }
    return states;
  });
  expect(checked).toEqual([
    [false, true, false, true],
    [true, true, false, true],
    [true, false, true, true],
    [false, false, true, true],
  ]);
});

test('roles act on the window in front', async () => {
  const sample = await startWithWindow();
  const act = (role: 'zoomIn' | 'zoomOut' | 'resetZoom' | 'togglefullscreen' | 'close'): Promise<void> =>
    sample.run(({ Menu }, asked) => {
      const [item] = Menu.buildFromTemplate([{ role: asked }]).items;
      (item?.click as () => void)();
    }, role);
  const zoom = (): Promise<number> => sample.run(() => globalThis.win.webContents.getZoomLevel());
  await act('zoomIn');
  expect(await zoom()).toBe(0.5);
  await act('zoomOut');
  await act('zoomOut');
  expect(await zoom()).toBe(-0.5);
  await act('resetZoom');
  expect(await zoom()).toBe(0);
  await act('togglefullscreen');
  expect(await sample.run(() => globalThis.win.isFullScreen())).toBe(true);
  await act('close');
  expect(await sample.run(() => globalThis.win.isDestroyed())).toBe(true);
});

test('editing roles edit the page', async () => {
  const sample = await startWithWindow();
  const act = (role: 'selectAll' | 'delete' | 'undo'): Promise<void> =>
    sample.run(({ Menu }, asked) => {
      const [item] = Menu.buildFromTemplate([{ role: asked }]).items;
      (item?.click as () => void)();
    }, role);
  await inPage(sample, `document.body.innerHTML = '<textarea></textarea>'; document.body.firstChild.focus()`);
  await sample.run(() => globalThis.win.webContents.insertText('words'));
  const text = (): Promise<unknown> => inPage(sample, 'document.body.firstChild.value');
  expect(await text()).toBe('words');
  await act('selectAll');
  await act('delete');
  await expect.poll(text).toBe('');
  await act('undo');
  await expect.poll(text).toBe('words');
});

test('a popup tells when it opens and closes', async () => {
  const sample = await startSample();
  const told = await sample.run(({ Menu }) => {
    const menu = Menu.buildFromTemplate([{ label: 'x' }]);
    const heard: string[] = [];
    for (const event of ['menu-will-show', 'menu-will-close'] as const)
      menu.on(event as 'menu-will-show', () => heard.push(event));
    menu.popup({ callback: () => heard.push('callback') });
    heard.push('open');
    menu.closePopup();
    return heard;
  });
  expect(told).toEqual(['menu-will-show', 'open', 'menu-will-close', 'callback']);
});
