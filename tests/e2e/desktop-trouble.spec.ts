import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { HAS_SIGNALS } from '../support/platform.ts';
import { expect, test, type Desktop } from './support/desktop.ts';
import { startTestService } from './support/service.ts';

interface Box {
  message: string;
  detail: string;
  buttons: string[];
}

const logOf = ({ dataDir }: Desktop): string => join(dataDir, 'logs', 'parley.log');
const OPEN = { 'dialog.showMessageBox': ['open'] };

/** The dialog that stands open, and choosing one of its buttons. */
async function dialogOf(desktop: Desktop): Promise<Box & { choose: (label: string) => Promise<void> }> {
  await expect.poll(async () => (await desktop.calls('dialog.showMessageBox')).length).toBeGreaterThan(0);
  const box = (await desktop.calls('dialog.showMessageBox')).at(-1)?.at(-1) as Box;
  return {
    ...box,
    choose: (label) => {
      expect(box.buttons).toContain(label);
      return desktop.settle('dialog.showMessageBox', { response: box.buttons.indexOf(label) });
    },
  };
}

test.describe('a data folder that a headless Parley has', () => {
  test('is told with the address, and opened signed in when that is wanted', async ({ launch, page }) => {
    const service = await startTestService();
    const desktop = await launch({
      dataDir: service.dataDir,
      answers: { ...OPEN, 'shell.openExternal': ['open'] },
    });
    const { message, detail, choose } = await dialogOf(desktop);
    expect(message).toBe('Parley is already running without a window');
    expect(detail).toContain(service.baseUrl);
    await choose('Open in browser');
    await expect.poll(() => desktop.calls('shell.openExternal')).toHaveLength(1);
    const [[link]] = (await desktop.calls('shell.openExternal')) as [[string]];
    await page.goto(link);
    await expect(page.getByRole('textbox', { name: 'Message' })).toBeVisible();
    await desktop.settle('shell.openExternal', undefined);
    expect(await desktop.ended).toMatchObject({ code: 0 });
    expect((await fetch(`${service.baseUrl}/health`)).status).toBe(200);
    await service.close();
  });

  test('is left alone, with exit code 3, by a person who quits', async ({ launch }) => {
    const service = await startTestService();
    const desktop = await launch({ dataDir: service.dataDir, answers: OPEN });
    await (await dialogOf(desktop)).choose('Quit');
    expect(await desktop.ended).toMatchObject({ code: 3 });
    await service.close();
  });

  test('is taken over once that one has ended', async ({ launch }) => {
    const service = await startTestService();
    const desktop = await launch({ dataDir: service.dataDir, answers: OPEN });
    const dialog = await dialogOf(desktop);
    await service.kill();
    await dialog.choose('Try again');
    await desktop.chat();
    await desktop.quit();
    await service.close();
  });
});

test.describe('a start that fails', () => {
  test('says why, where the log is and what can be done, and can be tried again; it ends although work on a file hangs', async ({
    launch,
    folder,
  }) => {
    const dataDir = join(folder, 'data');
    await mkdir(dataDir);
    await writeFile(join(dataDir, 'store'), 'a file where a folder should be');
    const desktop = await launch({ dataDir, answers: { 'dialog.showMessageBox': ['open', 'open'] } });
    const first = await dialogOf(desktop);
    expect(first.message).toBe('Parley could not start');
    expect(first.detail).toContain(join(dataDir, 'logs', 'parley.log'));
    await first.choose('Open log folder');
    await expect.poll(() => desktop.calls('shell.openPath')).toHaveLength(1);
    await expect.poll(() => desktop.calls('dialog.showMessageBox')).toHaveLength(2);
    await rm(join(dataDir, 'store'));
    await (await dialogOf(desktop)).choose('Try again');
    await desktop.chat();
    const log = (): Promise<string> => readFile(logOf(desktop), 'utf8');
    expect(await log()).toContain('could not start');

    // There are no named pipes in folders on Windows.
    if (HAS_SIGNALS) {
      const pipe = join(folder, 'pipe');
      execFileSync('mkfifo', [pipe]);
      await desktop.evaluate((_electron, path: string) => {
        process.getBuiltinModule('node:fs').open(path, 'r', () => undefined);
      }, pipe);
    }
    await desktop.quit();
    expect(await log()).toContain('Parley has ended.');
  });

  test('for a file where the data folder should be says so before anything is begun', async ({
    launch,
    folder,
  }) => {
    const dataDir = join(folder, 'data');
    await writeFile(dataDir, 'a file where a folder should be');
    const desktop = await launch({ dataDir, answers: OPEN });
    const dialog = await dialogOf(desktop);
    expect(dialog.message).toBe('Parley could not start');
    expect(dialog.detail).toContain(dataDir);
    expect(dialog.detail).toContain('a file is in its way');
    await dialog.choose('Quit');
    expect(await desktop.ended).toMatchObject({ code: 1 });
    expect(await readFile(dataDir, 'utf8')).toBe('a file where a folder should be');
  });

  test('for a chosen port that is taken names the port, and ends with exit code 1', async ({ launch }) => {
    const other = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    const address = other.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const desktop = await launch({ args: [`--port=${port}`], answers: OPEN });
    const dialog = await dialogOf(desktop);
    expect(dialog.detail).toContain(`Port ${port}`);
    await dialog.choose('Quit');
    expect(await desktop.ended).toMatchObject({ code: 1 });
    other.close();
  });
});

