/**
 * The rows in the store are the truth; p-queue only says how many chats are worked on at once. A chat stands in the queue at
 * most once and goes to the end of the queue after each turn, so a long queue in one chat holds up no other.
 */
import PQueue from 'p-queue';
import { NO_GROWTH } from '../../shared/growth.ts';
import { AppError } from '../errors.ts';
import { listUnsettledChats, type StoredChat } from '../store/chat-repository.ts';
import type { Writer } from '../store/types.ts';
import { withTimeout } from '../lib/with-timeout.ts';
import { interruptChat, recoverChat, stopChat } from './chat-rows.ts';
import { createJob, writtenBy, type Job } from './job.ts';
import type { ProcessorDeps } from './processor-deps.ts';
import { createQueuePositions } from './queue-positions.ts';
import { createPacing } from './pacing.ts';
import { createOpenApprovals, type Asking } from './open-approvals.ts';
import { createStorePause } from './store-pause.ts';
import { failedEnd } from './running-turn.ts';
import { createLiveReplies, type LiveReplies } from './live-replies.ts';
import { createTurnWorker, type StoredReply } from './turn-worker.ts';

/**
 * Answers waiting messages. The rows in the store say what there is to do; this only decides when. It doesn't own the
 * store or the runtime: whoever made them closes them, after this.
 */
export interface Processor extends Asking {
  /** Says that the chat has something to do. Call it once the message is on disk. Cheap; more often than needed is fine. */
  accept(chatId: string): void;
  /** Says that a send is under way, which may go before the start of turns (pacing.ts); call what this returns once it is over. */
  makeWay(): () => void;
  /** How long it takes, as the pace of turns tells, until one of so many chats that wait is served, in milliseconds. */
  msUntilTurn(chats: number): number;
  /**
   * Ends the chat's turn and everything that waits in it, and resolves with the chat once that is on disk; a chat with
   * nothing to stop comes back as it is. Null: there is no such chat. Rejects when the store refuses. `also` runs in the
   * same transaction, if there is such a chat.
   */
  stop(chatId: string, also?: (writer: Writer) => void): Promise<StoredChat | null>;
  /**
   * Ends the chat's turn alone, if one is under way, and goes on with what waits. `first` runs before, in the same transaction: what
   * it throws ends nothing. Otherwise as {@link stop}.
   */
  interrupt(chatId: string, first: (writer: Writer) => void): Promise<StoredChat | null>;
  /**
   * How many chats are served before this one: 0 = it is being worked on, 1 = next, and so on. For a chat that isn't
   * in the queue it is the place it would get now.
   */
  queuePosition(chatId: string): number;
  /** The replies that are being written, which their rows learn a little later. */
  readonly live: Pick<LiveReplies, 'get' | 'onGrown'>;
  /**
   * Has the listener told each reply that is on disk as its turn has ended by itself, until what this returns is called.
   * It must not throw. Turns that were stopped or given back, and what a start finds, are not told.
   */
  onReply(listener: (reply: StoredReply) => void): () => void;
  /** Takes up what an earlier process left undone. Call it once, before anything else; resolves when all is in the queue. */
  recover(): Promise<void>;
  /**
   * Stops working, within 4 seconds: turns under way are given back to be done at the next start, without counting
   * as a try. Nothing is taken up afterwards.
   */
  close(): Promise<void>;
}

const DEFAULT_CONCURRENCY = 32;
/** Leaves the rest of the 5 seconds that a stop may take to the store. */
const CLOSE_WAIT_MS = 3_500;
/** Chats recovered in one transaction. */
const RECOVER_AT_ONCE = 100;
/** Turns done at once in threads of their own, since each takes the memory of one. */
const ALONE_AT_ONCE = 2;

