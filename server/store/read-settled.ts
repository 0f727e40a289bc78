import type { Reader, Store } from './types.ts';

/**
 * What was read, once it is on disk. When the disk refused meanwhile, memory went back to what the disk holds, and that is read
 * instead.
 */
export async function readSettled<T>(
  store: Pick<Store, 'read' | 'settled' | 'writable'>,
  read: (reader: Reader) => T,
): Promise<T> {
  // It changes while the disk is waited for.
  const isWritable = (): boolean => store.writable;
  const wasWritable = isWritable();
  const value = store.read(read);
  await store.settled();
  return wasWritable && isWritable() ? value : store.read(read);
}
