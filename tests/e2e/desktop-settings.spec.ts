import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { apiOf } from './support/desktop-api.ts';
import { expect, test } from './support/desktop.ts';

const ON_LINUX = process.platform === 'linux';

test('the settings follow what another program changes, and tell what the system decides: keys that are taken, and windows of Wayland; it opens at login when that is set', async ({
  launch,
}) => {
  const desktop = await launch({
    env: { XDG_SESSION_TYPE: 'wayland' },
    faults: { takenShortcuts: ['CommandOrControl+Shift+Space'], isPackaged: ON_LINUX },
  });
  const { page } = await desktop.chat();
  await page.evaluate(() => (location.hash = '#/settings/desktop'));
  const { set } = apiOf(desktop);
  const marks = (): Promise<(string | undefined)[]> =>
    page.evaluate(() => {
      const { theme, textSize } = document.documentElement.dataset;
      return [theme, textSize];
    });
  for (const [theme, textSize] of [
    ['dark', 'large'],
    ['light', 'small'],
  ] as const) {
    await set({ theme, textSize });
    await expect.poll(marks).toEqual([theme, textSize]);
  }

  const taken = page.getByText(/another program/i);
  await set({ quickAskShortcut: 'mod+shift+space' });
  await expect(taken).toBeVisible();
  await set({ quickAskShortcut: 'mod+alt+k' });
  await expect.poll(() => desktop.shortcuts()).toEqual(['CommandOrControl+Alt+K']);
  await expect(taken).toHaveCount(0);

  // Only Linux has Wayland, and a file that says what opens at login.
  if (!ON_LINUX) return;
  await expect(page.getByText(/Wayland may ask/)).toBeVisible();
  const login = page.getByRole('switch', { name: /login/i });
  await expect(login).not.toBeChecked();
  await login.click();
  await expect(login).toBeChecked();
  const folder = await desktop.evaluate(() => process.env['XDG_CONFIG_HOME'] ?? '');
  const entry = join(folder, 'autostart', 'parley.desktop');
  expect(await readFile(entry, 'utf8')).toContain('--hidden');
  await login.click();
  await expect(login).not.toBeChecked();
  await expect(readFile(entry)).rejects.toThrow('ENOENT');
});