/** Makes the one processor of a store; {@link Processor.recover} starts it. */
export function createProcessor(deps: ProcessorDeps): Processor {
  const { store, clock, newId } = deps;
  const queue = new PQueue({ concurrency: deps.concurrency ?? DEFAULT_CONCURRENCY });
  /** Jobs whose turns shared a thread that was lost, and are to be done alone. */
  const aloneQueue = new PQueue({ concurrency: ALONE_AT_ONCE });
  const pause = createStorePause([queue, aloneQueue]);
  const jobs = new Map<string, Job>();
  const positions = createQueuePositions();
  const pacing = createPacing(() => positions.length > 0);
  let isClosed = false;
  const hasClosed = (): boolean => isClosed;
  const replyListeners = new Set<(reply: StoredReply) => void>();
  // Who waits for a person works on nothing, and must not keep others from it.
  const { noteAsking, ...asking } = createOpenApprovals((chatId, change) => {
    const isAlone = jobs.get(chatId)?.isAlone === true;
    (isAlone ? aloneQueue : queue).concurrency += change;
  });
  const live = createLiveReplies();
  const worker = createTurnWorker(deps, hasClosed, {
    live,
    onStored: (reply) => {
      for (const listener of replyListeners) listener(reply);
    },
    onAsking: noteAsking,
  });

  const now = (): string => clock().toISOString();

  function accept(chatId: string, isUnrecovered = false): void {
    if (isClosed) return;
    const known = jobs.get(chatId);
    if (known !== undefined) {
      known.isWantedAgain = true;
      known.endFollowUp?.();
      return;
    }
    if (jobs.size === 0) pacing.noteWork();
    const job = createJob(chatId, isUnrecovered);
    jobs.set(chatId, job);
    joinQueue(job);
  }

  function joinQueue(job: Job): void {
    const ticket = positions.join();
    job.ticket = ticket;
    queue
      .add(() => comeUp(job, ticket))
      // Only a cleared queue rejects: the job is then done by the next process.
      .catch(() => undefined);
  }

  async function comeUp(job: Job, ticket: number): Promise<void> {
    positions.comeUp(ticket);
    // It left the queue meanwhile.
    if (job.ticket !== ticket) return;
    job.ticket = null;
    await pacing.nextStart();
    await serve(job);
  }

  async function serve(job: Job): Promise<void> {
    job.isWantedAgain = false;
    const isUnfinished = hasClosed() || (await work(job));
    const isWanted = isUnfinished || job.isWantedAgain;
    if (!isWanted || hasClosed()) jobs.delete(job.chatId);
    else if (job.isAlone) aloneQueue.add(() => serve(job)).catch(() => undefined);
    else joinQueue(job);
    pacing.noteEnd(jobs.size === 0);
  }

  /** Does one turn of the chat; true when the chat is to stand in the queue again. */
  async function work(job: Job): Promise<boolean> {
    try {
      const hasMore = await worker.doTurn(job);
      job.isGivenUp = false;
      pause.end();
      return hasMore;
    } catch (error) {
      if (hasClosed()) return false;
      if (isRefusedByDisk(error)) {
        pause.begin();
        return true;
      }
      deps.onError?.(error, job.chatId);
      // Rows that can't be worked with are left alone where not even that can be said.
      if (job.taken === null || job.isGivenUp) return false;
      const message = 'Parley could not work with this chat; please try again.';
      job.end = failedEnd(NO_GROWTH, 'model_failed', message);
      job.isGivenUp = true;
      return true;
    }
  }

  const stop = (chatId: string, also?: (writer: Writer) => void): Promise<StoredChat | null> =>
    endTurn(chatId, false, (writer, written) => {
      const stopped = stopChat(writer, chatId, written, newId, now());
      if (stopped !== null) also?.(writer);
      return stopped;
    });

  const interrupt = (chatId: string, first: (writer: Writer) => void): Promise<StoredChat | null> =>
    endTurn(chatId, true, (writer, written) => {
      first(writer);
      return interruptChat(writer, chatId, written, now());
    });

  async function endTurn(
    chatId: string,
    goesOn: boolean,
    end: (writer: Writer, written: ReturnType<typeof writtenBy>) => ReturnType<typeof stopChat>,
  ): Promise<StoredChat | null> {
    const job = jobs.get(chatId);
    const ending = job?.ending;
    const isAtWork = job !== undefined && job.reply !== null;
    const written = job === undefined ? null : writtenBy(job);
    let isEnded = !goesOn;
    const writing = store.write((writer) => {
      const ended = end(writer, written);
      isEnded ||= ended?.isStopped === true;
      return ended;
    });
    // The rows say so from here on, on disk or not: the agent need not begin, the place in the queue is free.
    if (job !== undefined && !isAtWork && isEnded) {
      job.ending.abort('stopped');
      job.endFollowUp?.();
      if (!goesOn && job.ticket !== null && job.end === null) {
        positions.leave(job.ticket);
        job.ticket = null;
        jobs.delete(chatId);
      }
    }
    try {
      const stopped = await writing;
      if (goesOn) accept(chatId);
      if (stopped?.isStopped === true) ending?.abort('stopped');
      return stopped?.chat ?? null;
    } catch (error) {
      accept(chatId);
      throw error;
    }
  }

  function queuePosition(chatId: string): number {
    const job = jobs.get(chatId);
    if (job === undefined) return positions.length + 1;
    return job.ticket === null || job.end !== null ? 0 : positions.position(job.ticket);
  }

  function onReply(listener: (reply: StoredReply) => void): () => void {
    replyListeners.add(listener);
    return () => replyListeners.delete(listener);
  }

  async function recover(): Promise<void> {
    const chats = store.read(listUnsettledChats).map((chat) => chat.id);
    for (let index = 0; index < chats.length; index += RECOVER_AT_ONCE) {
      const some = chats.slice(index, index + RECOVER_AT_ONCE);
      try {
        const active = await store.write((writer) =>
          some.filter((chatId) => recoverChat(writer, chatId, now())),
        );
        for (const chatId of active) accept(chatId);
      } catch (error) {
        // A full disk must not keep the service from starting, since all that is stored can still be read.
        if (!isRefusedByDisk(error)) throw error;
        pause.begin();
        for (const chatId of some) accept(chatId, true);
      }
    }
  }

  async function close(): Promise<void> {
    isClosed = true;
    pause.close();
    for (const each of [queue, aloneQueue]) {
      each.pause();
      each.clear();
    }
    for (const job of jobs.values()) {
      job.endFollowUp?.();
      job.ending.abort('released');
    }
    const unsaved = [...jobs.values()].flatMap((job) => {
      const { ticket, taken, end } = job;
      return ticket !== null && taken !== null && end !== null ? [worker.storeTurnEnd(job, taken, end)] : [];
    });
    const underWay = [queue.onPendingZero(), aloneQueue.onPendingZero()];
    await withTimeout(CLOSE_WAIT_MS, Promise.allSettled([...underWay, ...unsaved]));
  }

  return {
    accept,
    makeWay: () => pacing.makeWay(),
    msUntilTurn: (chats) => pacing.msPerTurn() * Math.max(1, jobs.size / Math.max(1, chats)),
    stop,
    interrupt,
    queuePosition,
    ...asking,
    live,
    onReply,
    recover,
    close,
  };
}

const isRefusedByDisk = (error: unknown): boolean =>
  error instanceof AppError && (error.code === 'storage_full' || error.code === 'storage_unavailable');
