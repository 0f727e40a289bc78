/**
 * Messages a person has sent that the service has not yet accepted. They survive a lost connection, a reload and a closed
 * tab: each is stored in the page's storage with its idempotency key until it is answered, so retrying never sends
 * it twice. A lock per message keeps two tabs from sending the same one.
 */
import type { Attachment } from '../../shared/api/attachment.ts';
import type { Chat } from '../../shared/api/chat.ts';
import type { Parameters } from '../../shared/api/parameters.ts';
import type { MessageMode } from '../../shared/api/message.ts';
import type { ApiClient } from '../api/client.ts';
import { ApiProblem, ConnectionProblem } from '../api/problem.ts';
import { describeProblem } from '../api/problem-words.ts';
import { StoredRecords } from '../lib/storage.ts';
import { timestamp } from '../lib/times.ts';
import { words } from '../lib/words/index.ts';
import { giveLockBack, holdLock } from './tab-locks.ts';
import { fileIds, NOTHING_WRITTEN, type Writing } from './writing.ts';
import type { ServiceConnection } from '../api/connection.svelte.ts';

/** What a new chat starts with; anything absent is left to the service. */
export interface Opening {
  agentType?: string | undefined;
  model?: string | undefined;
  parameters?: Parameters | undefined;
  /** The project it is created in. */
  projectId?: string | undefined;
}

/** A message being sent, and what the chat that it creates starts with: no model and parameters any more once the chat has them. */
export interface Outgoing extends Opening {
  /** Also its idempotency key. */
  id: string;
  /** Groups messages of one conversation: the chat's id, or until there is one, a key that the page made up. */
  conversationKey: string;
  /** Null until the chat exists. */
  chatId: string | null;
  workspaceId: string;
  content: string;
  /** Attached files; absent: none. */
  attachments?: readonly Attachment[];
  mode: MessageMode;
  createdAt: string;
  /**
   * `sending`: a request is under way. `waiting`: for the connection. `taken`: the service has it, and the conversation is
   * about to show it. `refused`: the service said no.
   */
  state: 'sending' | 'waiting' | 'taken' | 'refused';
  /** Why it was refused, in words. */
  reason?: string;
}

/** Learns what happens to messages. */
export interface OutboxListener {
  /** The chat of a conversation was created. */
  created(conversationKey: string, chat: Chat): void;
  /** The service has a message of that chat; the outbox shows it until this resolves. */
  taken(chat: Chat): Promise<void>;
}

const LOCK = 'outbox.';
const stored = new StoredRecords<Outgoing>(LOCK, (item) => {
  const isWhole =
    typeof item.id === 'string' &&
    typeof item.conversationKey === 'string' &&
    typeof item.content === 'string' &&
    typeof item.createdAt === 'string' &&
    (item.mode === 'agent' || item.mode === 'chat');
  return isWhole ? (item as Outgoing) : null;
});
/**
 * Messages that this tab is sending, in the open workspace or one that was just left: the lock belongs to the
 * tab, and a person who comes back must not send them twice.
 */
// eslint-disable-next-line svelte/prefer-svelte-reactivity -- nothing is drawn from it
const underWay = new Set<string>();

export class Outbox {
  items = $state.raw<Outgoing[]>([]);
  readonly #api: ApiClient;
  readonly #connection: ServiceConnection;
  readonly #listener: OutboxListener;
  readonly #workspaceId: string;
  #running: string[] = [];
  #closed = false;

  constructor(api: ApiClient, connection: ServiceConnection, workspaceId: string, listener: OutboxListener) {
    this.#api = api;
    this.#connection = connection;
    this.#workspaceId = workspaceId;
    this.#listener = listener;
  }

