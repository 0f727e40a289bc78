import type { Chat } from '../../shared/api/chat.ts';
import type { Message } from '../../shared/api/message.ts';
import type { ConversationEvent } from '../../shared/events.ts';
import type { ApiClient } from '../api/client.ts';
import { followEvents } from '../api/events.ts';
import { ApiProblem, ConnectionProblem } from '../api/problem.ts';
import { isUnsettled, isWorking } from './chat-status.ts';
import { withAnswer, withChat, withLateAnswer } from './conversation-answer.ts';
import { NOTHING_KNOWN, reduceConversation, type ConversationState } from './conversation-events.ts';
import { NEW_CHAT_KEY } from './kept-drafts.ts';
import { createFrameBatch } from '../lib/frame-batch.ts';
import { watchPage } from './page-life.ts';
import { createPoller, type Poller } from '../lib/poller.ts';
import { countSettled, findFinished, inReadingOrder } from './reading-order.ts';
import { createStreamKeeper, type StreamKeeper } from './stream-keeper.ts';
import { takeStreamSlot } from './stream-slots.ts';

/** How often a chat at work is asked for while it can't be followed, in milliseconds: at first, when nothing changes for
 * long, and unseen. */
const POLL_MS = 300;
const SLOW_POLL_MS = 1_000;
const HIDDEN_POLL_MS = 3_000;
const POLLS_BEFORE_SLOW = 20;

/** What {@link Conversation} needs of its surroundings. */
export interface ConversationPorts {
  api: ApiClient;
  /** Told of each fresh state of the chat. */
  onChat(chat: Chat): void;
  /** Told when a reply became final while it was watched. */
  onReply(reply: Message): void;
  /** While true, what the service says is not shown yet: a message may be both here and there. */
  isHeld(conversationKey: string): boolean;
  /** Under what the draft of a chat that doesn't exist yet is kept; as in the main window unless given. */
  newDraftKey?: string;
}

/**
 * The open chat: what the service says about it, kept fresh by its event stream, and by asking again and again where there
 * is none to be had. Both feed one state.
 */
export class Conversation {
  /** `false` until the first answer; a chat that does not exist yet has nothing to load. */
  loaded = $state(false);
  /** The service does not know the chat. */
  missing = $state(false);
  #key = $state('');
  #chatId = $state<string | null>(null);
  #known = $state.raw<ConversationState>(NOTHING_KNOWN);
  /** What was known when something could last be shown. */
  #shown = $state.raw<ConversationState>(NOTHING_KNOWN);
  readonly #current = $derived(this.#isHeld() ? this.#shown : this.#known);
  readonly #ordered = $derived(inReadingOrder(this.#current.messages));
  readonly #ports: ConversationPorts;
  readonly #poller: Poller;
  readonly #keeper: StreamKeeper;
  readonly #batch = createFrameBatch<ConversationEvent>((events) => this.#take(events));
  readonly #endWatch: () => void;
  /** Rises with everything that a stream tells of which messages there are and how they stand. */
  #told = 0;
  #seen = '';
  #unchangedPolls = 0;
  #isCutOff = false;
  #isClosed = false;

