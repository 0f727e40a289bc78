/** What was asked for, beside what a stream tells: the same state, from another source, which may be a little behind. */
import type { Chat } from '../../shared/api/chat.ts';
import type { Message } from '../../shared/api/message.ts';
import { reduceConversation, type ConversationState } from './conversation-events.ts';
import { isSettled } from './reading-order.ts';

/** An answer of the service. */
export interface ConversationAnswer {
  chat: Chat;
  /** Null: they weren't asked for, since they are as they were. */
  messages: readonly Message[] | null;
  /** `true`: these are all messages; `false`: those after one that is known. */
  whole: boolean;
}

/** The state after an answer that is as new as anything that is known. */
export function withAnswer(state: ConversationState, answer: ConversationAnswer): ConversationState {
  const { chat, messages, whole } = answer;
  if (messages === null) return reduceConversation(state, { type: 'chat', chat });
  return reduceConversation(state, { type: 'sync', chat, messages: [...messages], whole });
}

/**
 * The state after an answer while a stream is there, which may have told more meanwhile: what the answer adds is taken, and
 * nothing that is known is taken back. The stream tells what has gone.
 */
export function withLateAnswer(state: ConversationState, answer: ConversationAnswer): ConversationState {
  const known = new Map(state.messages.map((message) => [message.id, message]));
  const messages = (answer.messages ?? []).filter((message) => {
    const before = known.get(message.id);
    return before === undefined || !isAhead(before, message);
  });
  let next = state;
  for (const message of messages) next = reduceConversation(next, { type: 'message', message });
  return withChat(next, answer.chat);
}

/** The state with what is said of the chat, unless more recent things are known. */
export function withChat(state: ConversationState, chat: Chat): ConversationState {
  const isNewer = state.chat === null || chat.updatedAt > state.chat.updatedAt;
  return isNewer ? reduceConversation(state, { type: 'chat', chat }) : state;
}

function isAhead(known: Message, told: Message): boolean {
  if (isSettled(known) !== isSettled(told)) return isSettled(known);
  if (isLonger(known.content, told.content)) return true;
  if (known.content !== told.content) return false;
  const before = known.reasoning ?? '';
  const now = told.reasoning ?? '';
  if (before !== now) return isLonger(before, now);
  // A stream tells how steps stand before the row does, and tells it once: a question must not be taken back.
  return !isSettled(known) && (told.steps?.length ?? 0) <= (known.steps?.length ?? 0);
}

/** Whether a text is another one that has grown. */
const isLonger = (text: string, other: string): boolean =>
  text.length > other.length && text.startsWith(other);
