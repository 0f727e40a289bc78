/** One chat's turn, from taking the message to having its reply on disk. */
import {
  hasWork,
  recoverChat,
  finishFollowUp,
  releaseTurn,
  saveProgress,
  storeEnd,
  takeTurn,
  type TakenTurn,
} from './chat-rows.ts';
import { createReplySaver, type GrowingReply } from '../store/growing-reply.ts';
import { REHEARSAL_MODEL_NAME } from '../../shared/models.ts';
import type { FinalReply } from '../store/message-repository.ts';
import type { ResolveAccess } from '../connections/access.ts';
import { failedReply, type Written } from './final-reply.ts';
import { readCue, readHistory } from './history.ts';
import { readAgent } from './read-agent.ts';
import type { ProcessorDeps } from './processor.ts';
import { resolveInTime } from './resolve-in-time.ts';
import { startTurn, type RunningTurn, type TurnEnd } from './running-turn.ts';
import { createWorkspacePort } from './workspace-port.ts';

const DEFAULT_TURN_TIMEOUT_MS = 5 * 60_000;
const builtIn: ResolveAccess = () => Promise.resolve({ kind: 'built_in' });

/** A chat that stands in line or is being worked on. */
export interface Job {
  readonly chatId: string;
  /** Its place in line; null while it is being worked on. */
  ticket: number | null;
  /** Something came up while it was being worked on. */
  isWantedAgain: boolean;
  /** The turn was stopped before the agent began. */
  isStopped: boolean;
  taken: TakenTurn | null;
  turn: RunningTurn | null;
  /** Ends the look-up of the model that goes before the agent's beginning; null while there is none. */
  endLookUp: (() => void) | null;
  /** How the turn ended, until that is on disk. */
  end: TurnEnd | null;
  /** An earlier process left the chat, and that couldn't be written down yet. */
  isUnrecovered: boolean;
  faults: number;
}

/** A job for a chat that isn't in line yet. */
export const createJob = (chatId: string, isUnrecovered: boolean): Job => ({
  chatId,
  ticket: null,
  isWantedAgain: false,
  isStopped: false,
  taken: null,
  turn: null,
  endLookUp: null,
  end: null,
  isUnrecovered,
  faults: 0,
});

/** What a stopped turn has written by now, wherever it stands. */
export function writtenBy({ taken, turn, end }: Job): (Written & { replyId: string }) | null {
  if (taken === null) return null;
  if (turn !== null) return { replyId: taken.replyId, ...turn.written() };
  if (end?.how !== 'reply') return null;
  const { content, steps, reasoning = null } = end.final;
  return { replyId: taken.replyId, content, steps, reasoning };
}

/** The reply that an agent is writing now, as far as it has come; null when none is. */
export function replyUnderWay({ taken, turn }: Job): ReplyUnderWay | null {
  return taken === null || turn === null ? null : { replyId: taken.replyId, ...turn.written() };
}

/** A reply that an agent is writing. */
export interface ReplyUnderWay extends GrowingReply {
  replyId: string;
}

/** Does turns. */
export interface TurnWorker {
  /**
   * Does one turn of the chat, or what is left of one whose end couldn't be stored; true when the chat has more to do.
   * Rejects when the store does; the job then knows where to go on.
   */
  doTurn(job: Job): Promise<boolean>;
  /** Stores how a job's turn ended, if it ended and that isn't on disk; true when the chat has more to do. */
  storeTurnEnd(taken: TakenTurn, end: TurnEnd): Promise<boolean>;
}

/** Whom a turn worker tells. */
export interface TurnListeners {
  /** The id of the chat, whenever a reply has grown. */
  onWritten: (chatId: string) => void;
  /** Each reply that is on disk as its turn has ended by itself. */
  onStored: (reply: StoredReply) => void;
}

/** A reply whose turn ended by itself: it was made, or could not be. */
export interface StoredReply {
  chatId: string;
  final: FinalReply;
}

