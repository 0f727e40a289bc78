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

/** The queue of one processor. */
export interface TurnQueue<J extends Queued> {
  /** Puts it behind everything else of its workspace. */
  join(job: J): void;
  /** Takes it out; those behind move on. False: it isn't waiting. */
  leave(job: J): boolean;
  /** 1 for the next to be served, and so on; 0: it isn't waiting. */
  position(job: J): number;
  /** The position that another of this workspace would get. */
  positionOfNew(workspaceId: string): number;
  /** In how many workspaces something waits. */
  readonly waitingWorkspaces: number;
  /**
   * Does work for a job that is being served and needs a thread of its own, for two jobs at once. Meanwhile another job is
   * served in its place. Rejects with the signal's reason when that fires.
   */
  alone<T>(job: J, signal: AbortSignal, work: () => Promise<T>): Promise<T>;
  /** A job that is being served starts (1) or stops (-1) waiting for a person. Meanwhile it holds up no other. */
  makeRoom(job: J, by: 1 | -1): void;
  /** The disk refused a write: pause for a while, longer each time. */
  rest(): void;
  /** The disk accepted a write: the next pause is short again. */
  restBriefly(): void;
  /** Stops serving. Resolves when nothing is being served. */
  close(): Promise<unknown>;
  readonly pacing: ReturnType<typeof createPacing>;
}

/** Each takes the memory of a separate thread. */
const ALONE_AT_ONCE = 2;
const FIRST_REST_MS = 100;
const LONGEST_REST_MS = 5_000;

/** An empty queue that serves this many at once. */
export function createTurnQueue<J extends Queued>(
  concurrency: number,
  serve: (job: J) => Promise<void>,
): TurnQueue<J> {
  const shared = new PQueue({ concurrency });
  const alone = createFairPQueue(ALONE_AT_ONCE);
  const waiting = new FairQueue<J>();
  /** How many more may be served, as soon as pacing allows it. */
  let starting = 0;
  const pacing = createPacing(() => waiting.size > starting);
  let restMs = FIRST_REST_MS;
  let resting: NodeJS.Timeout | undefined;

  async function serveNext(): Promise<void> {
    starting += 1;
    await pacing.nextStart();
    starting -= 1;
    // Chosen as late as possible, so that whoever comes meanwhile gets a turn. None is left if some were taken out.
    const job = waiting.dequeue();
    if (job !== undefined) await serve(job);
  }

  return {
    join(job) {
      waiting.enqueue(job, { id: job.chatId, owner: job.workspaceId });
      // Only a queue that is cleared rejects: the job is then done by the next process.
      shared.add(serveNext).catch(() => undefined);
    },
    leave: (job) => waiting.remove(job.chatId),
    position: (job) => waiting.position(job.chatId),
    positionOfNew: (workspaceId) => waiting.positionOfNew(workspaceId),
    get waitingWorkspaces() {
      return waiting.waitingOwners;
    },
    alone(job, signal, work) {
      shared.concurrency += 1;
      const run = (): ReturnType<typeof work> => {
        job.isAlone = true;
        return work().finally(() => (job.isAlone = false));
      };
      return alone.add(run, { signal, owner: job.workspaceId }).finally(() => (shared.concurrency -= 1));
    },
    makeRoom(job, by) {
      (job.isAlone ? alone : shared).concurrency += by;
    },
    rest() {
      if (resting !== undefined) return;
      shared.pause();
      resting = setTimeout(() => {
        resting = undefined;
        shared.start();
      }, restMs).unref();
      restMs = Math.min(restMs * 2, LONGEST_REST_MS);
    },
    restBriefly() {
      restMs = FIRST_REST_MS;
    },
    close() {
      clearTimeout(resting);
      shared.pause();
      shared.clear();
      return shared.onPendingZero();
    },
    pacing,
  };
}
