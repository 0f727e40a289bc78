import type { Chat } from '../../shared/api/chat.ts';
import { MAX_PAGE_SIZE } from '../../shared/limits.ts';
import type { ApiClient } from '../api/client.ts';
import { mergeChats, withFirstPage } from '../lib/chat-list.ts';

/** The chats of the workspace, newest first, as far as they have been loaded. */
export class Chats {
  items = $state.raw<Chat[]>([]);
  /** How many there are in all, by the last answer. */
  total = $state(0);
  /** `false` until the first answer. */
  loaded = $state(false);
  readonly #api: ApiClient;
  #pages = 1;
  #additions = 0;

  constructor(api: ApiClient) {
    this.#api = api;
  }

  get hasMore(): boolean {
    return this.items.length < this.total;
  }

  /** Asks for the newest page. */
  async refresh(): Promise<void> {
    const additions = this.#additions;
    const { data, total } = await this.#api.listChats(1, MAX_PAGE_SIZE);
    // An answer from before a chat was made here would take it off the list for a moment.
    if (additions !== this.#additions) return;
    this.items = withFirstPage(this.items, data, data.length < MAX_PAGE_SIZE);
    this.total = total;
    this.loaded = true;
  }

  /** Asks for the next page of older chats. */
  async loadMore(): Promise<void> {
    const { data, total } = await this.#api.listChats(this.#pages + 1, MAX_PAGE_SIZE);
    this.#pages += 1;
    this.items = mergeChats(this.items, data);
    this.total = total;
  }

  /** Puts in what is known of one chat from elsewhere. */
  note(chat: Chat): void {
    const isNew = !this.items.some((item) => item.id === chat.id);
    this.items = mergeChats(this.items, [chat]);
    if (!isNew) return;
    this.total += 1;
    this.#additions += 1;
  }
}