  /** Sends what an earlier page, or a tab that was closed meanwhile, left behind. May be called repeatedly. */
  async resume(): Promise<void> {
    const isKnown = (id: string): boolean => this.items.some((item) => item.id === id);
    for (const { id } of readStored(this.#workspaceId)) {
      if (isKnown(id) || underWay.has(id) || !(await holdLock(LOCK + id))) continue;
      // The tab that had it may have sent it meanwhile, or created its chat.
      const item = stored.read(id);
      if (item === null) giveLockBack(LOCK + id);
      else if (!isKnown(id))
        this.items = [...this.items, { ...item, state: item.state === 'refused' ? 'refused' : 'waiting' }];
    }
    for (const { conversationKey } of this.items) void this.#work(conversationKey);
  }

  /** Sends a message of a conversation, after all earlier ones still being sent. */
  send(
    conversationKey: string,
    chatId: string | null,
    content: string,
    mode: MessageMode,
    opening: Opening = {},
    attachments: readonly Attachment[] = [],
  ): void {
    const item: Outgoing = {
      id: crypto.randomUUID(),
      conversationKey,
      chatId,
      workspaceId: this.#workspaceId,
      content,
      ...(attachments.length > 0 && { attachments }),
      mode,
      ...(chatId === null && opening),
      createdAt: timestamp(),
      state: 'sending',
    };
    void holdLock(LOCK + item.id);
    this.items = [...this.items, item];
    stored.write(item.id, item);
    void this.#work(conversationKey);
  }

  retry(id: string): void {
    const item = this.items.find((other) => other.id === id);
    if (item?.state !== 'refused') return;
    this.#change(id, { state: 'sending' });
    void this.#work(item.conversationKey);
  }

  /** Removes a refused message, and returns it. */
  withdraw(id: string): Writing {
    const item = this.items.find((other) => other.id === id && other.state === 'refused');
    if (!item) return NOTHING_WRITTEN;
    this.#remove(id);
    return { text: item.content, files: item.attachments ?? [] };
  }

  /** The key of a chat whose first message is still being sent, or was refused; null: there is none. */
  get unborn(): string | null {
    return this.items.find((item) => item.chatId === null)?.conversationKey ?? null;
  }

  /** Whether the service may have accepted a message of that conversation without our knowing yet. */
  isUnsettled(conversationKey: string): boolean {
    return this.items.some((item) => item.conversationKey === conversationKey && item.state !== 'refused');
  }

  /** Sends nothing more; the next page sends the rest. */
  close(): void {
    this.#closed = true;
  }

  async #work(conversationKey: string): Promise<void> {
    if (this.#running.includes(conversationKey)) return;
    this.#running.push(conversationKey);
    let key = conversationKey;
    for (let item = this.#next(key); item; item = this.#next(key)) {
      await this.#deliver(item, (chatId) => {
        // The chat exists now, and the conversation goes by its id from here on.
        this.#running.push(chatId);
        key = chatId;
      });
    }
    this.#running = this.#running.filter((other) => other !== conversationKey && other !== key);
  }

  #next(conversationKey: string): Outgoing | undefined {
    if (this.#closed) return undefined;
    return this.items.find((item) => item.conversationKey === conversationKey && item.state !== 'refused');
  }

  async #deliver(item: Outgoing, onCreated: (chatId: string) => void): Promise<void> {
    this.#change(item.id, { state: 'sending' });
    underWay.add(item.id);
    try {
      const chatId = item.chatId ?? (await this.#createChat(item, onCreated));
      const { model, parameters } = item;
      if (model !== undefined || parameters !== undefined) {
        await this.#api.updateChat(chatId, {
          ...(model !== undefined && { model }),
          ...(parameters !== undefined && { parameters }),
        });
        this.#change(item.id, { model: undefined, parameters: undefined });
      }
      const { content, mode, attachments } = item;
      const body = { content, mode, ...(attachments && { attachments: fileIds(attachments) }) };
      const chat = await this.#api.sendMessage(chatId, body, item.id);
      this.#change(item.id, { state: 'taken' });
      await this.#listener.taken(chat);
      this.#remove(item.id);
      underWay.delete(item.id);
    } catch (problem) {
      underWay.delete(item.id);
      if (problem instanceof ConnectionProblem) {
        this.#change(item.id, { state: 'waiting' });
        await this.#connection.whenOnline();
      } else if (problem instanceof ApiProblem && problem.status === 401) {
        this.#change(item.id, { state: 'waiting' });
        this.#closed = true;
      } else {
        const gone = goneOf(item, problem);
        const reason = gone ? words.message.openingGone[gone] : refusalIn(problem);
        // Another try does without it.
        this.#change(item.id, { state: 'refused', reason, ...(gone && { [gone]: undefined }) });
      }
    }
  }

  async #createChat(
    { id, conversationKey, agentType, projectId }: Outgoing,
    onCreated: (chatId: string) => void,
  ): Promise<string> {
    const chat = await this.#api.createChat({
      ...(agentType !== undefined && { agentType }),
      ...(projectId !== undefined && { projectId }),
    });
    onCreated(chat.id);
    this.items = this.items.map((item) =>
      item.conversationKey === conversationKey
        ? {
            ...item,
            chatId: chat.id,
            conversationKey: chat.id,
            // Only the message that creates the chat says what answers in it.
            ...(item.id !== id && { model: undefined, parameters: undefined }),
          }
        : item,
    );
    for (const item of this.items) if (item.chatId === chat.id) stored.write(item.id, item);
    this.#listener.created(conversationKey, chat);
    return chat.id;
  }

  #change(id: string, change: Partial<Outgoing>): void {
    this.items = this.items.map((item) => (item.id === id ? { ...item, ...change } : item));
    const item = this.items.find((other) => other.id === id);
    if (item) stored.write(item.id, item);
  }

  #remove(id: string): void {
    this.items = this.items.filter((item) => item.id !== id);
    stored.write(id, null);
    giveLockBack(LOCK + id);
  }
}

/** Why it was refused, in words that stay true: a deleted chat may be restored while the message is still here. */
const refusalIn = (problem: unknown): string =>
  problem instanceof ApiProblem && problem.code === 'chat_not_found'
    ? words.message.chatWasDeleted
    : describeProblem(problem);

/** Which choice for its new chat the service refused, because it no longer exists; undefined: it was refused for another reason. */
const goneOf = (item: Outgoing, problem: unknown): 'projectId' | 'model' | undefined =>
  (['projectId', 'model'] as const).find(
    (name) =>
      item[name] !== undefined &&
      problem instanceof ApiProblem &&
      problem.details.some(({ path }) => path === `/${name}`),
  );

/** What is stored of that workspace, oldest first. */
const readStored = (workspaceId: string): Outgoing[] =>
  stored
    .keys()
    .flatMap((id) => stored.read(id) ?? [])
    .filter((item) => item.workspaceId === workspaceId || item.workspaceId === '' || workspaceId === '')
    .sort((a, b) => (a.createdAt < b.createdAt ? -1 : 1));
