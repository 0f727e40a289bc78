import type { Chat, ChatList, UpdateChatBody } from '../../shared/api/chat.ts';
import type { ChatListEvent } from '../../shared/events.ts';
import { MAX_PAGE_SIZE } from '../../shared/limits.ts';
import type { ApiClient } from '../api/client.ts';
import { createPoller, type Poller } from '../lib/poller.ts';
import {
  byProject,
  compareChats,
  isOtherOf,
  listAll,
  mergeChats,
  NO_PROJECT,
  withChange,
  withChanges,
  withPage,
  type ChatPosition,
  type Intent,
} from './chat-list.ts';

/** What is asked of the service. */
type ChatListApi = Pick<ApiClient, 'listChats' | 'updateChat' | 'deleteChat' | 'restoreChat' | 'moveChat'>;

const NONE: readonly Chat[] = [];

/** None is known yet. */
const BEFORE_ALL: ChatPosition = { id: '', updatedAt: '~' };

/**
 * The chats of the workspace as far as they have been loaded, newest first: asked for page by page, and kept fresh by what
 * the stream tells. What the service said last is kept apart from what a person has just changed: the change is laid over
 * it until the service has answered, so a refusal takes itself back.
 */
export class Chats {
  /** `false` until the first answer. */
  loaded = $state(false);
  readonly #api: ChatListApi;
  readonly #openProjects: () => readonly { id: string }[];
  readonly #relisting: Poller;
  #told = $state.raw<readonly Chat[]>([]);
  #intents = $state.raw<readonly Intent[]>([]);
  /**
   * Where the chats that are neither pinned nor archived are known to, of each project that was asked for and, under
   * {@link NO_PROJECT}, of those in none; null: to their end.
   */
  #knownTo = $state.raw<Readonly<Record<string, ChatPosition | null>>>({ [NO_PROJECT]: BEFORE_ALL });
  #isArchiveKnown = false;
  /** Events that came while a list was being fetched: the list may be older than they are. */
  #meanwhile: ChatListEvent[] = [];
  #asking = 0;