  constructor(key: string, chatId: string | null, ports: ConversationPorts) {
    this.#key = key;
    this.#chatId = chatId;
    this.#ports = ports;
    this.loaded = chatId === null;
    this.#poller = createPoller(
      () => this.load(),
      () => this.#delay(),
    );
    this.#keeper = createStreamKeeper({
      follow: (options) => followEvents(ports.api, this.#chatId ?? '', options),
      takeSlot: () => takeStreamSlot(),
      onEvent: (event) => {
        if (event.type !== 'delta' && event.type !== 'reasoning' && event.type !== 'chat') this.#told += 1;
        this.#batch.add(event);
      },
      onDown: () => {
        this.#batch.flush();
        if (!this.missing) void this.#poller.now();
      },
    });
    this.#endWatch = watchPage({
      onLeft: () => {
        this.#keeper.stop();
        void this.#poller.now();
      },
      onSeen: () => this.#follow(),
      onWoken: () => {
        this.#keeper.retry(true);
        void this.#poller.now();
      },
    });
    if (!document.hidden) this.#follow();
    else if (chatId !== null) void this.#poller.now();
  }

  /** The chat's id, and before there is a chat a name of the page's making. */
  get key(): string {
    return this.#key;
  }

  /** Null until the first message made the chat. */
  get chatId(): string | null {
    return this.#chatId;
  }

  get chat(): Chat | null {
    return this.#current.chat;
  }

  /** In reading order. */
  get messages(): Message[] {
    return this.#ordered;
  }

  /** Under what the draft is kept. */
  get draftKey(): string {
    return this.#chatId ?? this.#ports.newDraftKey ?? NEW_CHAT_KEY;
  }

  /** Whether a reply is being made or waits, by what the service said last. */
  get working(): boolean {
    return this.chat !== null && isWorking(this.chat);
  }

  /** The chat exists from now on. */
  adopt(chat: Chat): void {
    this.#key = chat.id;
    this.#chatId = chat.id;
    this.#known = this.#shown = { ...this.#known, chat };
    if (!document.hidden) this.#follow();
  }

  /** The service has answered an action with the chat as it is now. */
  note(chat: Chat): void {
    if (chat.id !== this.#chatId) return;
    this.#batch.flush();
    this.#set(withChat(this.#known, chat));
    if (!this.#keeper.isLive) void this.#poller.now();
  }

  /** Another source knows of a newer state: look, unless the stream is about to tell. */
  noteElsewhere(chat: Chat): void {
    const known = this.#known.chat;
    if (known && chat.updatedAt > known.updatedAt && !this.#keeper.isLive) void this.#poller.now();
  }

  /** Looks as soon as possible. */
  refresh(): Promise<void> {
    return this.#poller.now();
  }

  /** Looks now; `force` shows the answer even while a message is on its way. */
  async load(force = false): Promise<void> {
    const chatId = this.#chatId;
    if (chatId === null || this.missing) return;
    try {
      await this.#ask(chatId);
      if (force) this.#shown = this.#known;
      if (this.#isCutOff) this.#keeper.retry();
      this.#isCutOff = false;
    } catch (problem) {
      this.#isCutOff = problem instanceof ConnectionProblem;
      if (!(problem instanceof ApiProblem && problem.status === 404)) throw problem;
      this.#set({ ...this.#known, isGone: true });
    }
  }

  /** Stops the reply under way and all that wait. Rejects as the API does. */
  async stop(): Promise<void> {
    if (this.#chatId === null) return;
    this.note(await this.#ports.api.stopChat(this.#chatId));
    await this.refresh();
  }

  close(): void {
    this.#isClosed = true;
    this.#endWatch();
    this.#keeper.stop();
    this.#poller.stop();
    this.#batch.clear();
  }

  #isHeld(): boolean {
    return this.#ports.isHeld(this.#key);
  }

  #follow(): void {
    if (this.#chatId !== null && !this.missing) this.#keeper.start();
  }

  async #ask(chatId: string): Promise<void> {
    const { api } = this.#ports;
    const told = this.#told;
    const isFollowed = this.#keeper.isLive;
    const chat = await api.findChat(chatId);
    const signature = `${chat.status} ${chat.updatedAt}`;
    const changed = signature !== this.#seen || !this.loaded;
    const { messages: known } = this.#known;
    // What comes of a reply comes at the end. Anything else that happens to messages changes the chat, and a stream tells.
    const after = changed && !isFollowed ? undefined : known[countSettled(known) - 1]?.id;
    const isWanted = changed || isUnsettled(chat);
    const { messages, whole } = isWanted
      ? await this.#list(chatId, after)
      : { messages: null, whole: after === undefined };
    if (this.#isClosed) return;
    this.#batch.flush();
    const answer = { chat, messages, whole };
    const isLate = isFollowed || this.#keeper.isLive || told !== this.#told;
    const next = isLate ? withLateAnswer(this.#known, answer) : withAnswer(this.#known, answer);
    this.#unchangedPolls = next === this.#known ? this.#unchangedPolls + 1 : 0;
    this.#seen = signature;
    this.#set(next);
  }

  /** The messages after one, and all of them when that one has gone meanwhile: hidden by another version, or deleted. */
  async #list(chatId: string, after: string | undefined): Promise<{ messages: Message[]; whole: boolean }> {
    const { api } = this.#ports;
    try {
      return { messages: await api.listMessages(chatId, after), whole: after === undefined };
    } catch (problem) {
      if (!(problem instanceof ApiProblem && problem.code === 'message_not_found')) throw problem;
      return { messages: await api.listMessages(chatId), whole: true };
    }
  }

  #take(events: readonly ConversationEvent[]): void {
    this.#set(events.reduce(reduceConversation, this.#known));
  }

  #set(next: ConversationState): void {
    const before = this.#known;
    if (this.#isClosed || next === before) return;
    this.#known = next;
    if (!this.#isHeld()) this.#shown = next;
    const wasLoaded = this.loaded;
    if (next.chat !== null || next.isGone) this.loaded = true;
    if (next.isGone) {
      this.missing = true;
      this.#keeper.stop();
      return;
    }
    if (next.chat !== null && next.chat !== before.chat) this.#ports.onChat(next.chat);
    if (!wasLoaded || next.messages === before.messages) return;
    for (const reply of findFinished(before.messages, next.messages)) this.#ports.onReply(reply);
  }

  #delay(): number | null {
    if (this.chat === null || !isUnsettled(this.chat) || this.#keeper.isLive) return null;
    if (document.hidden) return HIDDEN_POLL_MS;
    return this.#unchangedPolls < POLLS_BEFORE_SLOW ? POLL_MS : SLOW_POLL_MS;
  }
}
