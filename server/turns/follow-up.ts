/**
 * The work after a reply: naming the chat, and summarising what gets too long. The reply is on disk by then, and nobody has to
 * wait for this: it ends at once when a message comes, somebody stops it or the service does, and what goes wrong in it
 * leaves the chat as it is.
 */
import { createSummariser, type Summariser } from '../agents/summariser.ts';
import { nameChat, wantsName } from '../agents/name-chat.ts';
import type { ModelAccess } from '../connections/model-access.ts';
import { isModelName } from '../connections/model-names.ts';
import { findChat } from '../store/chat-repository.ts';
import { hasWaitingMessage, type FinalReply } from '../store/message-repository.ts';
import { unlessAborted } from '../lib/unless-aborted.ts';
import type { TakenTurn } from './chat-rows.ts';
import type { ProcessorDeps } from './processor-deps.ts';

/** What is to be done after a reply. */
export interface FollowUp {
  isUnnamed: boolean;
  isNearlyFull: boolean;
}

/** Follows replies up. */
export interface FollowUps {
  /** What is to be done after that reply, as the rows are now; null: nothing. */
  plan(taken: TakenTurn, final: FinalReply): FollowUp | null;
  /** Does it. Never rejects. */
  run(taken: TakenTurn, final: FinalReply, work: FollowUp, signal: AbortSignal): Promise<void>;
  /** Makes room for a turn's message, if there is none. Rejects when the signal fires. */
  makeRoom(taken: TakenTurn, access: ModelAccess, signal: AbortSignal): Promise<void>;
  /** As {@link makeRoom}, when the model said that the conversation is too long; false: nothing could be summarised. */
  shorten(taken: TakenTurn, access: ModelAccess, signal: AbortSignal): Promise<boolean>;
}

/** Follow-ups for a processor. */
export function createFollowUps(deps: ProcessorDeps): FollowUps {
  const { store, resolveAccess, nameChats = () => false, onError } = deps;
  const summariser: Summariser = createSummariser(deps);

  function plan({ chat: { id, model } }: TakenTurn, final: FinalReply): FollowUp | null {
    if (isModelName(model) || final.status !== 'complete' || resolveAccess === undefined) return null;
    const isDue = store.read((reader) => {
      const chat = findChat(reader, id);
      return chat?.status === 'completed' && !hasWaitingMessage(reader, chat);
    });
    if (!isDue) return null;
    const isUnnamed = nameChats() && store.read((reader) => wantsName(reader, id));
    const isNearlyFull = summariser.isNearlyFull(id);
    return isUnnamed || isNearlyFull ? { isUnnamed, isNearlyFull } : null;
  }

  async function run(
    { chat: { id, model }, message }: TakenTurn,
    final: FinalReply,
    { isUnnamed, isNearlyFull }: FollowUp,
    signal: AbortSignal,
  ): Promise<void> {
    try {
      signal.throwIfAborted();
      const found = await (resolveAccess && unlessAborted(signal, resolveAccess(model)));
      const chat = store.read((reader) => findChat(reader, id));
      // Its model may be another one by now.
      const access = found?.kind === 'connected' && chat?.model === model ? found.access : null;
      if (chat === null) return;
      if (isUnnamed && access !== null) {
        await nameChat(deps, { chat, question: message.content, reply: final.content }, access, signal);
      }
      if (isNearlyFull) {
        await summariser.summarise({ chatId: id, reason: 'nearly_full', waiting: null, access, signal });
      }
    } catch (error) {
      if (!signal.aborted) onError?.(error, id);
    }
  }

  return {
    plan,
    run,
    async makeRoom({ chat: { id }, message }, access, signal) {
      if (!summariser.hasNoRoom(id, message)) return;
      await summariser.summarise({ chatId: id, reason: 'no_room', waiting: message, access, signal });
    },
    shorten: ({ chat: { id }, message }, access, signal) =>
      summariser.summarise({ chatId: id, reason: 'refused', waiting: message, access, signal }),
  };
}
