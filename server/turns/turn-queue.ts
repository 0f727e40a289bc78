/** Decides the order in which chats are served, how many at once, and when to pause. */
import PQueue from 'p-queue';
import { createPacing } from './pacing.ts';

/** An entry of the queue. */
export interface Queued {
  /** Its place in the queue; null: it isn't queued. */
  ticket: number | null;
  /** Whether it runs alone in a thread, beside only a few others. */
  isAlone: boolean;
}

/** The queue of one processor. */
export interface TurnQueue<J extends Queued> {
  /** Puts it at the end of the queue, or of the one of those that are alone; those have no place. */
  join(job: J): void;
  /** Takes it out; those behind move on. */
  leave(job: J): void;
  /** 1 for the next to be served, and so on: exact, however many wait. */
  position(ticket: number): number;
  /** How many wait. */
  readonly length: number;
  /** Allows one more to be served at once, or one less. */
  widen(job: Pick<J, 'isAlone'>, by: 1 | -1): void;
  /** The disk refused a write: pause for a while, longer each time. */
  rest(): void;
  /** The disk accepted a write: the next pause is short again. */
  restBriefly(): void;
  /** Stops serving. Resolves when nothing is being served. */
  close(): Promise<unknown>;
  readonly pacing: ReturnType<typeof createPacing>;
}

/** Served at once when alone, since each then takes the memory of a thread of its own. */
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
  let head = 0;
  let next = 0;
  /** Tickets that were given up and haven't come up yet. */
  const left = new Set<number>();
  const pacing = createPacing(() => queue.length > 0);
  let restMs = FIRST_REST_MS;
  let resting: NodeJS.Timeout | undefined;

  async function comeUp(job: J, ticket: number): Promise<void> {
    // Tickets come up in the order in which they were taken.
    head = ticket + 1;
    if (left.delete(ticket)) return;
    job.ticket = null;
    await pacing.nextStart();
    await serve(job);
  }

  const queue: TurnQueue<J> = {
    join(job) {
      const ticket = job.isAlone ? null : next++;
      job.ticket = ticket;
      const added = ticket === null ? alone.add(() => serve(job)) : shared.add(() => comeUp(job, ticket));
      // Only a queue that is cleared rejects: the job is then done by the next process.
      added.catch(() => undefined);
    },
    leave(job) {
      if (job.ticket !== null) left.add(job.ticket);
      job.ticket = null;
    },
    position(ticket) {
      let leftBefore = 0;
      for (const other of left) if (other < ticket) leftBefore += 1;
      return ticket - head - leftBefore + 1;
    },
    get length() {
      return next - head - left.size;
    },
    widen(job, by) {
      (job.isAlone ? alone : shared).concurrency += by;
    },
    rest() {
      if (resting !== undefined) return;
      for (const each of [shared, alone]) each.pause();
      resting = setTimeout(() => {
        resting = undefined;
        for (const each of [shared, alone]) each.start();
      }, restMs).unref();
      restMs = Math.min(restMs * 2, LONGEST_REST_MS);
    },
    restBriefly() {
      restMs = FIRST_REST_MS;
    },
    close() {
      clearTimeout(resting);
      for (const each of [shared, alone]) {
        each.pause();
        each.clear();
      }
      return Promise.all([shared.onPendingZero(), alone.onPendingZero()]);
    },
    pacing,
  };
  return queue;
}
