/**
 * Who may send now. While fewer than a thousand messages wait, everybody may. Beyond that turns come first: sends wait a moment at
 * the door, before anything of them is read, and are let in as messages are answered; those for a workspace in which a thousand wait
 * are turned away there, a few at a time. That keeps clients that repeat without pause from taking the time in which their messages
 * would be answered.
 */
import { MAX_WAITING_MESSAGES } from '../../shared/limits.ts';
import { AppError } from '../errors.ts';
import type { Processor } from '../turns/processor.ts';
import { countWaiting, countWaitingIn } from '../store/message-repository.ts';
import type { Reader, Store } from '../store/types.ts';

/** Lets sends in. */
export interface Admission {
  /**
   * Resolves when a send to a chat may go on; `workspaceOf` looks up its workspace, null: it has none that could be full.
   * Rejects with AppError `queue_full`.
   */
  admit(workspaceOf: () => string | null): Promise<void>;
  /** Notes one more message, in the transaction that adds it; throws AppError `queue_full` when too many wait in the workspace. */
  add(reader: Reader, workspaceId: string): void;
  /** Transactions were lost: what was noted is no longer so. */
  forget(): void;
}

/** How often the door opens, in milliseconds. */
const DOOR_MS = 25;
/** So many are let in at least each time, and so large a share of those who stand there: nobody does for much more than a second. */
const LET_IN_AT_LEAST = 4;
const LET_IN_SHARE = 1 / 40;
/** What `Retry-After` says at most, in seconds. */
const MAX_RETRY_SECONDS = 60;

/** What waits in a workspace. */
interface Waiting {
  /** Never fewer than there are: an exact count, and each send since. */
  messages: number;
  /** In how many chats, when that was counted. */
  chats: number;
  /** How many sends were refused since there was room. */
  refused: number;
}

/** Admission to the chats of a store. */
export function createAdmission(
  store: Pick<Store, 'read'>,
  processor: Pick<Processor, 'msUntilTurn'>,
): Admission {
  /** Of all workspaces, counted as in {@link Waiting}. */
  let inAll = MAX_WAITING_MESSAGES;
  let countedAt = -Infinity;
  const inWorkspaces = new Map<string, Waiting>();
  const atDoor: (() => void)[] = [];
  let doorTimer: NodeJS.Timeout | undefined;

  const isFull = ({ messages }: Waiting): boolean => messages >= MAX_WAITING_MESSAGES;

  function count(reader: Reader, workspaceId: string): Waiting {
    const waiting = { ...countWaitingIn(reader, workspaceId), refused: 0 };
    if (isFull(waiting)) waiting.refused = inWorkspaces.get(workspaceId)?.refused ?? 0;
    inWorkspaces.set(workspaceId, waiting);
    return waiting;
  }

  function countAll(reader: Reader): void {
    inAll = countWaiting(reader, MAX_WAITING_MESSAGES);
    countedAt = performance.now();
  }

  /** Whether sends have to stand at the door. */
  function isCrowded(): boolean {
    if (doorTimer !== undefined) return true;
    if (inAll >= MAX_WAITING_MESSAGES && performance.now() - countedAt > DOOR_MS) store.read(countAll);
    return inAll >= MAX_WAITING_MESSAGES;
  }

  const standAtDoor = (): Promise<void> =>
    new Promise((resolve) => {
      atDoor.push(resolve);
      doorTimer ??= setTimeout(openDoor, DOOR_MS);
    });

  function openDoor(): void {
    doorTimer = undefined;
    try {
      store.read((reader) => {
        countAll(reader);
        for (const [workspaceId, waiting] of inWorkspaces) if (isFull(waiting)) count(reader, workspaceId);
      });
    } catch {
      // Those who are let in find out by themselves how the store stands.
      forget();
    }
    const room = MAX_WAITING_MESSAGES - inAll;
    const most = Math.max(room, LET_IN_AT_LEAST, Math.ceil(atDoor.length * LET_IN_SHARE));
    for (const letIn of atDoor.splice(0, most)) letIn();
    if (atDoor.length > 0) doorTimer = setTimeout(openDoor, DOOR_MS);
  }

  function refusal(waiting: Waiting): AppError {
    waiting.refused += 1;
    const seconds = Math.ceil((waiting.refused * processor.msUntilTurn(waiting.chats)) / 1000);
    const retryAfterSeconds = Math.min(Math.max(1, seconds), MAX_RETRY_SECONDS);
    return new AppError('queue_full', undefined, { retryAfterSeconds });
  }

  function forget(): void {
    inAll = MAX_WAITING_MESSAGES;
    countedAt = -Infinity;
    inWorkspaces.clear();
  }

  return {
    async admit(workspaceOf) {
      if (!isCrowded()) return;
      await standAtDoor();
      const workspaceId = workspaceOf();
      const waiting = workspaceId === null ? undefined : inWorkspaces.get(workspaceId);
      if (waiting !== undefined && isFull(waiting)) throw refusal(waiting);
    },
    add(reader, workspaceId) {
      let waiting = inWorkspaces.get(workspaceId);
      if (waiting === undefined || isFull(waiting)) waiting = count(reader, workspaceId);
      if (isFull(waiting)) throw refusal(waiting);
      waiting.messages += 1;
      inAll += 1;
    },
    forget,
  };
}
