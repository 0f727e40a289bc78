/**
 * Admission of sends: a workspace holds a thousand waiting messages. A further send waits a second, and is refused before its
 * body is read if there is still no room. So clients that retry without pause don't take the time that replies need.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { MAX_WAITING_MESSAGES } from '../../shared/limits.ts';
import { AppError } from '../errors.ts';
import type { Processor } from '../turns/processor.ts';
import { countWaitingIn } from '../store/message-repository.ts';
import type { Reader, Store } from '../store/types.ts';

/** How long a send to a full workspace waits. */
const WAIT_MS = 1_000;
/** How long before a full workspace is counted again. */
const RECOUNT_MS = 25;
/** Maximum `Retry-After`, in seconds. */
const MAX_RETRY_SECONDS = 60;

/** What waits in a workspace. */
interface Waiting {
  /** Never too low: an exact count plus each send since. */
  messages: number;
  countedAt: number;
  /** How many sends were refused since there was room. */
  refused: number;
}

const isFull = ({ messages }: Waiting): boolean => messages >= MAX_WAITING_MESSAGES;

/** Admits sends. */
export type Admission = ReturnType<typeof createAdmission>;

/** Admission to the chats of a store. */
export function createAdmission(store: Pick<Store, 'read'>, processor: Pick<Processor, 'msUntilTurn'>) {
  const inWorkspaces = new Map<string, Waiting>();

  function count(reader: Reader, workspaceId: string): Waiting {
    const counted = {
      messages: countWaitingIn(reader, workspaceId),
      countedAt: performance.now(),
      refused: 0,
    };
    if (isFull(counted)) counted.refused = inWorkspaces.get(workspaceId)?.refused ?? 0;
    inWorkspaces.set(workspaceId, counted);
    return counted;
  }

  function refusal(waiting: Waiting): AppError {
    waiting.refused += 1;
    const seconds = Math.ceil((waiting.refused * processor.msUntilTurn()) / 1000);
    const retryAfterSeconds = Math.min(Math.max(1, seconds), MAX_RETRY_SECONDS);
    return new AppError('queue_full', undefined, { retryAfterSeconds });
  }

  /** What waits there, if that is too much; it is counted anew, unless it was just now. */
  function findFull(workspaceId: string): Waiting | null {
    const known = inWorkspaces.get(workspaceId);
    if (known === undefined || !isFull(known)) return null;
    const isCurrent = performance.now() - known.countedAt < RECOUNT_MS;
    const waiting = isCurrent ? known : store.read((reader) => count(reader, workspaceId));
    return isFull(waiting) ? waiting : null;
  }

  return {
    /**
     * Resolves when a send to a chat may go on; `workspaceOf` looks up its workspace, null: it has none that could be full.
     * Rejects with AppError `queue_full`.
     */
    async admit(workspaceOf: () => string | null): Promise<void> {
      if (![...inWorkspaces.values()].some(isFull)) return;
      const workspaceId = workspaceOf();
      const wanted = workspaceId === null ? [...inWorkspaces.keys()] : [workspaceId];
      if (wanted.every((id) => findFull(id) === null)) return;
      await sleep(WAIT_MS);
      const full = workspaceId === null ? null : findFull(workspaceId);
      if (full !== null) throw refusal(full);
    },
    /** Counts one more message, in the transaction that adds it. Throws AppError `queue_full` if too many wait in the workspace. */
    add(reader: Reader, workspaceId: string): void {
      let waiting = inWorkspaces.get(workspaceId);
      if (waiting === undefined || isFull(waiting)) waiting = count(reader, workspaceId);
      if (isFull(waiting)) throw refusal(waiting);
      waiting.messages += 1;
    },
  };
}
