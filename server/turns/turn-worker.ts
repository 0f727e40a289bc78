/** One chat's turn, from taking the message to having its reply on disk. */
import {
  hasWork,
  recoverChat,
  finishFollowUp,
  releaseTurn,
  storeEnd,
  takeTurn,
  type TakenTurn,
} from './chat-rows.ts';
import type { Step } from '../../shared/api/message.ts';
import { NO_GROWTH } from '../../shared/growth.ts';
import type { FinalReply } from '../store/message-repository.ts';
import type { ResolveAccess } from '../connections/access.ts';
import type { ModelAccess } from '../connections/model-access.ts';
import type { LiveReplies } from './live-replies.ts';
import { createFollowUps, type FollowUp } from './follow-up.ts';
import type { Job } from './job.ts';
import type { ProcessorDeps } from './processor-deps.ts';
import { resolveInTime } from './resolve-in-time.ts';
import { failedEnd, type TurnEnd } from './running-turn.ts';
import { createTurnStarter } from './turn-starter.ts';

const builtIn: ResolveAccess = () => Promise.resolve({ kind: 'built_in' });

/** Does turns. */
export interface TurnWorker {
  /**
   * Does one turn of the chat, or what is left of one whose end couldn't be stored; true when the chat has more to do.
   * Rejects when the store does; the job then knows where to go on.
   */
  doTurn(job: Job): Promise<boolean>;
  /** Stores how a job's turn ended; true when the chat has more to do. */
  storeTurnEnd(job: Job, taken: TakenTurn, end: TurnEnd): Promise<boolean>;
}

/** Whom a turn worker tells. */
export interface TurnListeners {
  /** Where replies stand while they are written. */
  live: LiveReplies;
  /** Each reply that is on disk as its turn has ended by itself. */
  onStored: (reply: StoredReply) => void;
  /** A chat's steps that wait for a person, whenever which do has changed. */
  onAsking: (chatId: string, waiting: readonly Step[]) => void;
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
  { live, onStored, onAsking }: TurnListeners,
): TurnWorker {
  const { store, clock, newId, resolveAccess = builtIn } = deps;
  const followUps = createFollowUps(deps);
  const now = (): string => clock().toISOString();
  const starter = createTurnStarter(deps, { live, onAsking });

  async function doTurn(job: Job): Promise<boolean> {
    if (job.isUnrecovered) {
      await store.write((writer) => recoverChat(writer, job.chatId, now()));
      job.isUnrecovered = false;
    }
    if (job.taken === null || job.end === null) {
      job.ending = new AbortController();
      const taken = await store.write((writer) => takeTurn(writer, job.chatId, newId(), now()));
      if (taken === null) {
        job.isAlone = false;
        return false;
      }
      job.taken = taken;
      job.end = await makeReply(job, taken);
    }
    const hasMore = await storeTurnEnd(job, job.taken, job.end);
    job.taken = null;
    job.end = null;
    return hasMore;
  }

  async function makeReply(job: Job, taken: TakenTurn): Promise<TurnEnd> {
    if (isClosed()) return { how: 'released' };
    const { signal } = job.ending;
    try {
      signal.throwIfAborted();
      const found = await resolveInTime(resolveAccess(taken.chat.model), starter.timeoutMs(), signal);
      if (found.kind === 'refused') return failedEnd(NO_GROWTH, found.code, found.message);
      if (found.kind === 'built_in') return await runAgent(job, taken, null);
      const { access } = found;
      await makeShorter(job, followUps.makeRoom(taken, access, signal));
      const end = await runAgent(job, taken, access);
      if (!isTooLong(end)) return end;
      const isShorter = await makeShorter(job, followUps.shorten(taken, access, signal));
      return isShorter === true ? await runAgent(job, taken, access) : end;
    } catch (error) {
      if (!signal.aborted) throw error;
      return { how: signal.reason as 'stopped' | 'released' };
    }
  }

  /** What summarising comes to; null when it failed, which ends no turn. Rejects when the turn was ended. */
  async function makeShorter<T>({ ending: { signal }, chatId }: Job, work: Promise<T>): Promise<T | null> {
    const done = await work.catch((error: unknown) => {
      if (!signal.aborted) deps.onError?.(error, chatId);
      return null;
    });
    signal.throwIfAborted();
    return done;
  }

  async function runAgent(job: Job, taken: TakenTurn, access: ModelAccess | null): Promise<TurnEnd> {
    const how = { alone: job.isAlone, signal: job.ending.signal };
    const { end, reply } = await starter.start(taken, access, how);
    job.reply = reply;
    try {
      return await end;
    } finally {
      job.reply = null;
    }
  }

  async function storeTurnEnd(job: Job, taken: TakenTurn, end: TurnEnd): Promise<boolean> {
    const chatId = taken.chat.id;
    job.isAlone = end.how === 'thread lost';
    if (end.how === 'released' || end.how === 'thread lost') {
      await store.write((writer) => releaseTurn(writer, taken, now()));
      return true;
    }
    if (end.how === 'reply') {
      const stored = store.write((writer) => storeEnd(writer, taken, end.final, now()));
      const work = isClosed() ? null : followUps.plan(taken, end.final);
      if (work !== null) return followUp(job, { taken, final: end.final, work, stored });
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

  /** Does the work after a reply once that is on disk; true when the chat has more to do. */
  async function followUp(job: Job, { taken, final, work, stored }: FollowedReply): Promise<boolean> {
    const chatId = taken.chat.id;
    const controller = new AbortController();
    // From here on, since a message may come while the reply is being written to disk.
    job.endFollowUp = () => controller.abort();
    try {
      if (!(await stored)) return store.read((reader) => hasWork(reader, chatId));
      onStored({ chatId, final });
      await followUps.run(taken, final, work, controller.signal);
    } finally {
      job.endFollowUp = null;
    }
    return store.write((writer) => finishFollowUp(writer, chatId, now()));
  }

  return { doTurn, storeTurnEnd };
}

/** A reply, and what is to be done after it. */
interface FollowedReply {
  taken: TakenTurn;
  final: FinalReply;
  work: FollowUp;
  /** Resolves once the reply is on disk; false: somebody else ended the turn. */
  stored: Promise<boolean>;
}

/** Whether the model refused the conversation for its length, and nothing was written. */
const isTooLong = (end: TurnEnd): boolean =>
  end.how === 'reply' &&
  end.final.error?.code === 'context_too_long' &&
  end.final.content === '' &&
  end.final.steps.length === 0;

/** Both results; rejects with the first's error, or else the second's, when both are settled. */
async function settleBoth<A, B>(one: Promise<A>, other: Promise<B>): Promise<[A, B]> {
  await Promise.allSettled([one, other]);
  return Promise.all([one, other]);
}
