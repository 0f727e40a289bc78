import type { Reader, Store } from './types.ts';

/**
 * Reads, and resolves once what was read is on disk. If the disk refuses meanwhile, memory returns to what the disk
 * holds, and that is read instead.
 */
export async function readSettled<T>(
  store: Pick<Store, 'read' | 'settled' | 'writable'>,
  read: (reader: Reader) => T,
): Promise<T> {
  // A function, since it changes during the wait.
  const isWritable = (): boolean => store.writable;
  const wasWritable = isWritable();
  const value = store.read(read);
  await store.settled();
  return wasWritable && isWritable() ? value : store.read(read);
}