/** A worker that gives turns back instead of beginning them once `isClosed` says so. */
export function createTurnWorker(
  deps: ProcessorDeps,
  isClosed: () => boolean,
  { onWritten, onStored }: TurnListeners,
): TurnWorker {
  const { store, runtime, clock, newId, resolveAccess = builtIn } = deps;
  const now = (): string => clock().toISOString();
  const turnTimeoutMs = (): number => {
    const timeout = deps.turnTimeoutMs ?? DEFAULT_TURN_TIMEOUT_MS;
    return typeof timeout === 'number' ? timeout : timeout();
  };

  async function doTurn(job: Job): Promise<boolean> {
    if (job.isUnrecovered) {
      await store.write((writer) => recoverChat(writer, job.chatId, now()));
      job.isUnrecovered = false;
    }
    if (job.taken === null || job.end === null) {
      job.isStopped = false;
      const taken = await store.write((writer) => takeTurn(writer, job.chatId, newId(), now()));
      if (taken === null) return false;
      job.taken = taken;
      job.end = await makeReply(job, taken);
    }
    const hasMore = await storeTurnEnd(job.taken, job.end);
    job.taken = null;
    job.end = null;
    return hasMore;
  }

  /** Why the agent is not to begin; null when it is. */
  function endedBefore(job: Job): TurnEnd | null {
    if (job.isStopped) return { how: 'stopped' };
    return isClosed() ? { how: 'released' } : null;
  }

  async function makeReply(job: Job, taken: TakenTurn): Promise<TurnEnd> {
    const endedFirst = endedBefore(job);
    if (endedFirst !== null) return endedFirst;
    const { chat, message } = taken;
    const found = await resolveInTime({
      resolve: () => resolveAccess(chat.model),
      timeoutMs: turnTimeoutMs(),
      onCancel: (cancel) => (job.endLookUp = cancel),
    });
    job.endLookUp = null;
    const endedMeanwhile = endedBefore(job);
    if (endedMeanwhile !== null) return endedMeanwhile;
    if (found.kind === 'refused') {
      const { code, message: words } = found;
      return {
        how: 'reply',
        final: failedReply({ content: '', steps: [] }, { code, message: words }),
      };
    }
    const request = {
      turnId: `${message.id}.${taken.attempt}`,
      chatId: chat.id,
      workspaceId: chat.workspaceId,
      agentType: chat.agentType,
      ...store.read((reader) => readAgent(reader, chat)),
      mode: message.mode ?? 'agent',
      model: chat.model,
      access: found.kind === 'connected' ? found.access : null,
      ...(chat.model === REHEARSAL_MODEL_NAME && store.read((reader) => readCue(reader, taken))),
      messages: store.read((reader) => readHistory(reader, taken)),
      now: now(),
      timeZone: typeof deps.timeZone === 'string' ? deps.timeZone : deps.timeZone(),
    };
    const workspace = createWorkspacePort({
      store,
      search: deps.search,
      clock,
      newId,
      workspaceId: chat.workspaceId,
      chatId: chat.id,
      fromSeq: message.seq,
    });
    const saver = createReplySaver(taken.replyId);
    job.turn = startTurn({
      runtime,
      request,
      workspace,
      timeoutMs: turnTimeoutMs(),
      save: (written) => store.write((writer) => saveProgress(writer, taken, saver, written, now())),
      onWritten: () => onWritten(chat.id),
      onError: (error) => deps.onError?.(error, chat.id),
    });
    const end = await job.turn.end;
    job.turn = null;
    return end;
  }

  /** Stores how a turn ended; true when the chat has more to do. */
  async function storeTurnEnd(taken: TakenTurn, end: TurnEnd): Promise<boolean> {
    const chatId = taken.chat.id;
    if (end.how === 'released') {
      await store.write((writer) => releaseTurn(writer, taken, now()));
      return true;
    }
    if (end.how === 'reply') {
      const stored = store.write((writer) => storeEnd(writer, taken, end.final, now()));
      // Made in memory right after the reply, without waiting for its sync; the disk keeps them in this order.
      const followedUp = store.write((writer) => finishFollowUp(writer, chatId, now()));
      const [isStored, hasMore] = await settleBoth(stored, followedUp);
      if (isStored) {
        onStored({ chatId, final: end.final });
        return hasMore;
      }
    }
    // Somebody else ended the turn. The rows say what is left: also when the disk lost that end, and it goes on.
    return store.read((reader) => hasWork(reader, chatId));
  }

  return { doTurn, storeTurnEnd };
}

/** Both results; rejects with the first's error, or else the second's, when both are settled. */
async function settleBoth<A, B>(one: Promise<A>, other: Promise<B>): Promise<[A, B]> {
  await Promise.allSettled([one, other]);
  return Promise.all([one, other]);
}
