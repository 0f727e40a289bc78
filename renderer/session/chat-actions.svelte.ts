import type { Chat } from '../../shared/api/chat.ts';
import { describeProblem } from '../api/problem-words.ts';
import { exportChat } from '../api/files.ts';
import { words } from '../lib/words/index.ts';
import type { MenuItem } from '../ui/menu-item.ts';
import type { Place } from '../lib/address.ts';
import type { Selection } from './selection.svelte.ts';
import type { ToastContent } from '../ui/toasts.svelte.ts';
import type { Workbench } from './workbench.svelte.ts';

/** Chats that a person is choosing a new place for. */
export interface Moving {
  chats: readonly Chat[];
  to: 'project' | 'workspace';
}

/** The part of the shell that these actions use. */
interface Around {
  readonly place: Place;
  readonly selection: Selection;
  moving: Moving | null;
  startNewChat(): void;
  go(place: Place): void;
}

/** Actions on a chat from outside it. None rejects: a refusal is shown in a toast. */
export class ChatActions {
  readonly #workbench: Workbench;
  readonly #shell: Around;
  /** The `updatedAt` of each chat that was marked as read and isn't confirmed yet. */
  // eslint-disable-next-line svelte/prefer-svelte-reactivity -- nothing is drawn from it
  readonly #readAt = new Map<string, string>();

  constructor(workbench: Workbench, shell: Around) {
    this.#workbench = workbench;
    this.#shell = shell;
  }

  /** If it is refused, the toast's Retry still has the title. */
  async rename(chat: Chat, title: string): Promise<void> {
    await this.#tryUpdate(chat, { title }, { label: words.ui.retry, run: () => this.rename(chat, title) });
  }

  setPinned(chat: Chat, pinned: boolean): Promise<void> {
    return this.#update(chat, { pinned });
  }

  /**
   * Marks a chat as read once its last reply was looked at; failures are ignored. While the request is under way, or after it
   * was refused, the chat is unread again: that alone is no reason to ask once more.
   */
  async markRead({ id, updatedAt }: Chat): Promise<void> {
    const { chats, connection } = this.#workbench;
    if (this.#readAt.get(id) === updatedAt) return;
    this.#readAt.set(id, updatedAt);
    const ask = (): Promise<Chat> => chats.update(id, { unread: false });
    const isLatest = (): boolean => this.#readAt.get(id) === updatedAt;
    const isDone = await connection.untilAnswered(ask, isLatest).then(
      (chat) => chat !== null,
      () => false,
    );
    // It may be marked as unread again on purpose.
    if (isDone && isLatest()) this.#readAt.delete(id);
  }

  async archive(chat: Chat): Promise<void> {
    const leave = this.leave(chat);
    if (!(await this.#tryUpdate(chat, { archived: true }))) {
      leave.undo();
      return;
    }
    this.#workbench.toasts.show({
      text: words.sidebar.archivedNow(chat.title),
      action: {
        label: words.ui.undo,
        run: async () => {
          if (await this.#tryUpdate(chat, { archived: false })) leave.undo();
        },
      },
    });
  }

  unarchive(chat: Chat): Promise<void> {
    return this.#update(chat, { archived: false });
  }

  async delete(chat: Chat): Promise<void> {
    const { chats } = this.#workbench;
    const leave = this.leave(chat);
    try {
      await chats.delete(chat.id);
    } catch (problem) {
      leave.undo();
      this.#complain(words.sidebar.notDeleted(chat.title, describeProblem(problem)));
      return;
    }
    this.#workbench.toasts.show({
      text: words.sidebar.deleted(chat.title),
      action: {
        label: words.ui.undo,
        run: async () => {
          try {
            await chats.restore(chat.id);
            leave.undo();
          } catch (problem) {
            this.#complain(words.sidebar.notRestored(chat.title, describeProblem(problem)));
          }
        },
      },
    });
  }

  async export(chat: Chat, format: 'markdown' | 'json'): Promise<void> {
    try {
      await exportChat(this.#workbench.api, chat, format);
    } catch (problem) {
      this.#complain(words.sidebar.notExported(chat.title, describeProblem(problem)));
    }
  }

  /** All actions as a menu; `rename` opens the title's input, which is next to the menu. */
  menuOf(chat: Chat, rename: () => void): MenuItem[] {
    const text = words.sidebar;
    return [
      { label: text.rename, icon: 'pencil', run: rename },
      { label: text.select, icon: 'check', run: () => this.#shell.selection.begin(chat.id) },
      chat.pinned
        ? { label: text.unpin, icon: 'unpin', run: () => void this.setPinned(chat, false) }
        : { label: text.pin, icon: 'pin', run: () => void this.setPinned(chat, true) },
      chat.archived
        ? { label: text.unarchive, icon: 'unarchive', run: () => void this.unarchive(chat) }
        : { label: text.archive, icon: 'archive', run: () => void this.archive(chat) },
      {
        label: words.projects.moveToProject,
        icon: 'project',
        separated: true,
        run: () => (this.#shell.moving = { chats: [chat], to: 'project' }),
      },
      ...(this.#workbench.workspaces.items.length > 1
        ? [
            {
              label: words.projects.moveToWorkspace,
              icon: 'switch' as const,
              run: () => (this.#shell.moving = { chats: [chat], to: 'workspace' as const }),
            },
          ]
        : []),
      {
        label: text.exportMarkdown,
        icon: 'download',
        separated: true,
        run: () => void this.export(chat, 'markdown'),
      },
      { label: text.exportJson, icon: 'download', run: () => void this.export(chat, 'json') },
      { label: text.delete, icon: 'trash', danger: true, separated: true, run: () => void this.delete(chat) },
    ];
  }

  /** Leaves a chat that is about to go, if it is the open one; `undo` comes back, unless the person has moved on since. */
  leave(chat: Chat): { undo: () => void } {
    const shell = this.#shell;
    if (this.#workbench.conversation.chatId !== chat.id) return { undo: () => undefined };
    shell.startNewChat();
    const left = this.#workbench.conversation;
    return {
      undo: () => {
        if (this.#workbench.conversation === left && shell.place.view === 'chat')
          shell.go({ view: 'chat', chatId: chat.id });
      },
    };
  }

  async #update(chat: Chat, change: { title?: string; pinned?: boolean; archived?: boolean }): Promise<void> {
    await this.#tryUpdate(chat, change);
  }

  async #tryUpdate(
    chat: Chat,
    change: { title?: string; pinned?: boolean; archived?: boolean },
    again?: ToastContent['action'],
  ): Promise<boolean> {
    try {
      await this.#workbench.chats.update(chat.id, change);
      return true;
    } catch (problem) {
      this.#complain(words.sidebar.notChanged(chat.title, describeProblem(problem)), again);
      return false;
    }
  }

  #complain(text: string, action?: ToastContent['action']): void {
    this.#workbench.toasts.show({ text, kind: 'problem', ...(action && { action }) });
  }
}
