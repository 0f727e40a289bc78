/** Decides the order in which chats are served, how many at once, and when to pause. */
import PQueue from 'p-queue';
import { createPacing } from './pacing.ts';

/** An entry of the queue. */
export interface Queued {
  /** Whether its turn has a thread of its own right now. */
  isAlone: boolean;
}

/** The queue of one processor. */
export interface TurnQueue<J extends Queued> {
  /** Puts it at the end. */
  join(job: J): void;
  /** Takes it out; those behind move on. False: it isn't waiting. */
  leave(job: J): boolean;
  /** 1 for the next to be served, and so on; 0: it isn't waiting. */
  position(job: J): number;
  /** How many wait. */
  readonly length: number;
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
  const alone = new PQueue({ concurrency: ALONE_AT_ONCE });
  const waiting: J[] = [];
  const pacing = createPacing(() => waiting.length > 0);
  let restMs = FIRST_REST_MS;
  let resting: NodeJS.Timeout | undefined;

  async function comeUp(job: J): Promise<void> {
    // Jobs come up in the order in which they joined; another one first means that this one has left.
    if (waiting[0] !== job) return;
    waiting.shift();
    await pacing.nextStart();
    await serve(job);
  }

  return {
    join(job) {
      waiting.push(job);
      // Only a queue that is cleared rejects: the job is then done by the next process.
      shared.add(() => comeUp(job)).catch(() => undefined);
    },
    leave(job) {
      const at = waiting.indexOf(job);
      if (at !== -1) waiting.splice(at, 1);
      return at !== -1;
    },
    position: (job) => waiting.indexOf(job) + 1,
    get length() {
      return waiting.length;
    },
    alone(job, signal, work) {
      shared.concurrency += 1;
      const run = (): ReturnType<typeof work> => {
        job.isAlone = true;
        return work().finally(() => (job.isAlone = false));
      };
      return alone.add(run, { signal }).finally(() => (shared.concurrency -= 1));
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
