/**
 * The rows in the store are the truth; p-queue only limits how many chats run at once. A chat is in the queue at most once and
 * goes behind the others of its workspace after each turn, so many messages in one chat delay no other chat. Workspaces take
 * turns (fair-queue.ts), so many chats in one delay no other workspace.
 */
import { NO_GROWTH } from '../../shared/growth.ts';
import { AppError } from '../errors.ts';
import { createListeners } from '../lib/listeners.ts';
import { withTimeout } from '../lib/with-timeout.ts';
import type { QueuedChat } from '../store/chat-columns.ts';
import { listUnsettledChats, type StoredChat } from '../store/chat-repository.ts';
import type { Writer } from '../store/types.ts';
import { endChatTurn, recoverChat, releaseTurn, type WrittenReply } from './chat-rows.ts';
import { createAsking, createLiveReplies, type Asking, type LiveReplies } from './live-replies.ts';
import { failedEnd } from './running-turn.ts';
import { createTurnQueue } from './turn-queue.ts';
import { createTurnWorker, type Job, type StoredReply, type TurnWorkerDeps } from './turn-worker.ts';

/**
 * Answers waiting messages. The rows in the store say what to do; this only decides when. It doesn't own the store or the
 * runtime: their creator closes them after this.
 */
export interface Processor extends Asking {
  /** The chat has something to do. Call it once the message is on disk. Extra calls are cheap and harmless. */
  accept(chat: QueuedChat): void;
  /** A send has started, which may delay turns (pacing.ts). Call the returned function when it is over. */
  makeWay(): () => void;
  /** Estimated time until the next waiting chat of a workspace is served, in milliseconds, by the pace of turns. */
  msUntilTurn(): number;
  /**
   * Ends the chat's turn and everything that waits in it, and resolves with the chat once that is on disk; a chat with
   * nothing to stop comes back as it is. Null: there is no such chat. Rejects when the store refuses. `also` runs in the
   * same transaction, if there is such a chat.
   */
  stop(chatId: string, also?: (writer: Writer) => void): Promise<StoredChat | null>;
  /**
   * Ends only the chat's running turn, if there is one, and continues with what waits. `first` runs before that in the same
   * transaction; if it throws, nothing ends. Otherwise as {@link stop}.
   */
  interrupt(chatId: string, first: (writer: Writer) => void): Promise<StoredChat | null>;
  /**
   * How many chats are served before this one: 0 = it is being worked on, 1 = next, and so on. For a chat that isn't
   * in the queue it is the position it would get now.
   */
  queuePosition(chat: QueuedChat): number;
  /** Replies that are being written; their rows are saved a little later. */
  readonly live: Pick<LiveReplies, 'get' | 'onGrown'>;
  /**
   * Calls the listener, which must not throw, with each reply whose turn has ended by itself, once it is on disk: not with what was
   * stopped or released, nor with what a start finds. Returns a function that unsubscribes.
   */
  onReply(listener: (reply: StoredReply) => void): () => void;
  /** Resumes what an earlier process left undone. Call it once, before anything else. Resolves when everything is queued. */
  recover(): Promise<void>;
  /**
   * Stops working, within 2 seconds. Running turns are released: the next start does them again, and this attempt doesn't
   * count. Nothing is started afterwards.
   */
  close(): Promise<void>;
}

/** Chats worked on at the same time. */
const CONCURRENCY = 32;
/** The store gets the rest of the 5 seconds that a stop may take. */
const CLOSE_WAIT_MS = 2_000;
/** Chats recovered in one transaction. */
const RECOVER_AT_ONCE = 100;

