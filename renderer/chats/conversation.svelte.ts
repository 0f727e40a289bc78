import type { Chat } from '../../shared/api/chat.ts';
import type { Message } from '../../shared/api/message.ts';
import type { ConversationEvent } from '../../shared/api/event.ts';
import type { ApiClient } from '../api/client.ts';
import { isWorking } from './chat-status.ts';
import { NOTHING_KNOWN, reduceConversation, type ConversationState } from './conversation-events.ts';
import { NEW_CHAT_KEY } from './kept-drafts.ts';
import { createFrameBatch } from '../lib/frame-batch.ts';
import { findFinished, inReadingOrder } from './reading-order.ts';
import type { WorkspaceStream } from './workspace-stream.ts';

/** An event that arrives this long after an answer is newer, in milliseconds, even if the service's clock was set back meanwhile. */
const HEARD_WITHIN_MS = 10_000;

/** What {@link Conversation} needs of its surroundings. */
export interface ConversationPorts {
  api: Pick<ApiClient, 'stopChat'>;
  /** Where its events come from. */
  stream: Pick<WorkspaceStream, 'check'>;
  /** Called with each fresh state of the chat. */
  onChat(chat: Chat): void;
  /** Called when a reply finished while it was watched. */
  onReply(reply: Message): void;
  /** While true, the service's events aren't shown yet: a message may be both here and there. */
  isHeld(conversationKey: string): boolean;
  /** The key of the draft of a chat that doesn't exist yet; defaults to that of the main window. */
  newDraftKey?: string;
}

/** The open chat, as the workspace's stream reports it. */
export class Conversation {
  /** `false` until the first event; a chat that does not exist yet has nothing to load. */
  loaded = $state(false);
  /** The service doesn't have the chat. */
  missing = $state(false);
  /** The chat's id, or until there is one, a key that the page made up. */
  key = $state('');
  /** Null until the first message has created the chat. */
  chatId = $state<string | null>(null);
  /** Called when a person has sent a message here, also again: they want to see the reply. */
  onSent: () => void = () => undefined;
  #known = $state.raw<ConversationState>(NOTHING_KNOWN);
  /** The state when events were last shown. */
  #shown = $state.raw<ConversationState>(NOTHING_KNOWN);
  readonly #current = $derived.by(() => (this.#ports.isHeld(this.key) ? this.#shown : this.#known));
  readonly #ordered = $derived(inReadingOrder(this.#current.messages));
  readonly #ports: ConversationPorts;
  readonly #batch = createFrameBatch<ConversationEvent>((events) => this.#take(events));
  /** From the last event. */
  #reported: Chat | null = null;
  /** Callers waiting for the events up to an answer. */
  #waiting: { updatedAt: string; since: number; resolve: () => void }[] = [];
  #isClosed = false;

  constructor(key: string, chatId: string | null, ports: ConversationPorts) {
    this.key = key;
    this.chatId = chatId;
    this.#ports = ports;
    this.loaded = chatId === null;
  }

  get chat(): Chat | null {
    return this.#current.chat;
  }

  /** In reading order. */
  get messages(): Message[] {
    return this.#ordered;
  }

  get draftKey(): string {
    return this.chatId ?? this.#ports.newDraftKey ?? NEW_CHAT_KEY;
  }

  /** Whether a reply is being generated or waits, according to the service's last answer. */
  get working(): boolean {
    return this.chat !== null && isWorking(this.chat);
  }

  adopt(chat: Chat): void {
    this.key = chat.id;
    this.chatId = chat.id;
    this.#known = this.#shown = { ...this.#known, chat };
  }

  /** Takes an event of the stream; it is shown with the next frame. */
  take(event: ConversationEvent): void {
    this.#batch.add(event);
  }

  /** The service has answered an action with the chat's current state. */
  note(chat: Chat): void {
    if (chat.id !== this.chatId) return;
    this.#batch.flush();
    const known = this.#known.chat;
    if (known === null || chat.updatedAt > known.updatedAt) {
      this.#set(reduceConversation(this.#known, { type: 'chat', chat }));
    }
    this.#ports.stream.check();
  }

  /**
   * Resolves when all events up to that answer have arrived, however long the connection is lost meanwhile, and shows them even while
   * a message is being sent.
   */
  async untilCaughtUp(chat: Chat): Promise<void> {
    this.note(chat);
    await new Promise<void>((resolve) => {
      this.#waiting.push({ updatedAt: chat.updatedAt, since: performance.now(), resolve });
      this.#settle();
    });
    this.#shown = this.#known;
  }

  /** Stops the reply under way and all messages that wait. Rejects as the API does. */
  async stop(): Promise<void> {
    if (this.chatId === null) return;
    await this.untilCaughtUp(await this.#ports.api.stopChat(this.chatId));
  }

  close(): void {
    this.#isClosed = true;
    this.#batch.clear();
    this.#settle();
  }

  #take(events: readonly ConversationEvent[]): void {
    this.#set(events.reduce(reduceConversation, this.#known));
    for (const event of events) {
      if (event.type === 'sync' || event.type === 'chat') this.#reported = event.chat;
    }
    this.#settle();
  }

  /** Resolves the waits that are over now. */
  #settle(): void {
    const chat = this.#reported;
    const isOver = this.#isClosed || this.missing;
    const now = performance.now();
    const served = this.#waiting.filter(
      ({ updatedAt, since }) =>
        isOver || (chat !== null && (chat.updatedAt >= updatedAt || now - since > HEARD_WITHIN_MS)),
    );
    this.#waiting = this.#waiting.filter((waiter) => !served.includes(waiter));
    for (const { resolve } of served) resolve();
  }

  #set(next: ConversationState): void {
    const before = this.#known;
    if (this.#isClosed || next === before) return;
    this.#known = next;
    if (!this.#ports.isHeld(this.key)) this.#shown = next;
    const wasLoaded = this.loaded && !this.missing;
    if (next.chat !== null || next.isGone) this.loaded = true;
    this.missing = next.isGone;
    if (next.isGone) return;
    if (next.chat !== null && next.chat !== before.chat) this.#ports.onChat(next.chat);
    if (!wasLoaded || next.messages === before.messages) return;
    for (const reply of findFinished(before.messages, next.messages)) this.#ports.onReply(reply);
  }
}
