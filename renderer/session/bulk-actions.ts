import type { Chat } from '../../shared/api/chat.ts';
import type { Project } from '../../shared/api/project.ts';
import type { Workspace } from '../../shared/api/workspace.ts';
import { MAX_PAGE_SIZE } from '../../shared/limits.ts';
import { exportChats, type ExportFormat } from '../api/files.ts';
import { describeProblem } from '../api/problem-words.ts';
import { words } from '../lib/words/index.ts';
import type { ChatActions } from './chat-actions.svelte.ts';
import type { Workbench } from './workbench.svelte.ts';

/** Requests at a time: the page's other requests must not wait for them. */
const AT_ONCE = 3;

type Parts = Pick<Workbench, 'api' | 'chats' | 'toasts'>;

/** Actions on several chats at once. None rejects: the outcome is shown in one toast, with an Undo. */
export class BulkActions {
  readonly #parts: Parts;
  readonly #actions: Pick<ChatActions, 'leave'>;

  constructor(parts: Parts, actions: Pick<ChatActions, 'leave'>) {
    this.#parts = parts;
    this.#actions = actions;
  }

  async setArchived(chats: readonly Chat[], archived: boolean): Promise<void> {
    const set = (to: boolean) => (chat: Chat) => this.#parts.chats.update(chat.id, { archived: to });
    const text = archived ? words.bulk.archived : words.bulk.unarchived;
    await this.#do(chats, set(archived), text, { leaves: archived, undo: set(!archived) });
  }

  async delete(chats: readonly Chat[]): Promise<void> {
    const { chats: known } = this.#parts;
    const undo = (chat: Chat): Promise<Chat> => known.restore(chat.id);
    await this.#do(chats, (chat) => known.delete(chat.id), words.bulk.deleted, { leaves: true, undo });
  }

  /** Null: out of their projects. */
  async moveToProject(chats: readonly Chat[], project: Project | null): Promise<void> {
    const put = (chat: Chat, projectId: string | null): Promise<Chat> =>
      this.#parts.chats.update(chat.id, { projectId });
    const to = project?.id ?? null;
    const moving = chats.filter(({ projectId = null }) => projectId !== to);
    const text = (count: number): string =>
      project === null ? words.projects.takenOut(count) : words.projects.moved(count, project.name);
    const undo = (chat: Chat): Promise<Chat> => put(chat, chat.projectId ?? null);
    await this.#do(moving, (chat) => put(chat, to), text, { leaves: false, undo });
  }

  async moveToWorkspace(chats: readonly Chat[], { id, name }: Workspace): Promise<void> {
    const { chats: known } = this.#parts;
    const text = (count: number): string => words.projects.moved(count, name);
    const undo = (chat: Chat): Promise<Chat> => known.moveBack(chat);
    await this.#do(chats, (chat) => known.moveAway(chat.id, id), text, { leaves: true, undo });
  }

  async markRead(chats: readonly Chat[]): Promise<void> {
    const unread = chats.filter((chat) => chat.unread === true);
    await this.#do(
      unread,
      (chat) => this.#parts.chats.update(chat.id, { unread: false }),
      words.bulk.read,
      null,
    );
  }

  /** Marks all chats of the workspace that aren't archived as read, even those the list hasn't loaded yet. */
  async markAllRead(): Promise<void> {
    const { api, toasts } = this.#parts;
    try {
      const unread: Chat[] = [];
      for (let page = 1; ; page += 1) {
        const { data, total } = await api.listChats(page, MAX_PAGE_SIZE);
        unread.push(...data.filter((chat) => chat.unread === true));
        if (data.length === 0 || page * MAX_PAGE_SIZE >= total) break;
      }
      await this.markRead(unread);
    } catch (problem) {
      toasts.show({ text: words.bulk.notListed(describeProblem(problem)), kind: 'problem' });
    }
  }

  async export(chats: readonly Chat[], format: ExportFormat): Promise<void> {
    try {
      await exportChats(this.#parts.api, chats, format);
    } catch (problem) {
      this.#parts.toasts.show({ text: words.bulk.notExported(describeProblem(problem)), kind: 'problem' });
    }
  }

  async #do(
    chats: readonly Chat[],
    change: (chat: Chat) => Promise<unknown>,
    text: (count: number) => string,
    back: { leaves: boolean; undo: (chat: Chat) => Promise<unknown> } | null,
  ): Promise<void> {
    const { toasts } = this.#parts;
    const leaving = back?.leaves === true ? chats.map((chat) => this.#actions.leave(chat)) : [];
    const goBack = (): void => leaving.forEach(({ undo }) => undo());
    const { done, problem } = await each(chats, change);
    if (problem !== null) {
      if (done.length === 0) goBack();
      const reason = words.bulk.notAll(chats.length - done.length, describeProblem(problem));
      toasts.show({ text: reason, kind: 'problem' });
    }
    if (done.length === 0) {
      if (problem === null) toasts.show({ text: text(0) });
      return;
    }
    const undo = async (): Promise<void> => {
      if (back === null) return;
      const undone = await each(done, back.undo);
      if (undone.problem === null) goBack();
      else {
        const reason = words.bulk.notAll(done.length - undone.done.length, describeProblem(undone.problem));
        toasts.show({ text: reason, kind: 'problem' });
      }
    };
    toasts.show({
      text: text(done.length),
      ...(back !== null && { action: { label: words.ui.undo, run: undo } }),
    });
  }
}

/** Changes each, a few at a time; a failure doesn't stop the others. `problem` is the first failure. */
async function each(
  chats: readonly Chat[],
  change: (chat: Chat) => Promise<unknown>,
): Promise<{ done: Chat[]; problem: unknown }> {
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
  return { done, problem };
}