/** Creates the only processor of a store; {@link Processor.recover} starts it. */
export function createProcessor({
  concurrency = CONCURRENCY,
  ...deps
}: TurnWorkerDeps & { concurrency?: number }): Processor {
  const { store, clock, newId } = deps;
  const queue = createTurnQueue<Job>(concurrency, serve);
  const { pacing } = queue;
  const jobs = new Map<string, Job>();
  let isClosed = false;
  const hasClosed = (): boolean => isClosed;
  const replies = createListeners<[reply: StoredReply]>();
  // A turn that waits for a person does no work and must not block others.
  const { noteAsking, ...asking } = createAsking((chatId, change) => {
    const job = jobs.get(chatId);
    if (job !== undefined) queue.makeRoom(job, change);
  });
  const live = createLiveReplies();
  const worker = createTurnWorker(deps, {
    isClosed: hasClosed,
    alone: (job, signal, work) => queue.alone(job, signal, work),
    live,
    onStored: replies.tell,
    onAsking: noteAsking,
  });

  const now = (): string => clock().toISOString();

  function accept({ id: chatId, workspaceId }: QueuedChat): void {
    if (isClosed) return;
    const known = jobs.get(chatId);
    if (known !== undefined) {
      known.isWantedAgain = true;
      known.endFollowUp?.();
      return;
    }
    if (jobs.size === 0) pacing.noteWork();
    const job: Job = {
      chatId,
      workspaceId,
      isWantedAgain: false,
      taken: null,
      ending: new AbortController(),
      endFollowUp: null,
      end: null,
      isAlone: false,
      isGivenUp: false,
    };
    jobs.set(chatId, job);
    queue.join(job);
  }

  async function serve(job: Job): Promise<void> {
    job.isWantedAgain = false;
    const isUnfinished = hasClosed() || (await work(job));
    const isWanted = isUnfinished || job.isWantedAgain;
    if (!isWanted || hasClosed()) jobs.delete(job.chatId);
    else queue.join(job);
    pacing.noteEnd(jobs.size === 0);
  }

  /** Does one turn of the chat; true if the chat goes back into the queue. */
  async function work(job: Job): Promise<boolean> {
    try {
      const hasMore = await worker.doTurn(job);
      job.isGivenUp = false;
      queue.restBriefly();
      return hasMore;
    } catch (error) {
      if (hasClosed()) return false;
      if (isRefusedByDisk(error)) {
        queue.rest();
        return true;
      }
      deps.onError(error, job.chatId);
      // If not even the failure can be stored, unusable rows are left alone.
      if (job.taken === null || job.isGivenUp) return false;
      const message = 'Parley could not work with this chat; please try again.';
      job.end = failedEnd(NO_GROWTH, 'model_failed', message);
      job.isGivenUp = true;
      return true;
    }
  }

  async function endTurn(
    chatId: string,
    event: 'stop' | 'interrupt',
    { first, also }: { first?: (writer: Writer) => void; also?: ((writer: Writer) => void) | undefined },
  ): Promise<StoredChat | null> {
    const job = jobs.get(chatId);
    const ending = job?.ending;
    const reply = live.get(chatId);
    const isAtWork = reply !== null;
    const written = reply === null ? job && madeBy(job) : { replyId: reply.replyId, ...reply.growth };
    const stops = event === 'stop';
    let isEnded = stops;
    const writing = store.write((writer) => {
      first?.(writer);
      const ended = endChatTurn(writer, chatId, { event, written: written ?? null, newId, now: now() });
      if (ended !== null) also?.(writer);
      isEnded ||= ended?.isEnded === true;
      return ended;
    });
    // From here on the rows say so, on disk or not: the agent need not start, and the place in the queue is free.
    if (job !== undefined && !isAtWork && isEnded) {
      job.ending.abort(new DOMException(STOPPED, 'AbortError'));
      job.endFollowUp?.();
      if (stops && job.end === null && queue.leave(job)) jobs.delete(chatId);
    }
    try {
      const ended = await writing;
      if (!stops && ended !== null) accept(ended.chat);
      if (ended?.isEnded === true) ending?.abort(new DOMException(STOPPED, 'AbortError'));
      return ended?.chat ?? null;
    } catch (error) {
      if (job !== undefined) accept({ id: chatId, workspaceId: job.workspaceId });
      throw error;
    }
  }

  function queuePosition({ id, workspaceId }: QueuedChat): number {
    const job = jobs.get(id);
    if (job === undefined) return queue.positionOfNew(workspaceId);
    return job.end === null ? queue.position(job) : 0;
  }

  async function recover(): Promise<void> {
    const chats = store.read(listUnsettledChats);
    for (let index = 0; index < chats.length; index += RECOVER_AT_ONCE) {
      const some = chats.slice(index, index + RECOVER_AT_ONCE);
      try {
        const active = await store.write((writer) => some.filter(({ id }) => recoverChat(writer, id, now())));
        for (const chat of active) accept(chat);
      } catch (error) {
        // A full disk must not prevent the start: everything stored can still be read.
        if (!isRefusedByDisk(error)) throw error;
        queue.rest();
        for (const chat of some) accept(chat);
      }
    }
  }

  async function close(): Promise<void> {
    isClosed = true;
    const turns = [...jobs.values()].flatMap(({ taken, end }) =>
      taken === null || end !== null ? [] : [taken],
    );
    // First, whatever their agents and tools still do: the store may be closed before those have ended.
    const released = store.write((writer) => {
      for (const turn of turns) releaseTurn(writer, turn, now());
    });
    for (const job of jobs.values()) {
      job.endFollowUp?.();
      job.ending.abort(new DOMException('Parley is stopping.', 'AbortError'));
    }
    await withTimeout(CLOSE_WAIT_MS, Promise.allSettled([released, queue.close()]));
  }

  return {
    accept,
    makeWay: pacing.makeWay,
    msUntilTurn: () => pacing.msPerTurn() * Math.max(1, queue.waitingWorkspaces),
    stop: (chatId, also) => endTurn(chatId, 'stop', { also }),
    interrupt: (chatId, first) => endTurn(chatId, 'interrupt', { first }),
    queuePosition,
    ...asking,
    live,
    onReply: replies.on,
    recover,
    close,
  };
}

const STOPPED = 'The turn was stopped.';

const isRefusedByDisk = (error: unknown): boolean =>
  error instanceof AppError && (error.code === 'storage_full' || error.code === 'storage_unavailable');

/** The reply of a finished turn, until it is on disk. */
const madeBy = ({ taken, end }: Job): WrittenReply | null =>
  taken !== null && end?.how === 'reply' ? { replyId: taken.replyId, ...end.final } : null;
