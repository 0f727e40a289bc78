import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, type Desktop } from './support/desktop.ts';

const isVisible = (desktop: Desktop): Promise<boolean> =>
  desktop.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.isVisible() ?? false);

test('opens on the chat page, signed in, and answers with no network', async ({ launch }) => {
  const desktop = await launch();
  const chat = await desktop.chat();
  await chat.say('What is 12.5% of 1840?');
  await expect(chat.replies.last()).toContainText('230');
  await expect.poll(() => isVisible(desktop)).toBe(true);
});

test('a second start brings the window of the first to the front, and ends', async ({ launch }) => {
  const first = await launch();
  await first.chat();
  await expect.poll(() => isVisible(first)).toBe(true);
  await first.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.hide());
  expect(await isVisible(first)).toBe(false);
  const second = await launch({ dataDir: first.dataDir });
  expect(await second.ended).toEqual({ code: 0, signal: null });
  await expect.poll(() => isVisible(first)).toBe(true);
  expect(await first.windows()).toHaveLength(1);
});

test('quits with its store closed, and goes on where it was', async ({ launch }) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-desktop-data-'));
  const first = await launch({ dataDir });
  const chat = await first.chat();
  await chat.say('What is 6 * 7?');
  await expect(chat.replies.last()).toContainText('42');
  expect(existsSync(join(dataDir, 'connection.json'))).toBe(true);
  expect(await first.quit()).toEqual({ code: 0, signal: null });
  expect(existsSync(join(dataDir, 'connection.json'))).toBe(false);
  const second = await launch({ dataDir });
  await expect((await second.chat()).chats.getByRole('link').first()).toContainText('6 * 7');
  expect(await second.quit()).toEqual({ code: 0, signal: null });
  await rm(dataDir, { recursive: true, force: true });
});
