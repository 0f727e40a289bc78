import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { HAS_SIGNALS } from '../support/platform.ts';
import { expect, test, type Desktop } from './support/desktop.ts';

const isVisible = (desktop: Desktop): Promise<boolean> =>
  desktop.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.isVisible() ?? false);

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

test('answers with no network, quits with its store closed, and goes on where it was', async ({
  launch,
  folder,
}) => {
  const dataDir = join(folder, 'data');
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
});

test('a second start while the first ends begins once that has ended', async ({ launch }) => {
  const desktop = await launch();
  await desktop.chat();
  const told = join(desktop.dataDir, 'told.json');
  await desktop.evaluate(({ app }, path) => {
    process.once('exit', () => {
      const { writeFileSync } = process.getBuiltinModule('node:fs');
      writeFileSync(path, JSON.stringify(globalThis.parleyProbe.calls));
    });
    // When the service is being stopped, as the other start tells of itself.
    app.once('will-quit', () => app.emit('second-instance', {}, [], '', { argv: ['parley://chat/c1'] }));
  }, told);
  expect(await desktop.quit()).toEqual({ code: 0, signal: null });
  const calls = JSON.parse(await readFile(told, 'utf8')) as { name: string; args: [{ args: string[] }] }[];
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
