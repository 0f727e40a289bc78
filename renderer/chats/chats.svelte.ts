import type { Chat, ChatList, UpdateChatBody } from '../../shared/api/chat.ts';
import type { ChatListEvent } from '../../shared/api/event.ts';
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
  withChanges,
  withPage,
  type ChatPosition,
  type PendingChange,
} from './chat-list.ts';

/** The requests used here. */
type ChatListApi = Pick<ApiClient, 'listChats' | 'updateChat' | 'deleteChat' | 'restoreChat' | 'moveChat'>;

const NONE: readonly Chat[] = [];
/** An event with more chats than this doesn't make the list longer. */
const FEW = 10;

/** Nothing is loaded yet. */
const BEFORE_ALL: ChatPosition = { id: '', updatedAt: '~' };

/**
 * The workspace's chats as far as they have been loaded, newest first: loaded page by page, and kept fresh by the
 * stream's events. The service's last state is kept apart from changes a person has just made, which are laid over
 * it until the service answers; so a refused change undoes itself.
 */
export class Chats {
  /** `false` until the first answer. */
  loaded = $state(false);
  readonly #api: ChatListApi;
  readonly #openProjects: () => readonly { id: string }[];
  readonly #relisting: Poller;
  #reported = $state.raw<readonly Chat[]>([]);
  #intents = $state.raw<readonly PendingChange[]>([]);
  /**
   * How far the chats that are neither pinned nor archived are loaded, for each project that was loaded and, under
   * {@link NO_PROJECT}, for those in none; null: to the end.
   */
  #knownTo = $state.raw<Readonly<Record<string, ChatPosition | null>>>({ [NO_PROJECT]: BEFORE_ALL });
  #isArchiveKnown = false;
  /** Events that arrived while a list was being loaded: the list may be older. */
  #meanwhile: ChatListEvent[] = [];
  #requests = 0;

