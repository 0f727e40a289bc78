import { join } from 'node:path';
import { expect, test, type Desktop } from './support/desktop.ts';

/** On a Mac, the app has a menu with its name. */
const OWN_MENU = process.platform === 'darwin' ? 'Parley' : null;

const isVisible = (desktop: Desktop): Promise<boolean> =>
  desktop.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.isVisible() ?? false);

test('is shown where hidden windows are never painted, and so is quick ask', async ({ launch }) => {
  const desktop = await launch({ faults: { paintsNoHiddenWindow: true } });
  await desktop.chat();
  await expect.poll(() => isVisible(desktop)).toBe(true);
  await desktop.choose('application', 'File', 'Quick ask');
  await expect
    .poll(() =>
      desktop.evaluate(
        ({ BrowserWindow }) => BrowserWindow.getAllWindows().filter((window) => window.isVisible()).length,
      ),
    )
    .toBe(2);
});

test('has menus for what the page does, and for text, and ends with its last window', async ({ launch }) => {
  const desktop = await launch();
  const chat = await desktop.chat();

  await test.step('the commands of its palette; logs and data folder open from the help menu', async () => {
    await chat.say('What is 2 + 2?');
    await expect(chat.replies.last()).toContainText('4');
    const labels = async (title: string): Promise<string[]> => {
      const menu = (await desktop.menu()).find(({ label }) => label === title);
      return (menu?.submenu ?? []).map(({ label }) => label);
    };
    await expect.poll(() => labels('Chat')).toContain('Pin chat');
    await desktop.choose('application', 'Chat', 'Pin chat');
    await expect.poll(() => labels('Chat')).toContain('Unpin chat');
    const rename = (await desktop.menu())
      .flatMap(({ submenu }) => submenu)
      .find(({ id }) => id === 'chat.rename');
    expect(rename).toMatchObject({ accelerator: 'F2', enabled: true });
    await desktop.choose('application', OWN_MENU ?? 'File', 'Settings…');
    await expect(chat.page.getByRole('heading', { name: 'Settings' })).toBeVisible();
    await desktop.choose('application', 'File', 'New chat');
    await expect(chat.message).toBeFocused();
    await desktop.choose('application', 'Help', 'Keyboard shortcuts');
    await expect(chat.page.getByRole('dialog')).toBeVisible();
    // A command from the menu is done also while a dialog is open.
    await desktop.choose('application', OWN_MENU ?? 'File', 'Settings…');
    await expect(chat.page.getByRole('dialog')).toHaveCount(0);
    await expect(chat.page.getByRole('heading', { name: 'Settings' })).toBeVisible();

    await desktop.choose('application', 'Help', 'Open log folder');
    await desktop.choose('application', 'Help', 'Open the data folder');
    await desktop.choose('application', OWN_MENU ?? 'Help', 'About Parley');
    expect(await desktop.calls('shell.openPath')).toEqual([
      [join(desktop.dataDir, 'logs')],
      [desktop.dataDir],
    ]);
    expect(await desktop.calls('app.showAboutPanel')).toHaveLength(1);
  });

  await test.step('diagnostics to copy in About, and a shortcut that a menu takes does nothing behind a dialog', async () => {
    await chat.page.evaluate(() => {
      location.hash = '#/settings/about';
    });
    await chat.page.evaluate(() => {
      navigator.clipboard.writeText = async (text) => {
        document.title = text;
      };
    });
    await chat.page.getByRole('button', { name: 'Copy diagnostics' }).click();
    await expect(chat.page.getByRole('button', { name: 'Copied' })).toBeVisible({ timeout: 45_000 });
    const copied = await chat.page.title();
    expect(copied).toMatch(/ok +store/);
    expect(copied).not.toContain('parley_');

    // The menu’s item still works behind a dialog.
    await chat.page.keyboard.press('Control+k');
    const palette = chat.page.getByRole('dialog', { name: 'Command palette' });
    await expect(palette).toBeVisible();
    const chooseSidebar = (triggeredByAccelerator: boolean): Promise<void> =>
      desktop.evaluate(({ BrowserWindow, Menu }, byKeys) => {
        const view = Menu.getApplicationMenu()?.items.find(({ label }) => label === 'View');
        const item = view?.submenu?.items.find(({ id }) => id.startsWith('view.'));
        const [window] = BrowserWindow.getAllWindows();
        (item?.click as (...args: unknown[]) => void)(
          { triggeredByAccelerator: byKeys },
          window,
          window?.webContents,
        );
      }, triggeredByAccelerator);
    await chooseSidebar(true);
    await chat.page.waitForTimeout(300);
    await expect(palette).toBeVisible();
    await chooseSidebar(false);
    await expect(palette).not.toBeVisible();
  });

  await test.step('copying, and a misspelt word', async () => {
    await desktop.evaluate(({ BrowserWindow }) => {
      const flags = {
        canCopy: true,
        canPaste: true,
        canCut: true,
        canUndo: false,
        canRedo: false,
        canSelectAll: true,
      };
      BrowserWindow.getAllWindows()[0]?.webContents.emit(
        'context-menu',
        {},
        {
          isEditable: true,
          misspelledWord: 'speling',
          dictionarySuggestions: ['spelling', 'spieling'],
          linkURL: 'https://example.org/a',
          selectionText: '',
          editFlags: flags,
        },
      );
    });
    const labels = (await desktop.menu('popup')).map(({ label }) => label);
    expect(labels.filter((label) => label !== '').slice(0, 4)).toEqual([
      'spelling',
      'spieling',
      'Add to dictionary',
      'Copy link address',
    ]);
    await desktop.choose('popup', 'Copy link address');
    await expect
      .poll(() => desktop.evaluate(({ clipboard }) => clipboard.readText()))
      .toBe('https://example.org/a');
  });

  // A Mac checks spelling by itself, with nothing to load, and keeps an app running without its windows.
  if (process.platform === 'darwin') return;
  await test.step('spelling, which loads a dictionary, is checked only when the person says so', async () => {
    const isChecked = (): Promise<boolean> =>
      desktop.evaluate(({ session }) => session.defaultSession.isSpellCheckerEnabled());
    const openMenu = (): Promise<unknown> =>
      desktop.evaluate(({ BrowserWindow }) =>
        BrowserWindow.getAllWindows()[0]?.webContents.emit(
          'context-menu',
          {},
          { isEditable: true, misspelledWord: '', linkURL: '', selectionText: '', editFlags: {} },
        ),
      );
    expect(await isChecked()).toBe(false);
    await openMenu();
    await desktop.choose('popup', 'Check spelling (downloads a dictionary once)');
    await expect.poll(isChecked).toBe(true);
    await openMenu();
    await desktop.choose('popup', 'Check spelling');
    await expect.poll(isChecked).toBe(false);
  });
  await desktop.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close());
  expect(await desktop.ended).toMatchObject({ code: 0 });
});
