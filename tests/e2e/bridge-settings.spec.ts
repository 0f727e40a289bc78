/** What the settings show and do in a window of the desktop app. */
import type { Page } from '@playwright/test';
import type { SettingsAnswer } from '../../shared/api/settings.ts';
import { expectAccessible, expectAccessibleInBoth } from './support/axe.ts';
import { giveBridge } from './support/bridge.ts';
import type { TestService } from './support/service.ts';
import { expect, test } from './support/test.ts';

const settingsOf = async (service: TestService): Promise<SettingsAnswer['settings']> =>
  (await service.call<SettingsAnswer>('GET', '/api/v1/settings')).settings;

const overflowOf = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - innerWidth);

test('a browser has no desktop section, and its address leads to the general one', async ({
  page,
  service,
  chat,
}) => {
  await chat.open(service.pageUrl);
  await page.evaluate(() => (location.hash = '#/settings/desktop'));
  await expect(page.getByRole('heading', { name: 'General', level: 2 })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Desktop' })).toHaveCount(0);
  await page.evaluate(() => (location.hash = '#/settings/data'));
  await expect(page.getByRole('button', { name: 'Copy the path of the data folder' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Open folder' })).toHaveCount(0);
});

test('what is switched is kept, and what stands in its way is said', async ({ page, service }) => {
  const bridge = await giveBridge(page, service);
  bridge.setState({ hasTray: false, canNotify: false, secrets: 'file' });
  await page.goto(`${service.baseUrl}/#/settings/desktop`);
  const keep = page.getByRole('switch', { name: 'Keep running when the window is closed' });
  await expect(page.getByText('no tray icon')).toHaveCount(0);
  await keep.check();
  await expect(page.getByText('This desktop shows no tray icon')).toBeVisible();
  await expect(page.getByText('This system doesn’t support notifications.')).toBeVisible();
  await expect(page.getByText('in a file that only you can read')).toBeVisible();
  await page.getByRole('switch', { name: 'Notify about replies' }).uncheck();
  await expect.poll(() => settingsOf(service)).toMatchObject({ keepRunning: true, notifyReplies: false });
  // A page that asks again meanwhile is told the same.
  bridge.setState({ hasTray: true, canNotify: true, secrets: 'sealed' });
  await bridge.order({
    type: 'state',
    state: {
      openAtLogin: false,
      quickAsk: 'off',
      hasTray: true,
      canNotify: true,
      notifyTrouble: null,
      secrets: 'sealed',
    },
  });
  await expect(page.getByText('This desktop shows no tray icon')).toHaveCount(0);
  await expect(page.getByText('Encrypted with the system’s key store.')).toBeVisible();
});

test('opening at login shows what the system says, not what was clicked', async ({ page, service }) => {
  const bridge = await giveBridge(page, service);
  await page.goto(`${service.baseUrl}/#/settings/desktop`);
  const login = page.getByRole('switch', { name: 'Open at login' });
  await login.click();
  await expect(login).toBeChecked();
  bridge.setObeys(false);
  await login.click();
  await expect(page.getByText('The system did not change it.')).toBeVisible();
  await expect(login).toBeChecked();
  bridge.setState({ openAtLogin: null });
  await page.evaluate(() => window.dispatchEvent(new Event('focus')));
  await expect(login).toBeDisabled();
  await expect(page.getByText('Install Parley to use this.')).toBeVisible();
});

test('the shortcut is what is pressed; what can’t work is refused in words', async ({ page, service }) => {
  const bridge = await giveBridge(page, service);
  await page.goto(`${service.baseUrl}/#/settings/desktop`);
  const group = page.getByRole('group', { name: 'Quick ask' });
  const field = group.getByRole('button', { name: 'Quick ask: No keys. Change' });
  await field.focus();
  await page.keyboard.press('Enter');
  const recording = group.getByRole('button', { name: 'Press the keys…' });
  await page.keyboard.press('k');
  await expect(group.getByText('Hold Ctrl or Alt with it')).toBeVisible();
  await page.keyboard.press('Control+ArrowUp');
  await expect(group.getByText('Use a letter')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(recording).toHaveCount(0);
  await expect(field).toBeFocused();
  // The page's own shortcuts rest meanwhile.
  await page.keyboard.press('Space');
  bridge.setState({ quickAsk: 'taken' });
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(group.getByRole('button', { name: 'Quick ask: Ctrl K. Change' })).toBeFocused();
  await expect.poll(async () => (await settingsOf(service)).quickAskShortcut).toBe('mod+k');
  await expect(group.getByText('Another program uses this shortcut.')).toBeVisible();
  await page.keyboard.press('Enter');
  bridge.setState({ quickAsk: 'ready' });
  await page.keyboard.press('Control+Shift+Space');
  await expect(group.locator('kbd')).toHaveText(['Ctrl', 'Shift', 'Space']);
  await expect(group.getByText('Another program')).toHaveCount(0);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(field).toBeFocused();
  await expect.poll(async () => (await settingsOf(service)).quickAskShortcut).toBeNull();
});

test('folders are opened by the desktop, and the section is one for everybody', async ({ page, service }) => {
  const bridge = await giveBridge(page, service);
  bridge.setState({ hasTray: false, quickAsk: 'taken', openAtLogin: null });
  await service.call('PATCH', '/api/v1/settings', { keepRunning: true, quickAskShortcut: 'mod+shift+space' });
  await page.goto(`${service.baseUrl}/#/settings/desktop`);
  await page.getByRole('button', { name: 'Open the data folder' }).click();
  await page.getByRole('button', { name: 'Open log folder' }).click();
  await expectAccessibleInBoth(page, 'the desktop settings');
  await page
    .getByRole('button', { name: /Quick ask:/ })
    .first()
    .click();
  await expectAccessible(page);
  await page.setViewportSize({ width: 360, height: 640 });
  await expect.poll(() => overflowOf(page)).toBeLessThanOrEqual(0);
  await page.getByRole('link', { name: 'Data' }).click();
  await page.getByRole('button', { name: 'Open folder' }).click();
  expect((await bridge.said()).revealed).toEqual(['data', 'logs', 'data']);
  await expect.poll(() => overflowOf(page)).toBeLessThanOrEqual(0);
  await page.getByRole('link', { name: 'About' }).click();
  await expect(page.getByText('Desktop app, with the service in it')).toBeVisible();
});
