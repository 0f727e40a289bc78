import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { HAS_SIGNALS } from '../support/platform.ts';
import { apiOf } from './support/desktop-api.ts';
import { expect, test } from './support/desktop.ts';

test('quits with its store closed, and goes on where it was: with what was said, in its place and colour, at a link', async ({
  launch,
  folder,
}) => {
  const dataDir = join(folder, 'data');
  const first = await launch({ dataDir });
  const chat = await first.chat();
  await chat.say('What is 6 * 7?');
  await expect(chat.replies.last()).toContainText('42');
  const address = new URL(chat.page.url());
  await chat.newChat.click();
  const place = { x: 40, y: 60, width: 900, height: 640 };
  await first.evaluate(({ BrowserWindow }, to) => BrowserWindow.getAllWindows()[0]?.setBounds(to), place);
  await apiOf(first).set({ theme: 'dark' });
  await expect.poll(() => first.evaluate(({ nativeTheme }) => nativeTheme.shouldUseDarkColors)).toBe(true);
  expect(existsSync(join(dataDir, 'connection.json'))).toBe(true);
  expect(await first.quit()).toEqual({ code: 0, signal: null });
  expect(existsSync(join(dataDir, 'connection.json'))).toBe(false);

  const link = address.hash.replace('#/chats/', 'parley://chat/');
  const second = await launch({ dataDir, args: [link] });
  const { page, replies } = await second.chat();
  const look = await second.evaluate(({ BrowserWindow, nativeTheme }) => ({
    bounds: BrowserWindow.getAllWindows()[0]?.getBounds(),
    colour: BrowserWindow.getAllWindows()[0]?.getBackgroundColor(),
    theme: nativeTheme.themeSource,
  }));
  expect(look).toEqual({ bounds: place, colour: '#131311', theme: 'dark' });
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  // It is shown once it is painted.
  await expect
    .poll(() => second.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.isVisible()))
    .toBe(true);
  await expect.poll(() => new URL(page.url()).hash).toBe(address.hash);
  await expect(replies.last()).toContainText('42');
  expect(await second.quit()).toEqual({ code: 0, signal: null });
});

test('a second start while the first ends begins once that has ended', async ({ launch }) => {
  const desktop = await launch();
  await desktop.chat();
  const reported = join(desktop.dataDir, 'told.json');
  await desktop.evaluate(({ app }, path) => {
    process.once('exit', () => {
      const { writeFileSync } = process.getBuiltinModule('node:fs');
      writeFileSync(path, JSON.stringify(globalThis.parleyProbe.calls));
    });
    // When the service is being stopped, as the other start tells of itself.
    app.once('will-quit', () => app.emit('second-instance', {}, ['parley://chat/c1'], ''));
  }, reported);
  expect(await desktop.quit()).toEqual({ code: 0, signal: null });
  const calls = JSON.parse(await readFile(reported, 'utf8')) as {
    name: string;
    args: [{ args: string[] }];
  }[];
  const relaunches = calls.filter(({ name }) => name === 'app.relaunch');
  expect(relaunches).toHaveLength(1);
  expect(relaunches[0]?.args[0].args).toContain(`--data-dir=${desktop.dataDir}`);
  expect(relaunches[0]?.args[0].args.at(-1)).toBe('parley://chat/c1');
});

test('quit while it starts, it ends without a window', async ({ launch }) => {
  test.skip(!HAS_SIGNALS, 'Windows ends a process at once.');
  const desktop = await launch();
  // Its first line in the log comes before anything takes time.
  await expect
    .poll(() => existsSync(join(desktop.dataDir, 'logs', 'parley.log')), { intervals: [5] })
    .toBe(true);
  desktop.process.kill('SIGTERM');
  expect(await desktop.ended).toEqual({ code: 0, signal: null });
  expect(existsSync(join(desktop.dataDir, 'connection.json'))).toBe(false);
});
