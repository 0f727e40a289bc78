/**
 * What surrounds the conversation: where the window is, the sidebar, and which of the layers above the page is open.
 * It lives as long as its workbench; what should outlast that is kept in the page's storage.
 */
import { createContext, tick } from 'svelte';
import { MediaQuery } from 'svelte/reactivity';
import type { Chat } from '../../shared/api/chat.ts';
import type { Project } from '../../shared/api/project.ts';
import { MESSAGE_BOX_ID } from '../chats/focus-message-box.ts';
import { NEW_CHAT_KEY } from '../chats/kept-drafts.ts';
import { isTyping } from '../lib/shortcuts.ts';
import { clampWidth } from './sidebar-width.ts';
import { lasting } from '../lib/storage.ts';
import { fragmentTo, routeIn, type PageAddress } from '../lib/address.ts';
import { ChatActions } from './chat-actions.ts';
import type { Layer, PlainLayer } from './layer.ts';
import { Selection } from './selection.svelte.ts';
import type { Workbench } from './workbench.svelte.ts';

/** A title that is being changed, and where its input is. */
export interface Renaming {
  chatId: string;
  where: 'sidebar' | 'header';
}

export const SEARCH_ID = 'search-messages';
export const ARCHIVE_ID = 'archived-chats';
/** The buttons that show and hide the sidebar. */
export const SHOW_SIDEBAR_ID = 'show-sidebar';
export const HIDE_SIDEBAR_ID = 'hide-sidebar';
/** How long to wait for the message box, in frames. */
const FOCUS_FRAMES = 60;
const OPEN_AS = 'sidebar';
const WIDTH_AS = 'sidebar.width';

export class Shell {
  readonly workbench: Workbench;
  readonly actions: ChatActions;
  readonly selection = new Selection();
  /** Opens another workspace in this window. */
  readonly switchWorkspace: (workspaceId: string) => void;
  route = $state.raw<PageAddress>(routeIn(location.hash));
  layer = $state.raw<Layer | null>(null);
  renaming = $state.raw<Renaming | null>(null);
  dragged = $state.raw<readonly Chat[]>([]);
  archiveOpen = $state(false);
  /** The sidebar's width in CSS pixels; null: the default of the design. */
  width = $state<number | null>(readWidth());
  resizing = $state(false);
  #drawerOpen = $state(false);
  #columnOpen = $state(lasting.read(OPEN_AS) !== 'closed');
  readonly #narrow = new MediaQuery('max-width: 47.5rem');

  constructor(workbench: Workbench, switchWorkspace: (workspaceId: string) => void) {
    this.workbench = workbench;
    this.switchWorkspace = switchWorkspace;
    this.actions = new ChatActions(workbench, this);
  }

  /** The sidebar covers the conversation when it is open. */
  get narrow(): boolean {
    return this.#narrow.current;
  }

  get sidebarOpen(): boolean {
    return this.narrow ? this.#drawerOpen : this.#columnOpen;
  }

  /** The open chat; null for a new one. In the settings, the one they lead back to. */
  get chat(): Chat | null {
    const { conversation, chats } = this.workbench;
    if (conversation.chatId === null || conversation.missing) return null;
    return chats.find(conversation.chatId) ?? conversation.chat;
  }

  get isChatOnItsWay(): boolean {
    const { conversation } = this.workbench;
    return conversation.chatId !== null && !conversation.missing && this.chat === null;
  }

  /** Follows the address: called when it has changed. */
  follow(): void {
    this.route = routeIn(location.hash);
    if (this.route.view === 'chat') this.workbench.open(this.route.chatId);
    this.#drawerOpen = false;
    this.layer = null;
  }

  show(kind: PlainLayer): void {
    this.layer = { kind };
  }

  /** Lets a person change a project, or create one (null), into which the chats are moved. */
  editProject(project: Project | null, chats: readonly Chat[] = []): void {
    this.layer = { kind: 'project', project, chats };
  }