  readonly #all = $derived(withChanges(this.#reported, this.#intents));
  readonly items = $derived(this.#all.filter(({ archived }) => !archived));
  readonly archived = $derived(this.#all.filter(({ archived }) => archived));
  readonly pinned = $derived(this.items.filter(({ pinned }) => pinned));
  readonly #byProject = $derived(byProject(this.items));
  /** Those that are neither pinned nor in a project. */
  readonly others = $derived(this.inProject(NO_PROJECT));
  /** In the order in which the page lists them. */
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

  /** Whether there are older chats to load. */
  get hasMore(): boolean {
    return this.loaded && this.hasMoreOf(NO_PROJECT);
  }

  /** The same for a project; `true` also if none of its chats are loaded. */
  hasMoreOf(projectId: string): boolean {
    return this.#knownTo[projectId] !== null;
  }

  isKnown(projectId: string): boolean {
    return this.#knownTo[projectId] !== undefined;
  }

  /** The loaded chats of a project that are neither pinned nor archived. */
  inProject(projectId: string): readonly Chat[] {
    return this.#byProject.get(projectId) ?? NONE;
  }

  /** Changes whenever more or fewer chats are loaded. */
  get end(): string {
    return this.#knownTo[NO_PROJECT]?.id ?? '';
  }

  /** A loaded chat, archived ones included. */
  find(chatId: string): Chat | undefined {
    return this.#all.find(({ id }) => id === chatId);
  }

  take(event: ChatListEvent): void {
    if (event.type === 'relist') void this.#relisting.now();
    else {
      if (this.#requests > 0) this.#meanwhile.push(event);
      this.#apply(event);
    }
  }

  /** Loads the next page of older chats, of a project or of those in none. Rejects as the API does. */
  async loadMore(projectId = NO_PROJECT): Promise<void> {
    // The loaded chats are always the first of the list, however many have come or gone since they were loaded.
    await this.#loadPage(projectId, Math.floor(this.#knownOf(projectId).length / MAX_PAGE_SIZE) + 1, true);
  }

  /** Loads all archived chats. Rejects as the API does. */
  async loadArchived(): Promise<void> {
    const list = (page: number): Promise<ChatList> =>
      this.#api.listChats(page, MAX_PAGE_SIZE, { archived: 'only' });
    await this.#loadAll(list, (chat) => chat.archived);
    this.#isArchiveKnown = true;
  }

  /** Adds or updates a chat that came from elsewhere. */
  note(chat: Chat): void {
    if (chat.deletedAt !== undefined) this.forget(chat.id);
    else {
      if (this.#requests > 0) this.#meanwhile.push({ type: 'chats', chats: [chat], gone: [] });
      this.#reported = mergeChats(this.#reported, [chat]);
    }
  }

  forget(chatId: string): void {
    this.take({ type: 'chats', chats: [], gone: [chatId] });
  }

  /** A project was just created: it has no chats to load. */
  startProject(projectId: string): void {
    this.#knownTo = { [projectId]: null, ...this.#knownTo };
  }

  close(): void {
    this.#relisting.stop();
  }

  /** Changes a chat: shown at once, undone when the service refuses. Rejects as the API does. */
  async update(chatId: string, change: UpdateChatBody): Promise<Chat> {
    return this.#intend({ chatId, change }, () => this.#api.updateChat(chatId, change));
  }

  /** Deletes a chat; shown at once like {@link update}. It can be restored. */
  async delete(chatId: string): Promise<Chat> {
    return this.#intend({ chatId, change: 'gone' }, () => this.#api.deleteChat(chatId));
  }

  /** Restores a deleted chat. Rejects as the API does. */
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

  async #intend(intent: PendingChange, work: () => Promise<Chat>): Promise<Chat> {
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
      const kept = this.#reported.filter(({ id }) => !event.gone.includes(id));
      const changed = event.chats.filter(
        (chat) => kept.some(({ id }) => id === chat.id) || this.#isInReach(chat),
      );
      const shown = Math.max(MAX_PAGE_SIZE, this.#knownOf(NO_PROJECT).length);
      this.#reported = mergeChats(kept.length === this.#reported.length ? this.#reported : kept, changed);
      if (event.chats.length > FEW) this.#keepFirst(shown);
    } else if (event.type === 'queue') {
      const moved = this.#reported.flatMap((chat) => {
        const queuePosition = event.positions[chat.id];
        return queuePosition === undefined || chat.queuePosition === undefined
          ? []
          : [{ ...chat, queuePosition }];
      });
      this.#reported = mergeChats(this.#reported, moved);
    }
  }

  /** Keeps only the first chats of the list, so that an import doesn't lengthen it; the rest is loaded when a person scrolls there. */
  #keepFirst(count: number): void {
    const [end, next] = this.#knownOf(NO_PROJECT).slice(count - 1);
    if (end === undefined || next === undefined) return;
    this.#knownTo = { ...this.#knownTo, [NO_PROJECT]: end };
    this.#reported = this.#reported.filter(
      (chat) => !isOtherOf(NO_PROJECT)(chat) || compareChats(chat, end) <= 0,
    );
  }

  /** Whether a chat belongs to the loaded part of the lists. */
  #isInReach(chat: Chat): boolean {
    if (chat.archived) return this.#isArchiveKnown;
    return chat.pinned || this.#isBeforeEnd(chat);
  }

  #isBeforeEnd(chat: Chat): boolean {
    const knownTo = this.#knownTo[chat.projectId ?? NO_PROJECT];
    return knownTo === null || (knownTo !== undefined && compareChats(chat, knownTo) <= 0);
  }

  #knownOf(projectId: string): Chat[] {
    return this.#reported.filter((chat) => isOtherOf(projectId)(chat) && this.#isBeforeEnd(chat));
  }

  async #relist(): Promise<void> {
    for (const { id } of this.#openProjects()) this.#knownTo = { [id]: BEFORE_ALL, ...this.#knownTo };
    const open = [NO_PROJECT, ...this.#openProjects().map(({ id }) => id)];
    // A project without chats that isn't shown may have been deleted; if it wasn't, opening it loads it again.
    const kept = Object.entries(this.#knownTo).filter(
      ([id]) => open.includes(id) || this.#knownOf(id).length > 0,
    );
    this.#knownTo = Object.fromEntries(kept);
    const pages = Math.ceil(this.#knownOf(NO_PROJECT).length / MAX_PAGE_SIZE);
    const listPinned = (page: number): Promise<ChatList> =>
      this.#api.listChats(page, MAX_PAGE_SIZE, { pinned: 'true' });
    await Promise.all([
      this.#loadAll(listPinned, (chat) => chat.pinned && !chat.archived),
      this.#loadPage(NO_PROJECT, 1, pages <= 1),
    ]);
    this.loaded = true;
    for (let page = 2; page <= pages; page += 1) await this.#loadPage(NO_PROJECT, page, page === pages);
    for (const projectId of Object.keys(this.#knownTo)) {
      if (projectId === NO_PROJECT) continue;
      const last = Math.max(1, Math.ceil(this.#knownOf(projectId).length / MAX_PAGE_SIZE));
      for (let page = 1; page <= last; page += 1) await this.#loadPage(projectId, page, page === last);
    }
    if (this.#isArchiveKnown) await this.loadArchived();
  }

  async #loadPage(projectId: string, page: number, isLastKnown: boolean): Promise<void> {
    const list = (): Promise<ChatList> =>
      this.#api.listChats(page, MAX_PAGE_SIZE, { pinned: 'false', projectId });
    await this.#load(list, ({ data, total }) => {
      const isLast = page * MAX_PAGE_SIZE >= total || data.length === 0;
      const holds = isOtherOf(projectId);
      this.#reported = withPage(this.#reported, { data, isFirst: page === 1, isLast, holds });
      if (isLast) this.#knownTo = { ...this.#knownTo, [projectId]: null };
      else if (isLastKnown) this.#knownTo = { ...this.#knownTo, [projectId]: data.at(-1) ?? null };
    });
  }

  async #loadAll(list: (page: number) => Promise<ChatList>, holds: (chat: Chat) => boolean): Promise<void> {
    await this.#load(
      () => listAll(list),
      (chats) => {
        const data = chats.filter(holds);
        this.#reported = withPage(this.#reported, { data, isFirst: true, isLast: true, holds });
      },
    );
  }

  /** Loads a list and merges it; then events that arrived meanwhile are applied again. */
  async #load<T>(list: () => Promise<T>, merge: (answer: T) => void): Promise<void> {
    const from = this.#meanwhile.length;
    this.#requests += 1;
    try {
      merge(await list());
    } finally {
      const changed = this.#meanwhile.slice(from);
      this.#requests -= 1;
      if (this.#requests === 0) this.#meanwhile = [];
      for (const event of changed) this.#apply(event);
    }
  }
}
