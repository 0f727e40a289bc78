import PQueue from 'p-queue';
import { expect, test } from 'vitest';
import { createFileTools, bound } from '../../../../server/tools/files/file-tools.ts';
import type { Tool } from '../../../../server/tools/tool.ts';
import { createTempDir } from '../../../support/service.ts';
import { toolContext } from '../../../support/tool-context.ts';

const SIGNAL = new AbortController().signal;

test('calls on a disk that doesn’t answer are few at a time, and one that was given up is never begun', async () => {
  const { promise: never, resolve } = Promise.withResolvers<string>();
  let begun = 0;
  const hanging: Tool = {
    name: 'hang',
    description: '',
    input: {},
    runs: 'service',
    asks: 'never',
    changes: false,
    run: () => {
      begun += 1;
      return never;
    },
  };
  const tool = bound(hanging, new PQueue({ concurrency: 2 }));
  const controller = new AbortController();
  const calls = [SIGNAL, SIGNAL, controller.signal, SIGNAL].map((signal) =>
    tool.run({}, toolContext({ signal })),
  );
  const outcomes = Promise.allSettled(calls);
  controller.abort();
  await new Promise((done) => setTimeout(done, 20));
  expect(begun).toBe(2);
  resolve('back');
  expect((await outcomes).map(({ status }) => status)).toEqual([
    'fulfilled',
    'fulfilled',
    'rejected',
    'fulfilled',
  ]);
  expect(begun).toBe(3);
});

test('a folder whose disk doesn’t answer isn’t touched, under whatever path', async () => {
  const root = await createTempDir();
  const gone = { id: 'a', name: 'Gone', path: root, createdAt: '2026-11-20T12:45:00.000Z', available: false };
  const source = createFileTools({ folders: async () => [gone], isAnyAllowed: () => true, dataDir: root });
  const tools = await source.list([]);
  const readFile = tools.find(({ name }) => name === 'read_file');
  for (const path of ['Gone/a.txt', `${root}/a.txt`]) {
    await expect(readFile?.run({ path }, toolContext())).rejects.toThrow('its disk doesn’t answer');
  }
});
