/**
 * The only module where the service's events become messages, whether the chat was just opened, is running or was just sent a
 * message. Objects that an event doesn't change keep their identity.
 */
import type { Chat } from '../../shared/api/chat.ts';
import type { Message } from '../../shared/api/message.ts';
import type { ConversationEvent, DeltaEvent, ReasoningEvent } from '../../shared/api/event.ts';
import { keepSame } from '../lib/keep-same.ts';

/** What is loaded of a chat. */
export interface ConversationState {
  /** Null: nothing is loaded yet. */
  chat: Chat | null;
  /** In the service's order. */
  messages: readonly Message[];
  /** The chat was deleted, or moved to another workspace: nothing of it is shown. */
  isGone: boolean;
}

/** Nothing is loaded yet. */
export const NOTHING_KNOWN: ConversationState = { chat: null, messages: [], isGone: false };

/** The state after the event; the same object when nothing has changed. */
export function reduceConversation(state: ConversationState, event: ConversationEvent): ConversationState {
  switch (event.type) {
    case 'sync': {
      const listed = event.whole ? event.messages : withEnd(state.messages, event.messages);
      return keepSame(state, { chat: event.chat, messages: keepById(state.messages, listed), isGone: false });
    }
    case 'chat':
      return keepSame(state, { ...state, chat: event.chat });
    case 'message':
      return withMessages(state, withMessage(state.messages, event.message));
    case 'delta':
      return withMessages(state, grown(state.messages, event, 'content'));
    case 'reasoning':
      return withMessages(state, grown(state.messages, event, 'reasoning'));
    case 'gone':
      return keepSame(state, { ...NOTHING_KNOWN, isGone: true });
  }
}

const withMessages = (state: ConversationState, messages: readonly Message[]): ConversationState =>
  messages === state.messages ? state : { ...state, messages };

/** The new list, reusing the old list's objects for unchanged messages. */
function keepById(before: readonly Message[], now: readonly Message[]): readonly Message[] {
  const known = new Map(before.map((message) => [message.id, message]));
  return now.map((message) => keepSame(known.get(message.id), message));
}

/** The list with another end: `end` replaces everything from its first known message on. */
function withEnd(messages: readonly Message[], end: readonly Message[]): readonly Message[] {
  const ids = new Set(end.map(({ id }) => id));
  const from = messages.findIndex(({ id }) => ids.has(id));
  return [...(from === -1 ? messages : messages.slice(0, from)), ...end];
}

function withMessage(messages: readonly Message[], message: Message): readonly Message[] {
  const index = messages.findLastIndex(({ id }) => id === message.id);
  const old = messages[index];
  if (old === undefined) return [...messages, message];
  const kept = keepSame(old, message);
  return kept === old ? messages : messages.with(index, kept);
}

function grown(
  messages: readonly Message[],
  { messageId, offset, text }: DeltaEvent | ReasoningEvent,
  field: 'content' | 'reasoning',
): readonly Message[] {
  const index = messages.findLastIndex(({ id }) => id === messageId);
  const old = messages[index];
  const before = old?.[field] ?? '';
  // A stream that was read from its start never skips text.
  if (old === undefined || offset > before.length || text === '') return messages;
  return messages.with(index, { ...old, [field]: before.slice(0, offset) + text });
}
