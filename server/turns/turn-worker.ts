/** One chat's turn, from taking the message to having its reply on disk. */
import { NO_GROWTH } from '../../shared/growth.ts';
import type { ModelAccess } from '../connections/model-access.ts';
import type { FinalReply } from '../store/message-repository.ts';
import { finishFollowUp, hasWork, releaseTurn, storeEnd, takeTurn, type TakenTurn } from './chat-rows.ts';
import { followUp, makeRoom, planFollowUp, type FollowUpDeps } from './follow-up.ts';
import { resolveInTime } from './read-turn.ts';
import { failedEnd, type TurnEnd } from './running-turn.ts';
import { createTurnStarter, type TurnListeners, type TurnStarterDeps } from './turn-starter.ts';
import type { Queued } from './turn-queue.ts';

/** A chat that stands in the queue or is being worked on. */
export interface Job extends Queued {
  readonly chatId: string;
  /** Something came up while it was being worked on. */
  isWantedAgain: boolean;
  taken: TakenTurn | null;
  /** Ends the try at the turn, before or while an agent works on it; `stopped` or `released` is the reason. */
  ending: AbortController;
  /** Ends the work after a reply; null while there is none. */
  endFollowUp: (() => void) | null;
  /** How the turn ended, until that is on disk. */
  end: TurnEnd | null;
  /** Its rows can't be worked with, which its reply is to say. */
  isGivenUp: boolean;
}

/** What turns are done with. */
export interface TurnWorkerDeps extends TurnStarterDeps, FollowUpDeps {}

/** Whom a turn worker tells. */
export interface WorkerListeners extends TurnListeners {
  /** Whether turns are given back instead of begun. */
  isClosed: () => boolean;
  /** Each reply that is on disk as its turn has ended by itself. */
  onStored: (reply: StoredReply) => void;
}

/** A reply whose turn ended by itself: it was made, or could not be. */
export interface StoredReply {
  chatId: string;
  final: FinalReply;
}

/**
 * Does turns. `doTurn` does one turn of the chat, or what is left of one whose end couldn't be stored; true when the chat has more
 * to do. It rejects when the store does; the job then knows where to go on.
 */
export function createTurnWorker(
  deps: TurnWorkerDeps,
  listeners: WorkerListeners,
): { doTurn(job: Job): Promise<boolean> } {
  const { store, clock, newId } = deps;
  const { isClosed, onStored } = listeners;
  const startTurn = createTurnStarter(deps, listeners);
  const now = (): string => clock().toISOString();

  async function doTurn(job: Job): Promise<boolean> {
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
    const run = (access: ModelAccess | null): Promise<TurnEnd> =>
      startTurn(taken, access, { alone: job.isAlone, signal });
    try {
      signal.throwIfAborted();
      const found = await resolveInTime(deps.resolveAccess(taken.chat.model), deps.turnTimeoutMs(), signal);
      if (found.kind === 'refused') return failedEnd(NO_GROWTH, found.code, found.message);
      if (found.kind === 'built_in') return await run(null);
      const { access } = found;
      await makeRoom(deps, taken, 'no_room', access, signal);
      const end = await run(access);
      if (!isTooLong(end)) return end;
      return (await makeRoom(deps, taken, 'refused', access, signal)) ? await run(access) : end;
    } catch (error) {
      if (!signal.aborted) throw error;
      return { how: signal.reason as 'stopped' | 'released' };
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
      const { final } = end;
      const ending = new AbortController();
      // From here on, since a message may come while the reply is being written to disk.
      job.endFollowUp = () => ending.abort();
      try {
        const stored = await store.write((writer) => {
          if (!storeEnd(writer, taken, final, now())) return null;
          const work = isClosed() ? null : planFollowUp(deps, writer, taken, final);
          return { work, hasMore: work === null && finishFollowUp(writer, chatId, now()) };
        });
        if (stored !== null) {
          onStored({ chatId, final });
          if (stored.work === null) return stored.hasMore;
          await followUp(deps, taken, final, stored.work, ending.signal);
          return await store.write((writer) => finishFollowUp(writer, chatId, now()));
        }
      } finally {
        job.endFollowUp = null;
      }
    }
    // Somebody else ended the turn. The rows say what is left: also when the disk lost that end, and it goes on.
    return store.read((reader) => hasWork(reader, chatId));
  }

  return { doTurn };
}

/** Whether the model refused the conversation for its length, and nothing was written. */
const isTooLong = (end: TurnEnd): boolean =>
  end.how === 'reply' &&
  end.final.error?.code === 'context_too_long' &&
  end.final.content === '' &&
  end.final.steps.length === 0;
