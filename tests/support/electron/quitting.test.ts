import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { HAS_SIGNALS } from '../platform.ts';
import { freshUserData, startSample, startWithWindow, type Sample } from './fixtures/start-sample.ts';

/** Signals of a kind that come closer together can arrive as one. */
const APART_MS = 200;

/** Prints what happens while quitting: afterwards the process can't be asked. */
const tellSteps = (sample: Sample): Promise<void> =>
  sample.run(({ app }) => {
    for (const step of ['before-quit', 'will-quit', 'quit', 'window-all-closed'] as const)
      app.on(step as 'quit', () => console.log(step));
    globalThis.win.on('close', () => console.log('close'));
    globalThis.win.on('closed', () => console.log('closed'));
  });

const steps = (sample: Sample): string[] => sample.output().trim().split('\n');

test('quitting asks, closes the windows, asks again and ends, in the documented order', async () => {
  const sample = await startWithWindow();
  await tellSteps(sample);
  await sample.run(({ app }) => app.quit());
  expect(await sample.ended).toEqual({ code: 0, signal: null });
  expect(steps(sample)).toEqual(['before-quit', 'close', 'closed', 'will-quit', 'quit']);
});

test('each step on the way out can be prevented, and the next try begins anew', async () => {
  const sample = await startWithWindow();
  await tellSteps(sample);
  await sample.run(({ app }) => {
    app.once('before-quit', (event) => event.preventDefault());
    app.quit();
    globalThis.win.once('close', (event) => event.preventDefault());
    app.quit();
    app.once('will-quit', (event) => event.preventDefault());
    app.quit();
    console.log('still there');
    app.quit();
  });
  await sample.ended;
  expect(steps(sample)).toEqual([
    'before-quit',
    ...['before-quit', 'close'],
    ...['before-quit', 'close', 'closed', 'will-quit'],
    'still there',
    ...['before-quit', 'will-quit', 'quit'],
  ]);
});

test("app.exit asks nobody, and its code is the process's", async () => {
  const sample = await startWithWindow();
  await tellSteps(sample);
  await sample.run(({ app }) => app.exit(3));
  expect(await sample.ended).toEqual({ code: 3, signal: null });
  expect(steps(sample)).toEqual(['closed', 'quit']);
});

test('closing the last window tells so, and quits when nobody listens', async () => {
  const sample = await startWithWindow();
  await tellSteps(sample);
  await sample.run(() => globalThis.win.close());
  // Its output arrives on another channel than the function's result.
  await expect.poll(() => steps(sample)).toEqual(['close', 'closed', 'window-all-closed']);
  await sample.run(({ app, BrowserWindow }) => {
    app.removeAllListeners('window-all-closed');
    new BrowserWindow({ show: false }).close();
  });
  expect(await sample.ended).toEqual({ code: 0, signal: null });
});

test.runIf(HAS_SIGNALS)('a signal quits the app in order', async () => {
  const sample = await startWithWindow();
  await tellSteps(sample);
  sample.process.kill('SIGTERM');
  expect(await sample.ended).toEqual({ code: 0, signal: null });
  expect(steps(sample)).toContain('will-quit');
});

test.runIf(HAS_SIGNALS)(
  'a second signal ends the app at once, unless it listens since it is ready',
  async () => {
    const hard = await startWithWindow();
    await hard.run(({ app }) => app.on('will-quit', (event) => event.preventDefault()));
    hard.process.kill('SIGINT');
    await pause(APART_MS);
    hard.process.kill('SIGINT');
    expect(await hard.ended).toEqual({ code: null, signal: 'SIGINT' });

    const own = await startWithWindow();
    await own.run(() => {
      let count = 0;
      process.on('SIGINT', () => {
        count += 1;
        if (count === 2) process.exit(5);
      });
    });
    own.process.kill('SIGINT');
    await pause(APART_MS);
    own.process.kill('SIGINT');
    expect(await own.ended).toEqual({ code: 5, signal: null });
  },
);

test('a second start ends by itself and tells the first, which then is alone again', async () => {
  const userData = await freshUserData();
  const first = await startSample({ userData });
  await first.endpoint;
  await first.run(({ app }) => {
    globalThis.happened = [];
    app.on('second-instance', (_event, argv, folder, data) =>
      globalThis.happened.push([argv.at(-1), folder, data]),
    );
  });
  const second = await startSample({ userData, args: ['--opened-by=second'] });
  expect(await second.ended).toEqual({ code: 0, signal: null });
  await expect
    .poll(() => first.run(() => globalThis.happened))
    .toEqual([['--opened-by=second', process.cwd(), { from: second.process.pid }]]);

  await first.run(({ app }) => app.quit());
  await first.ended;
  const third = await startSample({ userData });
  await third.endpoint;
  expect(await third.run(({ app }) => app.hasSingleInstanceLock())).toBe(true);
});

test('a first start that was killed holds no later one back', async () => {
  const userData = await freshUserData();
  const first = await startSample({ userData });
  await first.endpoint;
  first.process.kill('SIGKILL');
  await first.ended;
  const second = await startSample({ userData });
  await second.endpoint;
  expect(await second.run(({ app }) => app.hasSingleInstanceLock())).toBe(true);
});
