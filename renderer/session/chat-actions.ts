import type { Chat } from '../../shared/api/chat.ts';
import type { ExportFormat } from '../../shared/api/data.ts';
import type { Project } from '../../shared/api/project.ts';
import type { Workspace } from '../../shared/api/workspace.ts';
import { MAX_PAGE_SIZE } from '../../shared/limits.ts';
import { exportChats } from '../api/files.ts';
import { listAll } from '../chats/chat-list.ts';
import { words } from '../lib/words/index.ts';
import type { IconName } from '../ui/icons.ts';
import type { MenuItem } from '../ui/menu-item.ts';
import type { ToastContent } from '../ui/toasts.svelte.ts';
import type { Shell } from './shell.svelte.ts';
import type { Workbench } from './workbench.svelte.ts';

/** Requests at a time: the page's other requests must not wait for them. */
const AT_ONCE = 3;

/** Something that can be done with a chat: a line of its menu, and a command. */
export interface ChatAction extends Omit<MenuItem, 'run'> {
  id: string;
  icon: IconName;
  /** Its name as a command; absent: it is only in the menu. */
  command?: string;
  keywords?: string;
  shortcut?: string;
  run: () => void | Promise<void>;
}

const action = (
  name: string,
  icon: IconName,
  label: string,
  run: ChatAction['run'],
  more: Partial<ChatAction> = {},
): ChatAction => ({ id: `chat.${name}`, icon, label, run, ...more });

interface Consequences {
  undo?: (chat: Chat) => Promise<unknown>;
  /** They are about to go, so the open one is left. */
  leaves?: boolean;
  /** The sentences for chats that were refused, at first and by the Undo. */
  failed?: typeof words.bulk.notChanged;
  notUndone?: typeof words.bulk.notChanged;
}

/** The part of the shell that these actions use. */
type Around = Pick<Shell, 'route' | 'selection' | 'layer' | 'startNewChat' | 'go'>;

/**
 * Actions on one or several chats from outside them. None rejects: a toast shows the outcome, with an Undo, and another what was
 * refused.
 */
export class ChatActions {
  readonly #workbench: Workbench;
  readonly #shell: Around;
  /** The `updatedAt` of each chat that was seen and isn't confirmed as read yet. */
  readonly #seenAt = new Map<string, string>();

  constructor(workbench: Workbench, shell: Around) {
    this.#workbench = workbench;
    this.#shell = shell;
  }

  /** If it is refused, the toast's Retry still has the title. */
  async rename(chat: Chat, title: string): Promise<void> {
    const again = { label: words.ui.retry, run: () => this.rename(chat, title) };
    await this.#each([chat], ({ id }) => this.#workbench.chats.update(id, { title }), undefined, again);
  }

  async setPinned(chat: Chat, pinned: boolean): Promise<void> {
    await this.#each([chat], ({ id }) => this.#workbench.chats.update(id, { pinned }));
  }

