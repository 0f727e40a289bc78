/** What is still held after it should have been let go. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** How many of those objects are left after a full garbage collection. */
export async function countHeld(objects: readonly WeakRef<WeakKey>[]): Promise<number> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  // Until the turn ends in which it was made or read, a reference holds its object.
  await nextTurn();
  collect();
  return objects.filter((object) => object.deref() !== undefined).length;
}
