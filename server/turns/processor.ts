/**
 * The rows in the store are the truth; p-queue only limits how many chats run at once. A chat is in the queue at most once and
 * goes behind the others of its workspace after each turn, so many messages in one chat delay no other chat. Workspaces take
 * turns (fair-queue.ts), so many chats in one delay no other workspace.
 */
import PQueue from 'p-queue';
import type { Step } from '../../shared/api/message.ts';
import { NO_GROWTH } from '../../shared/growth.ts';
import { AppError } from '../errors.ts';
import { createListeners } from '../lib/listeners.ts';
import { withTimeout } from '../lib/with-timeout.ts';
import type { QueuedChat } from '../store/chat-columns.ts';
import { listUnsettledChats, type StoredChat } from '../store/chat-repository.ts';
import { listWaitingIds, type FinalReply } from '../store/message-repository.ts';
import { writeInSlices } from '../store/pieces.ts';
import type { Writer } from '../store/types.ts';
import { ChatTurn, FAULT, STOPPED, type ChatTurnDeps } from './chat-turn.ts';
import { ALONE_AT_ONCE, createFairPQueue, FairQueue } from './fair-queue.ts';
import { createPacing } from './pacing.ts';
import type { LiveReply } from './live-reply.ts';
import { endChatTurn, hasWork, recoverChat, releaseTurn, takeTurn } from './rows.ts';
import { failed, type Turn } from './turn.ts';

/** Answers waiting messages. It doesn't own the store or the runtime: their creator closes them after this. */
export type Processor = ReturnType<typeof createProcessor>;

/** A reply whose turn ended by itself, complete or failed. */
export interface StoredReply {
  chatId: string;
  final: FinalReply;
}

/** Dependencies of the processor. */
export interface ProcessorDeps extends ChatTurnDeps {
  /** How many chats are worked on at the same time. */
  concurrency?: number;
}

/** A chat that is queued or worked on. */
interface Entry {
  readonly chatId: string;
  /** Workspaces take turns. */
  readonly workspaceId: string;
  /** Its turn, from taking the message until the reply is on disk; null: it waits. */
  turn: ChatTurn | null;
}

const CONCURRENCY = 32;
/** How long to pause after the disk refused a write: longer each time. */
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;
/** The store gets the rest of the 5 seconds that a stop may take. */
const CLOSE_WAIT_MS = 2_000;

/** How a turn ends that can't be stored because of a fault of ours. */
const GIVEN_UP = failed(NO_GROWTH, FAULT);

