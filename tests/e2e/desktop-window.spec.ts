import { join } from 'node:path';
import { apiOf } from './support/desktop-api.ts';
import { expect, test, type Desktop } from './support/desktop.ts';

/** On a Mac, the app has a menu with its name. */
const OWN_MENU = process.platform === 'darwin' ? 'Parley' : null;

const bounds = (desktop: Desktop) =>
  desktop.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.getBounds() ?? null);
const isVisible = (desktop: Desktop): Promise<boolean> =>
  desktop.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.isVisible() ?? false);

test('opens where it was and as large as it was', async ({ launch, folder }) => {
  const dataDir = join(folder, 'data');
  const first = await launch({ dataDir });
  await first.chat();
  const place = { x: 40, y: 60, width: 900, height: 640 };
  await first.evaluate(({ BrowserWindow }, to) => BrowserWindow.getAllWindows()[0]?.setBounds(to), place);
  await first.quit();
  const second = await launch({ dataDir });
  await second.chat();
  expect(await bounds(second)).toEqual(place);
  await second.quit();
});

test('is shown once it is painted, in the colour of its theme', async ({ launch, folder }) => {
  const dataDir = join(folder, 'data');
  const first = await launch({ dataDir });
  await first.chat();
  await apiOf(first).set({ theme: 'dark' });
  await expect.poll(() => first.evaluate(({ nativeTheme }) => nativeTheme.shouldUseDarkColors)).toBe(true);
  await first.quit();
  const second = await launch({ dataDir });
  const chat = await second.chat();
  const look = await second.evaluate(({ BrowserWindow, nativeTheme }) => ({
    colour: BrowserWindow.getAllWindows()[0]?.getBackgroundColor(),
    theme: nativeTheme.themeSource,
  }));
  expect(look).toEqual({ colour: '#131311', theme: 'dark' });
  await expect(chat.page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await expect.poll(() => isVisible(second)).toBe(true);
  await second.quit();
});

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

test('has the commands of its palette in the menus, and does them; logs and data folder open from the help menu', async ({
  launch,
}) => {
  const desktop = await launch();
  const chat = await desktop.chat();
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
  expect(await desktop.calls('shell.openPath')).toEqual([[join(desktop.dataDir, 'logs')], [desktop.dataDir]]);
  expect(await desktop.calls('app.showAboutPanel')).toHaveLength(1);
});

test('has a menu for copying and for a misspelt word, and checks spelling, which loads a dictionary, only when the person says so', async ({
  launch,
}) => {
  const desktop = await launch();
  await desktop.chat();
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

  // A Mac checks spelling by itself, with nothing to load.
  if (process.platform === 'darwin') return;
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

test('comes back by itself when its page crashes, with what was being written', async ({ launch }) => {
  const desktop = await launch();
  const chat = await desktop.chat();
  desktop.expected.push(/ERR_|crash/i);
  await chat.say('What is 2 + 2?');
  await expect(chat.replies.last()).toContainText('4');
  const address = chat.page.url();
  await chat.message.fill('half a thought');
  await expect.poll(() => chat.page.evaluate(() => JSON.stringify(localStorage))).toContain('half a thought');
  await desktop.evaluate(({ BrowserWindow }) => {
    BrowserWindow.getAllWindows()[0]?.webContents.forcefullyCrashRenderer();
  });
  // The test's own page object doesn't survive the crash; the window does.
  await expect.poll(() => desktop.inPage('document.getElementById("message")?.value')).toBe('half a thought');
  expect(
    await desktop.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.getURL()),
  ).toBe(address);
});

test('ends the app with its last window, unless Parley is to keep running', async ({ launch }) => {
  test.skip(process.platform === 'darwin', 'A Mac keeps an app running without its windows.');
  const desktop = await launch();
  await desktop.chat();
  await desktop.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close());
  expect(await desktop.ended).toMatchObject({ code: 0 });
});
