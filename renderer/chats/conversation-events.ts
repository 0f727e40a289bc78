/**
 * From what the service tells of a chat to what is known of it. The one place where events become messages, whether the
 * chat was just opened, is running or was just sent to. What an event leaves as it was keeps its identity.
 */
import type { Chat } from '../../shared/api/chat.ts';
import type { Message } from '../../shared/api/message.ts';
import type { ConversationEvent, DeltaEvent, ReasoningEvent } from '../../shared/events.ts';

/** What is known of a chat. */
export interface ConversationState {
  /** Null: nothing is known yet. */
  chat: Chat | null;
  /** As the service lists them. */
  messages: readonly Message[];
  /** The chat was deleted. */
  isGone: boolean;
}

/** Nothing is known yet. */
export const NOTHING_KNOWN: ConversationState = { chat: null, messages: [], isGone: false };

/** The state after the event; the very same when nothing has changed. */
export function reduceConversation(state: ConversationState, event: ConversationEvent): ConversationState {
  switch (event.type) {
    case 'sync': {
      const listed = event.whole
        ? keepIdentities(state.messages, event.messages)
        : withEnd(state.messages, event.messages);
      return withChat({ ...state, messages: listed, isGone: false }, event.chat, state);
    }
    case 'chat':
      return withChat(state, event.chat, state);
    case 'message':
      return withMessages(state, withMessage(state.messages, event.message));
    case 'delta':
      return withMessages(state, grown(state.messages, event, 'content'));
    case 'reasoning':
      return withMessages(state, grown(state.messages, event, 'reasoning'));
    case 'gone':
      return state.isGone ? state : { ...state, isGone: true };
  }
}

function withChat(state: ConversationState, chat: Chat, before: ConversationState): ConversationState {
  const next = { ...state, chat: before.chat !== null && isSame(before.chat, chat) ? before.chat : chat };
  const isUnchanged =
    next.chat === before.chat && next.messages === before.messages && next.isGone === before.isGone;
  return isUnchanged ? before : next;
}

const withMessages = (state: ConversationState, messages: readonly Message[]): ConversationState =>
  messages === state.messages ? state : { ...state, messages };

/** The new list, with the objects of the old one for messages that are still the same. */
function keepIdentities(before: readonly Message[], now: readonly Message[]): readonly Message[] {
  const known = new Map(before.map((message) => [message.id, message]));
  const kept = now.map((message) => {
    const old = known.get(message.id);
    return old !== undefined && isSame(old, message) ? old : message;
  });
  const isUnchanged =
    kept.length === before.length && kept.every((message, index) => message === before[index]);
  return isUnchanged ? before : kept;
}

/** The list with another end: `end` takes the place of all from the first message in it that is known. */
function withEnd(messages: readonly Message[], end: readonly Message[]): readonly Message[] {
  const ids = new Set(end.map(({ id }) => id));
  const from = messages.findIndex(({ id }) => ids.has(id));
  return keepIdentities(messages, [...(from === -1 ? messages : messages.slice(0, from)), ...end]);
}

function withMessage(messages: readonly Message[], message: Message): readonly Message[] {
  const index = messages.findLastIndex(({ id }) => id === message.id);
  const old = messages[index];
  if (old === undefined) return [...messages, message];
  return isSame(old, message) ? messages : messages.with(index, message);
}

function grown(
  messages: readonly Message[],
  { messageId, offset, text }: DeltaEvent | ReasoningEvent,
  field: 'content' | 'reasoning',
): readonly Message[] {
  const index = messages.findLastIndex(({ id }) => id === messageId);
  const old = messages[index];
  const before = old?.[field] ?? '';
  // Text that would leave a gap can't be told by a stream that was read from its start.
  if (old === undefined || offset > before.length || text === '') return messages;
  return messages.with(index, { ...old, [field]: before.slice(0, offset) + text });
}

/** Whether two answers of the service say the same, whatever the order they say it in. */
function isSame(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every(
      (name) =>
        Object.hasOwn(other, name) &&
        isSame((one as Record<string, unknown>)[name], (other as Record<string, unknown>)[name]),
    )
  );
}
