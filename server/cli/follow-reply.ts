import { setTimeout as sleep } from 'node:timers/promises';
import { EventSourceParserStream } from 'eventsource-parser/stream';
import type { Chat } from '../../shared/api/chat.ts';
import type { Message } from '../../shared/api/message.ts';
import type { MessageList } from '../../shared/api/message-requests.ts';
import type { ConversationEvent } from '../../shared/api/event.ts';
import { isUnfinished, isUnsettled } from '../../shared/choices.ts';
import type { Client } from './client.ts';
import { CommandError } from './exit-codes.ts';
import { chatPath, shortId } from './find-chat.ts';
import { NoServiceError } from './find-service.ts';

/** The state of a reply. */
export interface ReplyState {
  chat: Chat;
  /** Null: not started yet. */
  reply: Message | null;
}

/** How long to keep reopening a broken stream: a restarted service continues its replies. */
const RETRY_MS = 20_000;
const RETRY_EVERY_MS = 500;
const GONE = 'The message was deleted or edited elsewhere, so there is no reply.';

/**
 * Follows the reply to a message in the chat's event stream and resolves with it when it is final. `onChange` is called
 * whenever anything changes. Throws CommandError when the reply can't come any more, or can't be followed.
 */
export async function followReply(
  client: Client,
  chat: Chat,
  messageId: string,
  onChange: (state: ReplyState) => void,
): Promise<Message> {
  const state: ReplyState = { chat, reply: null };
  let brokenSince: number | null = null;
  for (;;) {
    try {
      const answer = await client.request('GET', chatPath(chat.id, '/events'));
      brokenSince = null;
      if (answer.body === null) throw new Error('There is no stream.');
      const events = answer.body
        .pipeThrough(new TextDecoderStream())
        .pipeThrough(new EventSourceParserStream());
      for await (const { event: type, data } of events) {
        const event = { ...(JSON.parse(data) as object), type } as ConversationEvent;
        if (event.type === 'gone') throw new CommandError('The chat was deleted.');
        if (event.type === 'sync' && event.messages.every(({ id }) => id !== messageId))
          throw new CommandError(GONE);
        apply(state, event, messageId);
        onChange(state);
        if (isFinal(state.reply)) return state.reply;
        if (!isUnsettled(state.chat.status)) {
          const reply = await findReply(client, chat.id, messageId);
          if (isFinal(reply)) return reply;
          throw new CommandError(GONE);
        }
      }
    } catch (error) {
      if (error instanceof CommandError && !(error instanceof NoServiceError)) throw error;
    }
    brokenSince ??= performance.now();
    if (performance.now() - brokenSince > RETRY_MS) {
      throw new NoServiceError(
        `The connection to Parley was lost. The reply continues when Parley runs again; then see it with: parley show ${shortId(chat.id)}`,
      );
    }
    await sleep(RETRY_EVERY_MS);
  }
}

const isFinal = (reply: Message | null): reply is Message => reply !== null && !isUnfinished(reply.status);

async function findReply(client: Client, chatId: string, messageId: string): Promise<Message | null> {
  const { messages } = await client.get<MessageList>(chatPath(chatId, '/messages'));
  return messages.find(({ replyTo }) => replyTo === messageId) ?? null;
}

function apply(state: ReplyState, event: ConversationEvent, messageId: string): void {
  if ('chat' in event) state.chat = event.chat;
  const changedMessages =
    event.type === 'sync' ? event.messages : event.type === 'message' ? [event.message] : [];
  state.reply = changedMessages.find(({ replyTo }) => replyTo === messageId) ?? state.reply;
  if ((event.type === 'delta' || event.type === 'reasoning') && event.messageId === state.reply?.id) {
    const field = event.type === 'delta' ? 'content' : 'reasoning';
    const before = (state.reply[field] ?? '').slice(0, event.offset);
    state.reply = { ...state.reply, [field]: before + event.text };
  }
}