/** Creates the only processor of a store; `recover` starts it. */
export function createProcessor({ concurrency = CONCURRENCY, ...deps }: ProcessorDeps) {
  const { store, clock, newId } = deps;
  const slots = new PQueue({ concurrency });
  const aloneSlots = createFairPQueue(ALONE_AT_ONCE);
  const waiting = new FairQueue<Entry>();
  /** How many more may be served, as soon as pacing allows it. */
  let starting = 0;
  const pacing = createPacing(() => waiting.size > starting);
  let pauseMs = FIRST_PAUSE_MS;
  const entries = new Map<string, Entry>();
  let isClosed = false;
  const replies = createListeners<[reply: StoredReply]>();
  const grown = createListeners<[chatId: string]>();
  const approvalsChanged = createListeners<[chatId: string, waiting: readonly Step[]]>();
  const now = (): string => clock().toISOString();

  /** The chat has something to do. Call it once the message is on disk. Extra calls are cheap and harmless. */
  function accept({ id: chatId, workspaceId }: QueuedChat): void {
    if (isClosed) return;
    const known = entries.get(chatId);
    if (known !== undefined) {
      known.turn?.endFollowUp();
      return;
    }
    if (entries.size === 0) pacing.noteWork();
    const entry: Entry = { chatId, workspaceId, turn: null };
    entries.set(chatId, entry);
    join(entry);
  }

  /** Puts it behind everything else of its workspace. */
  function join(entry: Entry): void {
    waiting.enqueue(entry, { id: entry.chatId, owner: entry.workspaceId });
    // Only a queue that is cleared rejects: the next process then serves it.
    slots.add(serveNext).catch(() => undefined);
  }

  /** Does one turn of the chat that is next, and puts the chat back into the queue if it has more to do. */
  async function serveNext(): Promise<void> {
    starting += 1;
    await pacing.nextStart();
    starting -= 1;
    // Chosen as late as possible, so that whoever comes meanwhile gets a turn. None is left if some were taken out.
    const entry = waiting.dequeue();
    if (entry === undefined) return;
    let hasMore = false;
    try {
      // A turn that is still there has ended and has yet to be stored.
      if (entry.turn === null && !isClosed) await take(entry);
      await entry.turn?.run();
      await entry.turn?.store((final) => replies.emit({ chatId: entry.chatId, final }));
      entry.turn = null;
      pauseMs = FIRST_PAUSE_MS;
      // Read only now, so that what was accepted meanwhile counts, too.
      hasMore = store.read((reader) => hasWork(reader, entry.chatId));
    } catch (error) {
      hasMore = !isClosed && isToBeRetried(entry, error);
    }
    if (hasMore && !isClosed) join(entry);
    else entries.delete(entry.chatId);
    pacing.noteEnd(entries.size === 0);
  }

  /** The disk refused a write: serve nobody for a while. */
  function backOff(): void {
    if (slots.isPaused) return;
    slots.pause();
    setTimeout(() => slots.start(), pauseMs).unref();
    pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
  }

  /** Whether a turn that the store refused goes on later. */
  function isToBeRetried(entry: Entry, error: unknown): boolean {
    if (isRefusedByDisk(error)) {
      entry.turn?.setWaiting(END_UNSTORED);
      backOff();
      return true;
    }
    deps.onError(error, entry.chatId);
    // The message can't be taken, or not even the failure can be stored: the rows are unusable, and left alone.
    if (entry.turn === null || entry.turn.outcome === GIVEN_UP) return false;
    entry.turn.outcome = GIVEN_UP;
    return true;
  }

  /** Takes the chat's next message, if there is one. */
  async function take(entry: Entry): Promise<void> {
    const { chatId, workspaceId: owner } = entry;
    const host = {
      ...{ owner, slots, aloneSlots },
      onGrown: () => grown.emit(chatId),
      onPendingApprovals: (steps: readonly Step[]) => approvalsChanged.emit(chatId, steps),
    };
    try {
      // Set within the transaction: once its rows say that it runs, somebody may want to end it.
      await store.write((writer) => {
        const taken = takeTurn(writer, chatId, newId(), now());
        entry.turn = taken && new ChatTurn(deps, taken, host);
      });
    } catch (error) {
      entry.turn = null;
      throw error;
    }
  }

  async function endTurn(
    chatId: string,
    event: 'stop' | 'interrupt',
    { first, also }: { first?: (writer: Writer) => void; also?: ((writer: Writer) => void) | undefined },
  ): Promise<StoredChat | null> {
    const entry = entries.get(chatId);
    const turn = entry?.turn ?? null;
    const live = turn?.live ?? null;
    const waitsNow = turn && store.read((reader) => listWaitingIds(reader, turn.taken.chat));
    const end = (writer: Writer, waiting: readonly string[] | null = null): ReturnType<typeof endChatTurn> =>
      endChatTurn(writer, chatId, { event, live, waiting, newId, now: now() });
    const ended = await store
      .write((writer) => {
        first?.(writer);
        const result = end(writer);
        if (result !== null) also?.(writer);
        return result;
      })
      .catch((error: unknown) => {
        if (turn === null || first !== undefined || also !== undefined || !isRefusedByDisk(error))
          throw error;
        turn.endUnstored((writer) => void end(writer, waitsNow));
        throw new AppError(error.code, END_UNSTORED, { cause: error });
      });
    if (ended === null) return null;
    if (ended.isEnded) turn?.end(STOPPED);
    if (event === 'interrupt') accept(ended.chat);
    else if (
      entry?.turn === null &&
      !store.read((reader) => hasWork(reader, chatId)) &&
      waiting.remove(chatId)
    )
      entries.delete(chatId);
    return ended.chat;
  }

  /**
   * How many chats are served before this one: 0 = it is being worked on, 1 = next, and so on. For a chat that isn't
   * in the queue it is the position it would get now.
   */
  function queuePosition({ id, workspaceId }: QueuedChat): number {
    const entry = entries.get(id);
    if (entry === undefined) return waiting.positionOfNew(workspaceId);
    return entry.turn === null ? waiting.position(id) : 0;
  }

  /** Resumes what an earlier process left undone. Call it once, before anything else. Resolves when everything is queued. */
  async function recover(): Promise<void> {
    const chats = store.read(listUnsettledChats);
    try {
      await writeInSlices(store, chats, (writer, { id }) => recoverChat(writer, id, now()));
    } catch (error) {
      // A full disk must not prevent the start: everything stored can still be read.
      if (!isRefusedByDisk(error)) throw error;
      backOff();
    }
    for (const chat of chats) accept(chat);
  }

  /**
   * Stops working, within 2 seconds. Running turns are released: the next start does them again, and this attempt doesn't
   * count. Nothing is started afterwards.
   */
  async function close(): Promise<void> {
    isClosed = true;
    slots.pause();
    slots.clear();
    const turns = [...entries.values()].flatMap(({ turn }) => turn ?? []);
    // First, whatever their agents and tools still do: the store may be closed before those have ended.
    const released = store.write((writer) => {
      for (const { taken, outcome } of turns) if (outcome === null) releaseTurn(writer, taken, now());
    });
    for (const turn of turns) turn.end(new DOMException('Parley is stopping.', 'AbortError'));
    await withTimeout(CLOSE_WAIT_MS, Promise.allSettled([released, slots.onPendingZero()]));
  }

  return {
    accept,
    /** A send has started, which may delay turns (pacing.ts). Call the returned function when it is over. */
    beginSend: pacing.beginSend,
    /** Estimated time until the next waiting chat of a workspace is served, in milliseconds, by the pace of turns. */
    msUntilTurn: (): number => pacing.msPerTurn() * Math.max(1, waiting.waitingOwners),
    /**
     * Ends the chat's turn and everything that waits in it, and resolves with the chat once that is on disk; a chat with
     * nothing to stop comes back as it is. Null: there is no such chat. `also` runs in the same transaction, if there is such a
     * chat. Rejects when the store refuses; without `also` a running turn ends nevertheless, and that is stored later.
     */
    stop: (chatId: string, also?: (writer: Writer) => void): Promise<StoredChat | null> =>
      endTurn(chatId, 'stop', { also }),
    /**
     * Ends only the chat's running turn, if there is one, and continues with what waits. `first` runs before that in the same
     * transaction; if it throws, nothing ends. Otherwise as `stop`.
     */
    interrupt: (chatId: string, first: (writer: Writer) => void): Promise<StoredChat | null> =>
      endTurn(chatId, 'interrupt', { first }),
    queuePosition,
    /** Calls it with each turn. */
    forEachTurn: (change: (turn: Turn) => void): void => entries.forEach(({ turn }) => turn && change(turn)),
    /** Replies that are being written; their rows are saved a little later. */
    live: {
      /** The reply that is being written in a chat; null: none is. */
      get: (chatId: string): LiveReply | null => entries.get(chatId)?.turn?.live ?? null,
      /** Calls the listener with the chat's id whenever its reply grows. Returns a function that unsubscribes. */
      onGrown: grown.on,
    },
    /** Whether a tool of the chat's turn waits for a person. */
    isAwaitingApproval: (chatId: string): boolean => entries.get(chatId)?.turn?.isAwaitingApproval === true,
    /** The chats of which `isAwaitingApproval` is true. */
    chatsAwaitingApproval: (): string[] =>
      [...entries.values()].flatMap((entry) => (entry.turn?.isAwaitingApproval ? [entry.chatId] : [])),
    /** Calls the listener with a chat's id and its waiting steps whenever those change. Returns a function that unsubscribes. */
    onPendingApprovals: approvalsChanged.on,
    /**
     * Calls the listener, which must not throw, with each reply whose turn has ended by itself, once it is on disk: not with what was
     * stopped or released, nor with what a start finds. Returns a function that unsubscribes.
     */
    onReply: replies.on,
    recover,
    close,
  };
}

const isRefusedByDisk = (error: unknown): error is AppError =>
  error instanceof AppError && (error.code === 'storage_full' || error.code === 'storage_unavailable');

const END_UNSTORED = 'The reply has ended. It will be saved once the disk can be written to again.';
