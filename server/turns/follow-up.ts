/**
 * The work after a reply: naming the chat, and summarising it when it gets too long. If that fails, the chat stays as it is.
 * The reply is on disk by then and nobody has to wait: the work ends at once when a message arrives, somebody stops the chat,
 * or the service stops.
 */
import { nameChat, wantsName } from '../agents/name-chat.ts';
import { hasNoRoom, isNearlyFull, summarise, type SummariserDeps } from '../agents/summariser.ts';
import type { ModelAccess } from '../connections/model-access.ts';
import { isModelName } from '../connections/model-names.ts';
import { unlessAborted } from '../lib/unless-aborted.ts';
import { findChat } from '../store/chat-repository.ts';
import { isLongerThan } from '../store/message-json.ts';
import type { FinalReply } from '../store/message-repository.ts';
import { PIECE_BYTES, atOnce, readInSlices } from '../store/pieces.ts';
import { findSummary } from '../store/summary-repository.ts';
import type { Reader } from '../store/types.ts';
import type { TakenTurn } from './rows.ts';
import type { TurnDeps } from './turn.ts';

/** Dependencies. */
export interface FollowUpDeps extends SummariserDeps, Pick<TurnDeps, 'resolveAccess' | 'onError'> {
  /** Whether connected models name chats. */
  nameChats: () => boolean;
}

/** What to do after a reply. */
export interface FollowUp {
  isUnnamed: boolean;
  /** Null: the conversation is long, so this has yet to be found out. */
  isNearlyFull: boolean | null;
}

/** A conversation up to this long is measured in the transaction that stores a reply. */
const SHORT = { rows: 200, bytes: PIECE_BYTES };

/** What to do after this reply, once it is complete and no message waits; null: nothing. */
export function planFollowUp(
  { nameChats }: FollowUpDeps,
  reader: Reader,
  { chat: { id, model } }: TakenTurn,
): FollowUp | null {
  if (isModelName(model)) return null;
  const isLong = isLongerThan(reader, id, findSummary(reader, id)?.uptoSeq ?? 0, SHORT);
  const work = {
    isUnnamed: nameChats() && wantsName(reader, id),
    isNearlyFull: isLong ? null : atOnce(isNearlyFull(reader, id)),
  };
  return work.isUnnamed || work.isNearlyFull !== false ? work : null;
}

/** Does it. Never rejects. */
export async function followUp(
  deps: FollowUpDeps,
  { chat: { id, model }, message }: TakenTurn,
  final: FinalReply,
  work: FollowUp,
  signal: AbortSignal,
): Promise<void> {
  try {
    signal.throwIfAborted();
    const found = await unlessAborted(signal, deps.resolveAccess(model));
    const chat = deps.store.read((reader) => findChat(reader, id));
    // Its model may be another one by now.
    const access = found.kind === 'connected' && chat?.model === model ? found.access : null;
    if (chat === null) return;
    if (work.isUnnamed && access !== null) {
      await nameChat(deps, { chat, question: message.content, reply: final.content }, access, signal);
    }
    if (work.isNearlyFull ?? (await readInSlices(deps.store, (reader) => isNearlyFull(reader, id)))) {
      signal.throwIfAborted();
      await summarise(deps, { chatId: id, reason: 'nearly_full', waiting: null, access, signal });
    }
  } catch (error) {
    if (!signal.aborted) deps.onError(error, id);
  }
}

/**
 * Makes room in the model's context for a turn's message by a summary: before the first attempt if there is none (`no_room`), or after
 * the model refused the conversation as too long (`refused`). True when something was summarised. Rejects when the signal fires.
 */
export async function freeContext(
  deps: FollowUpDeps,
  { chat: { id }, message }: TakenTurn,
  reason: 'no_room' | 'refused',
  access: ModelAccess,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    const isWanted =
      reason === 'refused' || (await readInSlices(deps.store, (reader) => hasNoRoom(reader, id, message)));
    signal.throwIfAborted();
    if (!isWanted) return false;
    return await summarise(deps, { chatId: id, reason, waiting: message, access, signal });
  } catch (error) {
    signal.throwIfAborted();
    deps.onError(error, id);
    return false;
  }
}
