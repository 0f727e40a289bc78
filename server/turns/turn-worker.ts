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
import { failedReply } from './final-reply.ts';
import { createFollowUps, type FollowUp } from './follow-up.ts';
import type { Job } from './job.ts';
import type { ProcessorDeps } from './processor-deps.ts';
import { resolveInTime } from './resolve-in-time.ts';
import type { TurnEnd } from './running-turn.ts';
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
      job.isStopped = false;
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

  /** Why the agent is not to begin; null when it is. */
  function endedBefore(job: Job): TurnEnd | null {
    if (job.isStopped) return { how: 'stopped' };
    return isClosed() ? { how: 'released' } : null;
  }

  async function makeReply(job: Job, taken: TakenTurn): Promise<TurnEnd> {
    const endedFirst = endedBefore(job);
    if (endedFirst !== null) return endedFirst;
    const { chat } = taken;
    const found = await resolveInTime({
      resolve: () => resolveAccess(chat.model),
      timeoutMs: starter.timeoutMs(),
      onCancel: (cancel) => (job.endLookUp = cancel),
    });
    job.endLookUp = null;
    const endedMeanwhile = endedBefore(job);
    if (endedMeanwhile !== null) return endedMeanwhile;
    if (found.kind === 'refused') {
      const { code, message: words } = found;
      return {
        how: 'reply',
        final: failedReply(NO_GROWTH, { code, message: words }),
      };
    }
    if (found.kind === 'built_in') return runAgent(job, taken, null);
    const { access } = found;
    await beforehand(job, (signal) => followUps.makeRoom(taken, access, signal));
    const end = endedBefore(job) ?? (await runAgent(job, taken, access));
    if (!isTooLong(end)) return end;
    const isShorter = await beforehand(job, (signal) => followUps.shorten(taken, access, signal));
    return endedBefore(job) ?? (isShorter === true ? runAgent(job, taken, access) : end);
  }

  /** Does something that a stop ends before the agent begins; null when it was ended, or failed. */
  async function beforehand<T>(job: Job, work: (signal: AbortSignal) => Promise<T>): Promise<T | null> {
    const controller = new AbortController();
    job.endLookUp = () => controller.abort();
    try {
      return await work(controller.signal);
    } catch (error) {
      if (!controller.signal.aborted) deps.onError?.(error, job.chatId);
      return null;
    } finally {
      job.endLookUp = null;
    }
  }

  async function runAgent(job: Job, taken: TakenTurn, access: ModelAccess | null): Promise<TurnEnd> {
    const ending = new AbortController();
    job.endLookUp = () => ending.abort();
    const begin = await starter.prepare(taken, access, { alone: job.isAlone, signal: ending.signal });
    job.endLookUp = null;
    const endedMeanwhile = endedBefore(job);
    if (endedMeanwhile !== null) return endedMeanwhile;
    job.turn = begin();
    const end = await job.turn.end;
    job.turn = null;
    return end;
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