  readonly #all = $derived(withChanges(this.#told, this.#intents));
  /** Those that aren't archived. */
  readonly items = $derived(this.#all.filter(({ archived }) => !archived));
  readonly archived = $derived(this.#all.filter(({ archived }) => archived));
  readonly pinned = $derived(this.items.filter(({ pinned }) => pinned));
  readonly #byProject = $derived(byProject(this.items));
  /** Those that are neither pinned nor in a project. */
  readonly others = $derived(this.inProject(NO_PROJECT));
  /** In the order of the list on the page. */
  readonly listed = $derived.by(() => [
    ...this.#openProjects().flatMap(({ id }) => this.inProject(id)),
    ...this.pinned,
    ...this.others,
  ]);

  /** `openProjects`: those whose chats are shown, in their order. */
  constructor(api: ChatListApi, openProjects: () => readonly { id: string }[] = () => []) {
    this.#api = api;
    this.#openProjects = openProjects;
    this.#relisting = createPoller(
      () => this.#relist(),
      () => null,
    );
  }

  /** Whether there are older chats than those that are known. */
  get hasMore(): boolean {
    return this.loaded && this.hasMoreOf(NO_PROJECT);
  }

  /** Of a project; `true` also while nothing of it is known. */
  hasMoreOf(projectId: string): boolean {
    return this.#knownTo[projectId] !== null;
  }

  /** Whether the chats of a project were asked for. */
  isKnown(projectId: string): boolean {
    return this.#knownTo[projectId] !== undefined;
  }

  /** What is known of the chats of a project that are neither pinned nor archived. */
  inProject(projectId: string): readonly Chat[] {
    return this.#byProject.get(projectId) ?? NONE;
  }

  /** How far chats are known, as something that changes with it. */
  get end(): string {
    return this.#knownTo[NO_PROJECT]?.id ?? '';
  }

  /** What is known of a chat, archived ones included. */
  find(chatId: string): Chat | undefined {
    return this.#all.find(({ id }) => id === chatId);
  }

  /** Takes what the stream tells. */
  take(event: ChatListEvent): void {
    if (event.type === 'relist') void this.#relisting.now();
    else {
      if (this.#asking > 0) this.#meanwhile.push(event);
      this.#apply(event);
    }
  }

  /** Asks for the next page of older chats, of a project or of those in none. Rejects as the API does. */
  async loadMore(projectId = NO_PROJECT): Promise<void> {
    // Those that are known are the first of the list, however many have come or gone since they were asked for.
    await this.#loadPage(projectId, Math.floor(this.#countKnown(projectId) / MAX_PAGE_SIZE) + 1, true);
  }

  /** Asks for all archived chats. Rejects as the API does. */
  async loadArchived(): Promise<void> {
    const list = (page: number): Promise<ChatList> =>
      this.#api.listChats(page, MAX_PAGE_SIZE, { archived: 'only' });
    await this.#loadAll(list, (chat) => chat.archived);
    this.#isArchiveKnown = true;
  }

  /** Puts in what is known of one chat from elsewhere. */
  note(chat: Chat): void {
    if (chat.deletedAt !== undefined) this.forget(chat.id);
    else {
      if (this.#asking > 0) this.#meanwhile.push({ type: 'chats', chats: [chat], gone: [] });
      this.#told = mergeChats(this.#told, [chat]);
    }
  }

  /** Takes off a chat that is known not to exist any more. */
  forget(chatId: string): void {
    this.take({ type: 'chats', chats: [], gone: [chatId] });
  }

  /** A project was just made: it has no chats to ask for. */
  startProject(projectId: string): void {
    this.#knownTo = { [projectId]: null, ...this.#knownTo };
  }

  /** A project is no more: its chats are in none, or are gone with it. */
  leaveProject(projectId: string, left: 'keep' | 'delete'): void {
    const leaving = (chat: Chat): Chat[] => (left === 'keep' ? [withChange(chat, { projectId: null })] : []);
    this.#told = this.#told.flatMap((chat) => (chat.projectId === projectId ? leaving(chat) : chat));
    this.#knownTo = Object.fromEntries(Object.entries(this.#knownTo).filter(([id]) => id !== projectId));
    void this.#relisting.now();
  }

  /** Ends asking. */
  close(): void {
    this.#relisting.stop();
  }

  /** Changes a chat: shown at once, taken back when the service refuses. Rejects as the API does. */
  async update(chatId: string, change: UpdateChatBody): Promise<Chat> {
    return this.#intend({ chatId, change }, () => this.#api.updateChat(chatId, change));
  }

  /** Deletes a chat, as {@link update} changes one. It can be restored. */
  async delete(chatId: string): Promise<Chat> {
    return this.#intend({ chatId, change: 'gone' }, () => this.#api.deleteChat(chatId));
  }

  /** Brings a deleted chat back. Rejects as the API does. */
  async restore(chatId: string): Promise<Chat> {
    const chat = await this.#api.restoreChat(chatId);
    this.note(chat);
    return chat;
  }

  /** Moves a chat out of the workspace. Rejects as the API does. */
  async moveAway(chatId: string, workspaceId: string): Promise<Chat> {
    return this.#intend({ chatId, change: 'gone' }, () => this.#api.moveChat(chatId, workspaceId));
  }

  /** Moves a chat back into the workspace, and into its project. Rejects as the API does. */
  async moveBack(moved: Chat): Promise<Chat> {
    const chat = await this.#api.moveChat(moved.id, moved.workspaceId, moved.projectId ?? null);
    this.note(chat);
    return chat;
  }

  async #intend(intent: Intent, work: () => Promise<Chat>): Promise<Chat> {
    this.#intents = [...this.#intents, intent];
    try {
      const chat = await work();
      if (intent.change === 'gone') this.forget(intent.chatId);
      else this.note(chat);
      return chat;
    } finally {
      this.#intents = this.#intents.filter((other) => other !== intent);
    }
  }

  #apply(event: ChatListEvent): void {
    if (event.type === 'chats') {
      const kept = this.#told.filter(({ id }) => !event.gone.includes(id));
      const told = event.chats.filter(
        (chat) => kept.some(({ id }) => id === chat.id) || this.#isInReach(chat),
      );
      this.#told = mergeChats(kept.length === this.#told.length ? this.#told : kept, told);
    } else if (event.type === 'queue') {
      const moved = this.#told.flatMap((chat) => {
        const queuePosition = event.positions[chat.id];
        return queuePosition === undefined || chat.queuePosition === undefined
          ? []
          : [{ ...chat, queuePosition }];
      });
      this.#told = mergeChats(this.#told, moved);
    }
  }

  /** Whether a chat belongs to the part of the lists that is known. */
  #isInReach(chat: Chat): boolean {
    if (chat.archived) return this.#isArchiveKnown;
    return chat.pinned || this.#isBeforeEnd(chat);
  }

  #isBeforeEnd(chat: Chat): boolean {
    const knownTo = this.#knownTo[chat.projectId ?? NO_PROJECT];
    return knownTo === null || (knownTo !== undefined && compareChats(chat, knownTo) <= 0);
  }

  #countKnown(projectId: string): number {
    return this.#told.filter((chat) => isOtherOf(projectId)(chat) && this.#isBeforeEnd(chat)).length;
  }

  /** Asks again for all that is known. */
  async #relist(): Promise<void> {
    for (const { id } of this.#openProjects()) this.#knownTo = { [id]: BEFORE_ALL, ...this.#knownTo };
    const pages = Math.ceil(this.#countKnown(NO_PROJECT) / MAX_PAGE_SIZE);
    const listPinned = (page: number): Promise<ChatList> =>
      this.#api.listChats(page, MAX_PAGE_SIZE, { pinned: 'true' });
    await Promise.all([
      this.#loadAll(listPinned, (chat) => chat.pinned && !chat.archived),
      this.#loadPage(NO_PROJECT, 1, pages <= 1),
    ]);
    this.loaded = true;
    for (let page = 2; page <= pages; page += 1) await this.#loadPage(NO_PROJECT, page, page === pages);
    for (const projectId of Object.keys(this.#knownTo)) {
      if (projectId !== NO_PROJECT) await this.#relistProject(projectId);
    }
    if (this.#isArchiveKnown) await this.loadArchived();
  }

  async #relistProject(projectId: string): Promise<void> {
    const pages = Math.max(1, Math.ceil(this.#countKnown(projectId) / MAX_PAGE_SIZE));
    for (let page = 1; page <= pages; page += 1) await this.#loadPage(projectId, page, page === pages);
  }

  async #loadPage(projectId: string, page: number, isLastKnown: boolean): Promise<void> {
    const answered = this.#begin();
    try {
      const { data, total } = await this.#api.listChats(page, MAX_PAGE_SIZE, {
        pinned: 'false',
        projectId,
      });
      const isLast = page * MAX_PAGE_SIZE >= total || data.length === 0;
      const holds = isOtherOf(projectId);
      this.#told = withPage(this.#told, { data, isFirst: page === 1, isLast, holds });
      if (isLast) this.#knownTo = { ...this.#knownTo, [projectId]: null };
      else if (isLastKnown) this.#knownTo = { ...this.#knownTo, [projectId]: data.at(-1) ?? null };
    } finally {
      answered();
    }
  }

  async #loadAll(list: (page: number) => Promise<ChatList>, holds: (chat: Chat) => boolean): Promise<void> {
    const answered = this.#begin();
    try {
      const data = (await listAll(list)).filter(holds);
      this.#told = withPage(this.#told, { data, isFirst: true, isLast: true, holds });
    } finally {
      answered();
    }
  }

  /** Begins to fetch a list; call what this returns once it was taken in, so that events that came meanwhile count. */
  #begin(): () => void {
    const from = this.#meanwhile.length;
    this.#asking += 1;
    return () => {
      const told = this.#meanwhile.slice(from);
      this.#asking -= 1;
      if (this.#asking === 0) this.#meanwhile = [];
      for (const event of told) this.#apply(event);
    };
  }
}