  go(route: PageAddress): void {
    const fragment = fragmentTo(route);
    if (location.hash === fragment || (fragment === '#/' && location.hash === '')) this.follow();
    else location.hash = fragment;
  }

  /** Opens a new chat, to be created in that project, or in none. */
  startNewChat(projectId?: string): void {
    this.workbench.choices.choose(NEW_CHAT_KEY, { projectId });
    this.go({ view: 'chat', chatId: null });
    this.workbench.open(null);
    this.focusMessage();
  }

  async moveProject(project: Project, position: number): Promise<void> {
    const { projects, toasts } = this.workbench;
    try {
      await projects.update(project.id, { position });
    } catch (problem) {
      toasts.complain(problem);
    }
  }

  /** Shows or hides the sidebar; the focus goes to the button that undoes it. */
  async setSidebar(open: boolean): Promise<void> {
    this.#setOpen(open);
    await tick();
    document.getElementById(open ? HIDE_SIDEBAR_ID : SHOW_SIDEBAR_ID)?.focus();
  }

  setWidth(width: number | null): void {
    this.width = width === null ? null : clampWidth(width, innerWidth);
    lasting.write(WIDTH_AS, this.width === null ? null : String(this.width));
  }

  /** Shows the list of chats, to select several. */
  async selectChats(): Promise<void> {
    this.selection.begin();
    await this.#focusInSidebar('#sidebar [data-chat] input');
  }

  async openArchive(): Promise<void> {
    this.archiveOpen = true;
    await this.#focusInSidebar(`#${ARCHIVE_ID}`);
  }

  async openSearch(): Promise<void> {
    this.layer = null;
    const box = await this.#focusInSidebar(`#${SEARCH_ID}`);
    if (box instanceof HTMLInputElement) box.select();
  }

  /** Lets a person edit the open chat's title in place. */
  renameOpenChat(): void {
    const chat = this.chat;
    if (chat === null) return;
    if (this.route.view !== 'chat') this.go({ view: 'chat', chatId: chat.id });
    this.renaming = { chatId: chat.id, where: 'header' };
  }

  /**
   * Focuses the message box once it is there: after the settings it is yet to be drawn. Someone who has started to type
   * elsewhere meanwhile stays there.
   */
  focusMessage(frames = FOCUS_FRAMES, from = document.activeElement): void {
    requestAnimationFrame(() => {
      const box = document.getElementById(MESSAGE_BOX_ID);
      const now = document.activeElement;
      if (now !== from && now !== box && isTyping(now)) return;
      box?.focus();
      const isWaited = box === null || document.activeElement === document.body;
      if (isWaited && frames > 0) this.focusMessage(frames - 1, document.activeElement);
    });
  }

  /** Opens the chat that many lines below the open one in the list. */
  step(by: 1 | -1): void {
    const { listed } = this.workbench.chats;
    const at = listed.findIndex(({ id }) => id === this.workbench.conversation.chatId);
    const to = at === -1 ? (by === 1 ? 0 : -1) : at + by;
    const chat = listed[to];
    if (chat) this.go({ view: 'chat', chatId: chat.id });
  }

  /** Shows the sidebar, and focuses an element in it. */
  async #focusInSidebar(selector: string): Promise<HTMLElement | null> {
    if (!this.sidebarOpen) this.#setOpen(true);
    await tick();
    const element = document.querySelector<HTMLElement>(selector);
    element?.focus();
    return element;
  }

  #setOpen(open: boolean): void {
    if (this.narrow) {
      this.#drawerOpen = open;
      return;
    }
    this.#columnOpen = open;
    lasting.write(OPEN_AS, open ? null : 'closed');
  }
}

function readWidth(): number | null {
  const stored = Number(lasting.read(WIDTH_AS) ?? Number.NaN);
  return Number.isFinite(stored) && stored > 0 ? stored : null;
}

export const [useShell, provideShell] = createContext<Shell>();
