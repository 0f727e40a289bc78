import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { Type, type Static, type TObject } from 'typebox';
import { ToolError, type ThreadTool } from '../../server/tools/tool.ts';

const Empty = Type.Object({});

/** A tool that isn't in any catalogue. */
const testTool = <Input extends TObject>(tool: {
  name: string;
  description: string;
  input: Input;
  run(input: Static<Input>): unknown;
}): ThreadTool => ({ runs: 'thread', asks: 'never', changes: false, ...tool });

/** Differs from thread to thread. */
const THREAD = randomUUID();

/** Tools that work, and tools that fail in each way a tool can. */
export const TEST_TOOLS: readonly ThreadTool[] = [
  testTool({
    name: 'add',
    description: 'Adds two numbers.',
    input: Type.Object({ a: Type.Number(), b: Type.Number() }),
    run: ({ a, b }) => ({ sum: a + b }),
  }),
  testTool({
    name: 'thread',
    description: 'Names the thread it runs in.',
    input: Empty,
    run: () => THREAD,
  }),
  testTool({
    name: 'refuse',
    description: 'Refuses in words.',
    input: Empty,
    run: () => {
      throw new ToolError('I can’t divide by zero.');
    },
  }),
  testTool({
    name: 'break',
    description: 'Throws.',
    input: Empty,
    run: () => {
      throw new Error('secret detail of /home/someone');
    },
  }),
  testTool({
    name: 'flood',
    description: 'Returns a text of the given length.',
    input: Type.Object({ length: Type.Integer() }),
    run: ({ length }) => ({ text: 'x'.repeat(length), lines: Array.from({ length: 9 }, () => 'line') }),
  }),
  testTool({
    name: 'wait',
    description: 'Waits, whatever the signal says.',
    input: Type.Object({ ms: Type.Integer() }),
    run: async ({ ms }) => {
      await delay(ms);
      return {};
    },
  }),
  testTool({
    name: 'hang',
    description: 'Loops for ever, at once or after a wait, and first writes a file, if it is given one.',
    input: Type.Object({ afterMs: Type.Optional(Type.Integer()), writes: Type.Optional(Type.String()) }),
    run: ({ afterMs, writes }) => {
      const loop = (): never => {
        if (writes !== undefined) writeFileSync(writes, '');
        for (;;);
      };
      return afterMs === undefined ? loop() : delay(afterMs).then(loop);
    },
  }),
  testTool({
    name: 'exit',
    description: 'Ends the thread; with `once`, unless the environment says that this happened before.',
    input: Type.Object({ once: Type.Boolean(), afterMs: Type.Optional(Type.Integer()) }),
    run: async ({ once, afterMs }) => {
      if (once && process.env['HAS_EXITED'] !== undefined) return {};
      if (afterMs !== undefined) await delay(afterMs);
      return process.exit(1);
    },
  }),
  testTool({
    name: 'throw_late',
    description: 'Throws outside any turn, where nobody catches it.',
    input: Empty,
    run: async () => {
      setTimeout(() => {
        throw new Error('thrown late');
      });
      await delay(60_000);
      return {};
    },
  }),
  testTool({
    name: 'hoard',
    description: 'Takes 3 GiB without a pause, in some seconds.',
    input: Empty,
    run: () => {
      const hoard: Buffer[] = [];
      const clock = new Int32Array(new SharedArrayBuffer(4));
      while (hoard.length < 1_536) {
        hoard.push(Buffer.alloc(2 * 1024 ** 2, 1));
        Atomics.wait(clock, 0, 0, 3);
      }
      return { taken: hoard.length };
    },
  }),
];