test('arguments that make no sense are told, with exit code 2', async ({ launch }) => {
  const desktop = await launch({ args: ['--port=nonsense'] });
  expect(await desktop.ended).toMatchObject({ code: 2 });
  expect(desktop.output).toContain('--port takes a number');
});

test('a fault that nobody caught is told, and ends the app in order', async ({ launch }) => {
  const desktop = await launch({ answers: OPEN });
  await desktop.chat();
  await desktop.evaluate(() => {
    setTimeout(() => {
      throw new Error('a fault made on purpose');
    });
  });
  const dialog = await dialogOf(desktop);
  expect(dialog.message).toBe('Parley has to close because of an error');
  await dialog.choose('Quit');
  expect(await desktop.ended).toMatchObject({ code: 1 });
  const log = await readFile(logOf(desktop), 'utf8');
  expect(log).toContain('a fault made on purpose');
  expect(log).toContain('Parley has ended.');
});

test('a page that crashes comes back by itself, with what was being written; one that keeps crashing is for the person to decide', async ({
  launch,
}) => {
  const desktop = await launch({ answers: OPEN });
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
  await expect.poll(() => desktop.inPage('document.body.innerText')).toContain('The window had crashed');
  expect(
    await desktop.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.getURL()),
  ).toBe(address);

  const isThere = (): Promise<unknown> => desktop.inPage('document.getElementById("message") !== null');
  for (let times = 1; times < 4; times += 1) {
    await expect.poll(isThere).toBe(true);
    await desktop.evaluate(({ BrowserWindow }) => {
      BrowserWindow.getAllWindows()[0]?.webContents.forcefullyCrashRenderer();
    });
    await expect
      .poll(async () => (await readFile(logOf(desktop), 'utf8')).split('A page ended').length - 1)
      .toBe(times + 1);
  }
  const dialog = await dialogOf(desktop);
  expect(dialog.message).toContain('keeps failing');
  await dialog.choose('Reload');
  await expect.poll(isThere).toBe(true);
});

test('checks itself on request, leaves what is there alone, and prints a table or JSON', async ({
  launch,
}) => {
  const table = await launch({ args: ['--self-check'] });
  expect(await table.ended, table.output).toEqual({ code: 0, signal: null });
  const json = await launch({ args: ['--self-check', '--json'] });
  expect(await json.ended).toEqual({ code: 0, signal: null });
  const line = json.output.split('\n').find((text) => text.startsWith('{')) ?? '';
  const { system, rows } = JSON.parse(line) as {
    system: Record<string, string>;
    rows: { name: string; state: string; detail: string }[];
  };
  expect(system['Electron']).toMatch(/^\d+\./);
  const names = ['service', 'agent thread', 'calculation', 'HTML thread', 'page', 'sandbox', 'sealing'];
  expect(rows.map(({ name }) => name)).toEqual([...names, 'tray', 'shortcuts', 'notifications', 'store']);
  expect(rows.filter(({ state }) => state === 'failed')).toEqual([]);
  for (const { name } of rows) expect(table.output).toMatch(new RegExp(`^(ok|missing) +${name}`, 'm'));
  expect(existsSync(json.dataDir)).toBe(false);
});

test('holds up the end of a Windows session until its service has stopped', async ({ launch }) => {
  const desktop = await launch();
  // The page is still there while the service stops, and asks it for more.
  desktop.expected.push(/ERR_CONNECTION_(?:REFUSED|RESET)|503 \(Service Unavailable\)/);
  await desktop.chat();
  const isHeld = await desktop.evaluate(({ BrowserWindow }) => {
    let held = false;
    const event = { preventDefault: () => (held = true), reasons: ['shutdown'] };
    (BrowserWindow.getAllWindows()[0] as unknown as NodeJS.EventEmitter).emit('query-session-end', event);
    return held;
  });
  expect(isHeld).toBe(true);
  expect(await desktop.ended).toEqual({ code: 0, signal: null });
  expect(existsSync(join(desktop.dataDir, 'connection.json'))).toBe(false);
});
