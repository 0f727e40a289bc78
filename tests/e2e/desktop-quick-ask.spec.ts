import { apiOf } from './support/desktop-api.ts';
import { expect, test, type Desktop } from './support/desktop.ts';

const KEYS = 'CommandOrControl+Shift+Space';
const quickPage = (desktop: Desktop) => desktop.waitForWindow((url) => url.includes('#/quick-ask'));
const isQuickVisible = (desktop: Desktop): Promise<boolean> =>
  desktop.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows().some(
      (window) => window.webContents.getURL().includes('quick-ask') && window.isVisible(),
    ),
  );

test('a shortcut of the whole system opens a small window that answers, leads on to the main one, is put away, and comes back', async ({
  launch,
}) => {
  const desktop = await launch();
  const chat = await desktop.chat();
  expect(await desktop.shortcuts()).toEqual([]);
  await apiOf(desktop).set({ quickAskShortcut: 'mod+shift+space' });
  await expect.poll(() => desktop.shortcuts()).toEqual([KEYS]);
  await desktop.press(KEYS);
  const page = await quickPage(desktop);
  const box = page.getByRole('textbox');
  await expect(box).toBeFocused();
  await box.fill('What is 12.5% of 1840?');
  await box.press('Enter');
  await expect(page.getByText('230').first()).toBeVisible();
  await page.getByRole('button', { name: 'Open in Parley' }).click();
  await expect(chat.replies.last()).toContainText('230');
  await expect.poll(() => isQuickVisible(desktop)).toBe(false);

  // Escape puts it away, and it comes back with a fresh question.
  await desktop.press(KEYS);
  await expect.poll(() => isQuickVisible(desktop)).toBe(true);
  await box.fill('What is 2 + 2?');
  await box.press('Enter');
  await expect(page.getByText('4', { exact: true }).first()).toBeVisible();
  await page.keyboard.press('Escape');
  await expect.poll(() => isQuickVisible(desktop)).toBe(false);
  await desktop.press(KEYS);
  await expect.poll(() => isQuickVisible(desktop)).toBe(true);
  await expect(page.getByRole('article')).toHaveCount(0);
  await expect(page.getByRole('textbox')).toBeFocused();

  // It goes away when something else is clicked, and keeps what was typed.
  await page.getByRole('textbox').fill('half a question');
  await desktop.evaluate(({ BrowserWindow }) => {
    BrowserWindow.getAllWindows()
      .find((window) => !window.webContents.getURL().includes('quick-ask'))
      ?.focus();
  });
  await expect.poll(() => isQuickVisible(desktop)).toBe(false);
  await desktop.choose('application', 'File', 'Quick ask');
  await expect.poll(() => isQuickVisible(desktop)).toBe(true);
  await expect(page.getByRole('textbox')).toHaveValue('half a question');
});

test('crashed, it comes back with what was typed and says so; failing again and again, it is given up alone', async ({
  launch,
}) => {
  const desktop = await launch({ answers: { 'dialog.showMessageBox': ['open'] } });
  const chat = await desktop.chat();
  desktop.expected.push(/ERR_|crash/i);
  await desktop.choose('application', 'File', 'Quick ask');
  const box = (await quickPage(desktop)).getByRole('textbox');
  await box.fill('half a question');
  await expect
    .poll(() => chat.page.evaluate(() => JSON.stringify(localStorage)))
    .toContain('half a question');
  /** A test's page object doesn't survive a crash; the window does. */
  const inQuickAsk = (script: string): Promise<unknown> =>
    desktop.evaluate(
      ({ BrowserWindow }, code) =>
        Promise.race([
          BrowserWindow.getAllWindows()
            .find(({ webContents }) => webContents.getURL().includes('quick-ask'))
            ?.webContents.executeJavaScript(code)
            .catch(() => null),
          new Promise((resolve) => setTimeout(resolve, 1_000, null)),
        ]),
      script,
    );
  const typed = (): Promise<unknown> => inQuickAsk('document.querySelector("textarea")?.value');
  for (let times = 1; times <= 4; times += 1) {
    await expect.poll(typed).toBe('half a question');
    if (times === 2) await expect.poll(() => inQuickAsk('document.body.innerText')).toContain('had crashed');
    await desktop.evaluate(({ BrowserWindow }) => {
      BrowserWindow.getAllWindows()
        .find(({ webContents }) => webContents.getURL().includes('quick-ask'))
        ?.webContents.forcefullyCrashRenderer();
    });
  }
  await desktop.settle('dialog.showMessageBox', { response: 1 });
  await expect
    .poll(() => desktop.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length))
    .toBe(1);
  await chat.say('What is 2 + 2?');
  await expect(chat.replies.last()).toContainText('4');
  await desktop.choose('application', 'File', 'Quick ask');
  await expect.poll(typed).toBe('half a question');
});

test('of two that run side by side one has the shortcut; when it ends, the settings of the other find it free', async ({
  launch,
}) => {
  test.skip(process.platform !== 'linux', 'Other systems let several programs have a shortcut.');
  const first = await launch();
  const second = await launch();
  await first.chat();
  const { page } = await second.chat();
  await apiOf(first).set({ quickAskShortcut: 'mod+shift+space' });
  await expect.poll(() => first.shortcuts()).toEqual([KEYS]);
  await apiOf(second).set({ quickAskShortcut: 'mod+shift+space' });
  await page.evaluate(() => (location.hash = '#/settings/desktop'));
  const taken = page.getByText(/another program/i);
  await expect(taken).toBeVisible();
  await first.quit();
  // As when a person comes back to it.
  await page.evaluate(() => void dispatchEvent(new FocusEvent('focus')));
  await expect(taken).toHaveCount(0);
  expect(await second.shortcuts()).toEqual([KEYS]);
});
