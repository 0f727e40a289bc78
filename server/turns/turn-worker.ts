/** One turn of a chat, from taking the message to the reply on disk. */
import { NO_GROWTH } from '../../shared/growth.ts';
import type { ModelAccess } from '../connections/model-access.ts';
import type { FinalReply } from '../store/message-repository.ts';
import { finishFollowUp, hasWork, releaseTurn, storeEnd, takeTurn, type TakenTurn } from './chat-rows.ts';
import { followUp, makeRoom, planFollowUp, type FollowUpDeps } from './follow-up.ts';
import { resolveInTime } from './read-turn.ts';
import { failedEnd, type TurnEnd } from './running-turn.ts';
import { createTurnStarter, type TurnListeners, type TurnStarterDeps } from './turn-starter.ts';
import type { Queued, TurnQueue } from './turn-queue.ts';

/** A chat that is queued or running. */
export interface Job extends Queued {
  /** Whether something new arrived while it was running. */
  isWantedAgain: boolean;
  taken: TakenTurn | null;
  /** Ends the attempt, before or while an agent works on it. */
  ending: AbortController;
  /** Ends the work after a reply; null while there is none. */
  endFollowUp: (() => void) | null;
  /** How the turn ended, until that is on disk. */
  end: TurnEnd | null;
  /** Why its rows can't be used, for its reply. */
  isGivenUp: boolean;
}

/** Dependencies of a turn worker. */
export interface TurnWorkerDeps extends TurnStarterDeps, FollowUpDeps {}

/** Callbacks of a turn worker. */
export interface WorkerListeners extends TurnListeners {
  /** Whether turns are released instead of started. */
  isClosed: () => boolean;
  /** Runs a turn that has lost its thread again, alone; see TurnQueue. */
  alone: TurnQueue<Job>['alone'];
  /** Called with each reply whose turn ended by itself, once it is on disk. */
  onStored: (reply: StoredReply) => void;
}

/** A reply whose turn ended by itself, complete or failed. */
export interface StoredReply {
  chatId: string;
  final: FinalReply;
}

/** How often a turn may lose its thread to others before it gets one of its own. */
const MOST_LOSSES = 3;

/**
 * Does turns. `doTurn` does one turn of the chat, or what is left of one whose end couldn't be stored; true when the chat has more
 * to do. It rejects when the store does; the job then knows where to go on.
 */
export function createTurnWorker(
  deps: TurnWorkerDeps,
  listeners: WorkerListeners,
): { doTurn(job: Job): Promise<boolean> } {
  const { store, clock, newId } = deps;
  const { isClosed, alone, onStored } = listeners;
  const startTurn = createTurnStarter(deps, listeners);
  const now = (): string => clock().toISOString();

  async function doTurn(job: Job): Promise<boolean> {
    let { taken, end } = job;
    if (taken === null || end === null) {
      job.ending = new AbortController();
      // Set within the transaction, since a stop of Parley releases what is taken.
      taken = await store.write((writer) => (job.taken = takeTurn(writer, job.chatId, newId(), now())));
      if (taken === null) return false;
      end = job.end = await makeReply(job, taken);
    }
    const hasMore = await storeTurnEnd(job, taken, end);
    job.taken = null;
    job.end = null;
    return hasMore;
  }

  async function makeReply(job: Job, taken: TakenTurn): Promise<TurnEnd> {
    if (isClosed()) return { how: 'ended' };
    const { signal } = job.ending;
    const run = async (access: ModelAccess | null): Promise<TurnEnd> => {
      for (let losses = 0; losses < MOST_LOSSES; losses += 1) {
        const end = await startTurn(taken, access, { alone: false, signal });
        if (end.how !== 'thread lost') return end;
        if (end.isSuspect) break;
      }
      return alone(job, signal, () => startTurn(taken, access, { alone: true, signal }));
    };
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
      return { how: 'ended' };
    }
  }

  async function storeTurnEnd(job: Job, taken: TakenTurn, end: TurnEnd): Promise<boolean> {
    const chatId = taken.chat.id;
    if (end.how === 'reply') {
      const { final } = end;
      const ending = new AbortController();
      // From here on, because a message may arrive while the reply is written to disk.
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
    // Parley is stopping: the processor has released it.
    if (isClosed()) return false;
    // Somebody else has ended the turn, unless the disk lost that end.
    await store.write((writer) => releaseTurn(writer, taken, now()));
    return store.read((reader) => hasWork(reader, chatId));
  }

  return { doTurn };
}

/** Whether the model refused the conversation as too long, with nothing written. */
const isTooLong = (end: TurnEnd): boolean =>
  end.how === 'reply' &&
  end.final.error?.code === 'context_too_long' &&
  end.final.content === '' &&
  end.final.steps.length === 0;