  /**
   * Marks a chat as read once its last reply was looked at; failures are ignored. While the request is under way, or after it
   * was refused, the chat is unread again: that alone is no reason to ask once more.
   */
  async noteSeen({ id, updatedAt }: Chat): Promise<void> {
    const { chats, connection } = this.#workbench;
    if (this.#seenAt.get(id) === updatedAt) return;
    this.#seenAt.set(id, updatedAt);
    const mark = (): Promise<Chat> => chats.update(id, { unread: false });
    const isLatest = (): boolean => this.#seenAt.get(id) === updatedAt;
    const isDone = await connection.untilAnswered(mark, isLatest).then(
      (chat) => chat !== null,
      () => false,
    );
    // It may be marked as unread again on purpose.
    if (isDone && isLatest()) this.#seenAt.delete(id);
  }

  async markRead(chats: readonly Chat[]): Promise<void> {
    const unread = chats.filter((chat) => chat.unread === true);
    const mark = ({ id }: Chat): Promise<Chat> => this.#workbench.chats.update(id, { unread: false });
    await this.#do(unread, mark, words.bulk.read);
  }

  /** Marks all chats of the workspace that aren't archived as read, even those the list hasn't loaded yet. */
  async markAllRead(): Promise<void> {
    try {
      await this.markRead(await listAll((page) => this.#workbench.api.listChats(page, MAX_PAGE_SIZE)));
    } catch (problem) {
      this.#workbench.toasts.complain(problem, words.bulk.notListed);
    }
  }

  async setArchived(chats: readonly Chat[], archived: boolean): Promise<void> {
    const set = (to: boolean) => (chat: Chat) => this.#workbench.chats.update(chat.id, { archived: to });
    const notice = archived ? words.bulk.archived : words.bulk.unarchived;
    await this.#do(chats, set(archived), notice, { undo: set(!archived), leaves: archived });
  }

  async delete(chats: readonly Chat[]): Promise<void> {
    const { chats: known } = this.#workbench;
    const undo = ({ id }: Chat): Promise<Chat> => known.restore(id);
    const { deleted, notDeleted: failed, notRestored: notUndone } = words.bulk;
    await this.#do(chats, ({ id }) => known.delete(id), deleted, { undo, leaves: true, failed, notUndone });
  }

  /** Null: out of their projects. */
  async moveToProject(chats: readonly Chat[], project: Project | null): Promise<void> {
    const to = project?.id ?? null;
    const put = (chat: Chat, projectId: string | null): Promise<Chat> =>
      this.#workbench.chats.update(chat.id, { projectId });
    const moving = chats.filter(({ projectId = null }) => projectId !== to);
    const notice = (moved: readonly Chat[]): string =>
      project === null ? words.projects.takenOut(moved) : words.projects.moved(moved, project.name);
    const undo = (chat: Chat): Promise<Chat> => put(chat, chat.projectId ?? null);
    await this.#do(moving, (chat) => put(chat, to), notice, { undo });
  }

  async moveToWorkspace(chats: readonly Chat[], { id, name }: Workspace): Promise<void> {
    const { chats: known } = this.#workbench;
    const notice = (moved: readonly Chat[]): string => words.projects.moved(moved, name);
    const undo = (chat: Chat): Promise<Chat> => known.moveBack(chat);
    await this.#do(chats, (chat) => known.moveAway(chat.id, id), notice, { undo, leaves: true });
  }

  async export(chats: readonly Chat[], format: ExportFormat): Promise<void> {
    try {
      await exportChats(this.#workbench.api, chats, format);
    } catch (problem) {
      this.#workbench.toasts.complain(problem, (reason) => words.bulk.notExported(chats, reason));
    }
  }

  /** All that can be done with a chat; `rename` opens the title's input, which is next to the menu. */
  of(chat: Chat, rename: () => void): ChatAction[] {
    const { commands, projects, sidebar, ui } = words;
    const [pin, archive] = [chat.pinned ? 'unpin' : 'pin', chat.archived ? 'unarchive' : 'archive'] as const;
    const move = (to: 'project' | 'workspace'): void =>
      void (this.#shell.layer = { kind: 'move', chats: [chat], to });
    const { keywords } = commands;
    const { moveToWorkspace } = projects;
    const toWorkspace = action('move_to_workspace', 'switch', moveToWorkspace, () => move('workspace'), {
      command: moveToWorkspace,
    });
    return [
      action('rename', 'pencil', sidebar.rename, rename, { command: commands.rename, shortcut: 'f2' }),
      action('select', 'check', sidebar.select, () => this.#shell.selection.begin(chat.id)),
      action('pin', pin, sidebar[pin], () => this.setPinned(chat, !chat.pinned), { command: commands[pin] }),
      action('archive', archive, sidebar[archive], () => this.setArchived([chat], !chat.archived), {
        command: commands[archive],
      }),
      action('move_to_project', 'project', projects.moveToProject, () => move('project'), {
        command: projects.moveToProject,
        keywords: projects.keywords,
        separated: true,
      }),
      ...(this.#workbench.workspaces.items.length < 2 ? [] : [toWorkspace]),
      action('export_markdown', 'download', sidebar.exportMarkdown, () => this.export([chat], 'markdown'), {
        command: commands.exportMarkdown,
        keywords: keywords.export,
        separated: true,
      }),
      action('export_json', 'download', sidebar.exportJson, () => this.export([chat], 'json'), {
        command: commands.exportJson,
        keywords: keywords.export,
      }),
      action('delete', 'trash', ui.delete, () => this.delete([chat]), {
        command: commands.delete,
        keywords: keywords.delete,
        shortcut: 'mod+shift+backspace',
        danger: true,
        separated: true,
      }),
    ];
  }

  async #do(
    chats: readonly Chat[],
    change: (chat: Chat) => Promise<unknown>,
    notice: (changed: readonly Chat[]) => string,
    { undo, leaves = false, failed, notUndone }: Consequences = {},
  ): Promise<void> {
    const comeBack = leaves ? this.#leave(chats) : () => undefined;
    const done = await this.#each(chats, change, failed);
    comeBack(chats.filter((chat) => !done.includes(chat)));
    if (done.length === 0 && chats.length > 0) return;
    const action = undo && {
      label: words.ui.undo,
      run: async () => comeBack(await this.#each(done, undo, notUndone)),
    };
    this.#workbench.toasts.show({ text: notice(done), ...(action && done.length > 0 && { action }) });
  }

  /** Changes each, a few at a time; a failure doesn't stop the others. Resolves with those that were changed. */
  async #each(
    chats: readonly Chat[],
    change: (chat: Chat) => Promise<unknown>,
    failed = words.bulk.notChanged,
    again?: ToastContent['action'],
  ): Promise<Chat[]> {
    const waiting = [...chats];
    const done: Chat[] = [];
    let problem: unknown = null;
    const work = async (): Promise<void> => {
      for (let chat = waiting.shift(); chat !== undefined; chat = waiting.shift()) {
        try {
          await change(chat);
          done.push(chat);
        } catch (refusal) {
          problem ??= refusal;
        }
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    const refused = chats.filter((chat) => !done.includes(chat));
    if (refused.length > 0)
      this.#workbench.toasts.complain(problem, (reason) => failed(refused, reason), again);
    return done;
  }

  /** Leaves the open chat if it is one of these; the result comes back if it is among those given, unless the person has moved on since. */
  #leave(chats: readonly Chat[]): (kept: readonly Chat[]) => void {
    const [workbench, shell] = [this.#workbench, this.#shell];
    const { chatId } = workbench.conversation;
    const holdsIt = (some: readonly Chat[]): boolean => some.some(({ id }) => id === chatId);
    if (!holdsIt(chats)) return () => undefined;
    shell.startNewChat();
    const left = workbench.conversation;
    return (kept) => {
      if (holdsIt(kept) && workbench.conversation === left && shell.route.view === 'chat')
        shell.go({ view: 'chat', chatId });
    };
  }
}
