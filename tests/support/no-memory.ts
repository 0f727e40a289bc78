import { StatementSync } from 'node:sqlite';
import { vi } from 'vitest';
import type { Reader } from '../../server/store/types.ts';

/** Reads a row while SQLite says, as it would, that no memory is left. */
export function readWithoutMemory(reader: Reader): unknown {
  const read = vi.spyOn(StatementSync.prototype, 'get').mockImplementation(() => {
    throw Object.assign(new Error('out of memory'), { code: 'ERR_SQLITE_ERROR', errcode: 7 });
  });
  try {
    return reader.get('SELECT 1');
  } finally {
    read.mockRestore();
  }
}
