import type { Chat } from '../../shared/api/chat.ts';
import type { Message } from '../../shared/api/message.ts';
import type { ApiClient } from '../api/client.ts';
import { ApiProblem } from '../api/problem.ts';
import { isWorking } from '../lib/chat-status.ts';
import { NEW_CHAT_KEY } from '../lib/drafts.ts';
import { createPoller, type Poller } from '../lib/poller.ts';
import { countSettled, findFinished, inReadingOrder, withoutRepeats } from '../lib/reading-order.ts';

/** How often a chat at work is asked for, in milliseconds: at first, when nothing changes for long, and unseen. */
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
}

/** The open chat: what the service says about it, kept fresh by polling. */
export class Conversation {
  chat = $state.raw<Chat | null>(null);
  /** In reading order. */
  messages = $state.raw<Message[]>([]);
  /** `false` until the first answer; a chat that does not exist yet has nothing to load. */
  loaded = $state(false);
  /** The service does not know the chat. */
  missing = $state(false);
  #key = $state('');
  #chatId = $state<string | null>(null);
  readonly #ports: ConversationPorts;
  readonly #poller: Poller;
  /** As the service lists them. */
  #listed: Message[] = [];
  #seen = '';
  #unchangedPolls = 0;
  #loads = 0;
  #shownLoad = 0;

  constructor(key: string, chatId: string | null, ports: ConversationPorts) {
    this.#key = key;
    this.#chatId = chatId;
    this.#ports = ports;
    this.loaded = chatId === null;
    this.#poller = createPoller(
      () => this.load(),
      () => this.#delay(),
    );
    if (chatId !== null) void this.#poller.now();
  }

  /** The chat's id, and before there is a chat a name of the page's making. */
  get key(): string {
    return this.#key;
  }

  /** Null until the first message made the chat. */
  get chatId(): string | null {
    return this.#chatId;
  }

  /** Under what the draft is kept. */
  get draftKey(): string {
    return this.#chatId ?? NEW_CHAT_KEY;
  }

  /** Whether a reply is being made or waits, by what the service said last. */
  get working(): boolean {
    return this.chat !== null && isWorking(this.chat);
  }

  /** The chat exists from now on. */
  adopt(chat: Chat): void {
    this.#key = chat.id;
    this.#chatId = chat.id;
    this.chat = chat;
  }

  /** Another source knows of a newer state: look. */
  noteElsewhere(chat: Chat): void {
    if (this.chat && chat.updatedAt > this.chat.updatedAt) void this.#poller.now();
  }

  /** Looks as soon as possible. */
  refresh(): Promise<void> {
    return this.#poller.now();
  }

  /** Looks now; `force` shows the answer even while a message is on its way. */
  async load(force = false): Promise<void> {
    const chatId = this.#chatId;
    if (chatId === null || this.missing) return;
    const load = (this.#loads += 1);
    try {
      const chat = await this.#ports.api.findChat(chatId);
      const signature = `${chat.status} ${chat.updatedAt}`;
      const changed = signature !== this.#seen || !this.loaded;
      this.#unchangedPolls = changed ? 0 : this.#unchangedPolls + 1;
      const settled = this.#listed.slice(0, countSettled(this.#listed));
      const after = settled.at(-1)?.id;
      const listed =
        changed || isWorking(chat)
          ? withoutRepeats([...settled, ...(await this.#ports.api.listMessages(chatId, after))])
          : this.#listed;
      if (load < this.#shownLoad || (!force && this.#ports.isHeld(this.key))) return;
      this.#shownLoad = load;
      this.#seen = signature;
      this.#show(chat, listed);
    } catch (problem) {
      if (!(problem instanceof ApiProblem && problem.status === 404)) throw problem;
      this.missing = true;
      this.loaded = true;
    }
  }

  /** Stops the reply under way and all that wait. Rejects as the API does. */
  async stop(): Promise<void> {
    if (this.#chatId === null) return;
    const chat = await this.#ports.api.stopChat(this.#chatId);
    this.#ports.onChat(chat);
    await this.refresh();
  }

  close(): void {
    this.#poller.stop();
  }

  #show(chat: Chat, listed: Message[]): void {
    const finished = this.loaded ? findFinished(this.#listed, listed) : [];
    this.#listed = listed;
    this.chat = chat;
    this.messages = inReadingOrder(listed);
    this.loaded = true;
    this.#ports.onChat(chat);
    for (const reply of finished) this.#ports.onReply(reply);
  }

  #delay(): number | null {
    if (!this.working) return null;
    if (document.hidden) return HIDDEN_POLL_MS;
    return this.#unchangedPolls < POLLS_BEFORE_SLOW ? POLL_MS : SLOW_POLL_MS;
  }
}
