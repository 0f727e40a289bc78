import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { apiOf, badgeOf, ONE_UNREAD } from './support/desktop-api.ts';
import { expect, test, type Desktop } from './support/desktop.ts';

const visible = (desktop: Desktop): Promise<boolean[]> =>
  desktop.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().map((window) => window.isVisible()));
const closeWindow = (desktop: Desktop): Promise<void> =>
  desktop.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close());
const labels = async (desktop: Desktop): Promise<string[]> =>
  ((await desktop.tray())?.menu ?? []).map(({ label }) => label);

test('keeps running in the tray when that is set, with the API up, and says there what is under way and unread', async ({
  launch,
}) => {
  const desktop = await launch();
  const chat = await desktop.chat();
  const origin = await desktop.origin();
  expect(await desktop.tray()).toBeNull();
  await apiOf(desktop).set({ keepRunning: true });
  await expect.poll(() => desktop.tray()).not.toBeNull();
  await apiOf(desktop).set({ keepRunning: false });
  await expect.poll(() => desktop.tray()).toBeNull();
  await apiOf(desktop).set({ keepRunning: true });
  await expect.poll(() => desktop.tray()).not.toBeNull();
  await closeWindow(desktop);
  await expect.poll(() => visible(desktop)).toEqual([false]);
  expect((await fetch(`${origin}/health`)).status).toBe(200);
  expect((await labels(desktop))[0]).toBe(`Running at ${origin}`);
  await apiOf(desktop).ask('What is 3 + 3?');
  await expect.poll(() => labels(desktop)).toContain('One unread chat');
  expect(await labels(desktop)).toContain('No replies in progress');
  await expect.poll(() => badgeOf(desktop)).toBe(ONE_UNREAD);
  expect((await desktop.tray())?.toolTip).toContain('One unread chat');

  await desktop.choose('tray', 'Open Parley');
  await expect.poll(() => visible(desktop)).toEqual([true]);
  await desktop.choose('tray', 'Copy the address');
  await expect.poll(() => desktop.evaluate(({ clipboard }) => clipboard.readText())).toBe(origin);
  await desktop.choose('tray', 'Copy the local key');
  const { apiKey } = JSON.parse(await readFile(join(desktop.dataDir, 'connection.json'), 'utf8')) as {
    apiKey: string;
  };
  await expect.poll(() => desktop.evaluate(({ clipboard }) => clipboard.readText())).toBe(apiKey);

  await chat.say('What is 2 + 2?');
  await expect(chat.replies.last()).toContainText('4');
  await closeWindow(desktop);
  // A new chat is started from the tray, whatever the window showed.
  await desktop.choose('tray', 'New chat');
  await expect.poll(() => visible(desktop)).toEqual([true]);
  await expect(chat.mine).toHaveCount(0);
  await expect(chat.message).toBeFocused();
  await desktop.choose('tray', 'Quit Parley');
  expect(await desktop.ended).toMatchObject({ code: 0 });
});

test('started hidden, shows no window but a tray icon, and serves', async ({ launch }) => {
  const desktop = await launch({ args: ['--hidden'] });
  await expect.poll(() => desktop.tray()).not.toBeNull();
  expect(await visible(desktop)).toEqual([]);
  const chat = await apiOf(desktop).ask('What is 2 + 2?');
  expect(chat.id).not.toBe('');
  await desktop.choose('tray', 'Open Parley');
  await desktop.chat();
  await expect.poll(() => visible(desktop)).toEqual([true]);
});

test.describe('where no desktop shows tray icons', () => {
  test.skip(process.platform !== 'linux', 'Other systems always have a place for them.');

  test('closing the window minimises it, and the settings say so', async ({ launch }) => {
    const desktop = await launch({ hasTrayHost: false });
    const chat = await desktop.chat();
    await apiOf(desktop).set({ keepRunning: true });
    await expect.poll(() => desktop.tray()).not.toBeNull();
    await chat.page.evaluate(() => {
      location.hash = '#/settings/desktop';
    });
    await expect(chat.page.getByText(/shows no tray icons.*minimises/)).toBeVisible();
    const isMinimised = (): Promise<boolean> =>
      desktop.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.isMinimized() ?? false);
    await closeWindow(desktop);
    await expect.poll(isMinimised).toBe(true);
    const second = await launch({ dataDir: desktop.dataDir });
    expect(await second.ended).toMatchObject({ code: 0 });
    await expect.poll(() => visible(desktop)).toEqual([true]);
  });

  test('a hidden start shows its window after all', async ({ launch }) => {
    const desktop = await launch({ args: ['--hidden'], hasTrayHost: false });
    await desktop.chat();
    await expect.poll(() => visible(desktop)).toEqual([true]);
  });
});
