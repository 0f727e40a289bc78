import type { Reader } from '../../server/store/types.ts';

/** Reads a row of which SQLite runs out of stack within the WebAssembly, which traps it. */
export const readWithoutMemory = (reader: Reader): unknown =>
  reader.get('SELECT ? GLOB ?', ['a'.repeat(40_000) + 'b', '*a'.repeat(20_000)]);
