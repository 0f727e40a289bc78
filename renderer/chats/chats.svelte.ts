import type { Chat, ChatList, UpdateChatBody } from '../../shared/api/chat.ts';
import { MAX_PAGE_SIZE } from '../../shared/limits.ts';
import type { ApiClient } from '../api/client.ts';
import { mergeChats, withChange, withPage } from './chat-list.ts';

/** A change on its way to the service: it is shown already. */
interface Intent {
  chatId: string;
  /** `gone`: the chat is being deleted. */
  change: UpdateChatBody | 'gone';
}

/**
 * The chats of the workspace as far as they have been loaded, newest first. What the service said last is kept apart from
 * what a person has just changed: the change is laid over it until the service has answered, so a refusal takes
 * itself back.
 */
export class Chats {
  /** `false` until the first answer. */
  loaded = $state(false);
  /** How many pages of chats that aren't pinned have been loaded. */
  pages = $state(1);
  readonly #api: ApiClient;
  #told = $state.raw<readonly Chat[]>([]);
  #intents = $state.raw<readonly Intent[]>([]);
  /** How many there are that are neither pinned nor archived, by the last answer. */
  #total = $state(0);
  /** Rises with whatever makes answers to earlier questions stale. */
  #changes = 0;
  #turn = 1;

  readonly #all = $derived(applyIntents(this.#told, this.#intents));
  /** Those that aren't archived. */
  readonly items = $derived(this.#all.filter(({ archived }) => !archived));
  readonly archived = $derived(this.#all.filter(({ archived }) => archived));
  readonly pinned = $derived(this.items.filter(({ pinned }) => pinned));
  readonly others = $derived(this.items.filter(({ pinned }) => !pinned));
  /** In the order of the list on the page. */
  readonly listed = $derived([...this.pinned, ...this.others]);

  constructor(api: ApiClient) {
    this.#api = api;
  }

  get hasMore(): boolean {
    return this.pages * MAX_PAGE_SIZE < this.#total;
  }

  /** What is known of a chat, archived ones included. */
  find(chatId: string): Chat | undefined {
    return this.#all.find(({ id }) => id === chatId);
  }

  /** Asks for the pinned ones and the newest page, and for one of the older pages that were loaded, each in its turn. */
  async refresh(): Promise<void> {
    const changes = this.#changes;
    const turn = this.#turn >= this.pages ? 2 : this.#turn + 1;
    const [pinned, newest, older] = await Promise.all([
      this.#listPinned(),
      this.#list(1),
      this.pages > 1 ? this.#list(turn) : null,
    ]);
    // An answer from before a change would take the change back for a moment.
    if (changes !== this.#changes) return;
    this.#turn = turn;
    this.#told = withPage(this.#told, {
      data: pinned,
      isFirst: true,
      isLast: true,
      holds: (chat) => chat.pinned && !chat.archived,
    });
    this.#take(1, newest);
    if (older) this.#take(turn, older);
    this.loaded = true;
  }

  /** Asks for the next page of older chats. Rejects as the API does. */
  async loadMore(): Promise<void> {
    const page = this.pages + 1;
    this.#take(page, await this.#list(page));
    this.pages = Math.max(this.pages, page);
  }

  /** Asks for all archived chats. Rejects as the API does. */
  async loadArchived(): Promise<void> {
    const changes = this.#changes;
    const data = await this.#listAll((page) =>
      this.#api.listChats(page, MAX_PAGE_SIZE, { archived: 'only' }),
    );
    if (changes !== this.#changes) return;
    // A service that knows no such filter would list all.
    const archived = data.filter((chat) => chat.archived);
    const holds = (chat: Chat): boolean => chat.archived;
    this.#told = withPage(this.#told, { data: archived, isFirst: true, isLast: true, holds });
  }

  /** Puts in what is known of one chat from elsewhere. */
  note(chat: Chat): void {
    if (chat.deletedAt !== undefined) this.forget(chat.id);
    else {
      if (!this.#told.some(({ id }) => id === chat.id)) this.#changes += 1;
      this.#told = mergeChats(this.#told, [chat]);
    }
  }

  /** Takes off a chat that is known not to exist any more. */
  forget(chatId: string): void {
    if (!this.#told.some(({ id }) => id === chatId)) return;
    this.#changes += 1;
    this.#told = this.#told.filter(({ id }) => id !== chatId);
  }

  /** Changes a chat: shown at once, taken back when the service refuses. Rejects as the API does. */
  async update(chatId: string, change: UpdateChatBody): Promise<Chat> {
    const chat = await this.#intend({ chatId, change }, () => this.#api.updateChat(chatId, change));
    return chat;
  }

  /** Deletes a chat, as {@link update} changes one. It can be restored. */
  async delete(chatId: string): Promise<Chat> {
    return this.#intend({ chatId, change: 'gone' }, () => this.#api.deleteChat(chatId));
  }

  /** Brings a deleted chat back. Rejects as the API does. */
  async restore(chatId: string): Promise<Chat> {
    const chat = await this.#api.restoreChat(chatId);
    this.#changes += 1;
    this.note(chat);
    return chat;
  }

  async #intend(intent: Intent, work: () => Promise<Chat>): Promise<Chat> {
    this.#intents = [...this.#intents, intent];
    try {
      const chat = await work();
      this.#changes += 1;
      if (intent.change === 'gone') this.forget(intent.chatId);
      else this.note(chat);
      return chat;
    } finally {
      this.#intents = this.#intents.filter((other) => other !== intent);
    }
  }

  #take(page: number, { data, total }: ChatList): void {
    this.#total = total;
    this.#told = withPage(this.#told, {
      data,
      isFirst: page === 1,
      isLast: page * MAX_PAGE_SIZE >= total,
      holds: (chat) => !chat.pinned && !chat.archived,
    });
  }

  #list(page: number): Promise<ChatList> {
    return this.#api.listChats(page, MAX_PAGE_SIZE, { pinned: 'false' });
  }

  #listPinned(): Promise<Chat[]> {
    return this.#listAll((page) => this.#api.listChats(page, MAX_PAGE_SIZE, { pinned: 'true' }));
  }

  async #listAll(list: (page: number) => Promise<ChatList>): Promise<Chat[]> {
    const chats: Chat[] = [];
    for (let page = 1; ; page += 1) {
      const { data, total } = await list(page);
      chats.push(...data);
      if (data.length === 0 || page * MAX_PAGE_SIZE >= total) return chats;
    }
  }
}

function applyIntents(chats: readonly Chat[], intents: readonly Intent[]): readonly Chat[] {
  if (intents.length === 0) return chats;
  return chats.flatMap((chat) => {
    let shown = chat;
    for (const { chatId, change } of intents) {
      if (chatId !== chat.id) continue;
      if (change === 'gone') return [];
      shown = withChange(shown, change);
    }
    return [shown];
  });
}
