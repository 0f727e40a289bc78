/** Decides the order in which chats are served, how many at once, and when to pause. */
import PQueue from 'p-queue';
import { createFairPQueue, FairQueue } from './fair-queue.ts';
import { createPacing } from './pacing.ts';

/** An entry of the queue. */
export interface Queued {
  readonly chatId: string;
  /** Workspaces take turns. */
  readonly workspaceId: string;
  /** Whether its turn has a thread of its own right now. */
  isAlone: boolean;
}

/** Each takes the memory of a separate thread. */
const ALONE_AT_ONCE = 2;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;

/** The queue of one processor, empty, which serves this many at once. */
export function createTurnQueue<E extends Queued>(concurrency: number, serve: (entry: E) => Promise<void>) {
  const shared = new PQueue({ concurrency });
  const alone = createFairPQueue(ALONE_AT_ONCE);
  const waiting = new FairQueue<E>();
  /** How many more may be served, as soon as pacing allows it. */
  let starting = 0;
  const pacing = createPacing(() => waiting.size > starting);
  let pauseMs = FIRST_PAUSE_MS;
  let pause: NodeJS.Timeout | undefined;

  async function serveNext(): Promise<void> {
    starting += 1;
    await pacing.nextStart();
    starting -= 1;
    // Chosen as late as possible, so that whoever comes meanwhile gets a turn. None is left if some were taken out.
    const entry = waiting.dequeue();
    if (entry !== undefined) await serve(entry);
  }

  return {
    /** Puts it behind everything else of its workspace. */
    join(entry: E): void {
      waiting.enqueue(entry, { id: entry.chatId, owner: entry.workspaceId });
      // Only a queue that is cleared rejects: the next process then serves it.
      shared.add(serveNext).catch(() => undefined);
    },
    /** Takes it out; those behind move on. False: it isn't waiting. */
    leave: (entry: E): boolean => waiting.remove(entry.chatId),
    /** 1 for the next to be served, and so on; 0: it isn't waiting. */
    position: (entry: E): number => waiting.position(entry.chatId),
    /** The position that another of this workspace would get. */
    positionOfNew: (workspaceId: string): number => waiting.positionOfNew(workspaceId),
    /** In how many workspaces something waits. */
    get waitingWorkspaces(): number {
      return waiting.waitingOwners;
    },
    /**
     * Does work for an entry that is being served and needs a thread of its own, for two entries at once. Meanwhile another entry is
     * served in its stead. Rejects with the signal's reason when that fires.
     */
    alone<T>(entry: E, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
      shared.concurrency += 1;
      const run = (): Promise<T> => {
        entry.isAlone = true;
        return work().finally(() => (entry.isAlone = false));
      };
      return alone.add(run, { signal, owner: entry.workspaceId }).finally(() => (shared.concurrency -= 1));
    },
    /** An entry that is being served starts (1) or stops (-1) waiting for a person. Meanwhile another one is served, too. */
    lendSlot(entry: E, by: 1 | -1): void {
      (entry.isAlone ? alone : shared).concurrency += by;
    },
    /** The disk refused a write: pause for a while, longer each time. */
    backOff(): void {
      if (pause !== undefined) return;
      shared.pause();
      pause = setTimeout(() => {
        pause = undefined;
        shared.start();
      }, pauseMs).unref();
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
    },
    /** The disk accepted a write: the next pause is short again. */
    resetBackOff(): void {
      pauseMs = FIRST_PAUSE_MS;
    },
    /** Stops serving. Resolves when nothing is being served. */
    close(): Promise<unknown> {
      clearTimeout(pause);
      shared.pause();
      shared.clear();
      return shared.onPendingZero();
    },
    pacing,
  };
}
