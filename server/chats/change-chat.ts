/** Changes to a chat as a whole: rename, mark, move, delete, restore. */
import type { Chat, UpdateChatBody } from '../../shared/api/chat.ts';
import { isUnsettled } from '../../shared/choices.ts';
import { readName } from '../lib/clean-name.ts';
import { AppError } from '../errors.ts';
import { definedFields } from '../lib/defined-fields.ts';
import { withTimeout } from '../lib/with-timeout.ts';
import type { Processor } from '../turns/processor.ts';
import { CHANGEABLE, toChat, type ChatStanding } from '../store/chat-columns.ts';
import {
  countChats,
  findChatIn,
  findDeletedChat,
  isInWorkspace,
  moveChatTo,
  updateChatDeletedAt,
  updateChatMarks,
  updateDeletedChats,
  type ChatMarks,
  type ChatTarget,
  type StoredChat,
} from '../store/chat-repository.ts';
import { ERASED_AT, restorableSince, steadyNow } from './steady-time.ts';
import type { Reader } from '../store/types.ts';
import { requireModel, requireProject } from './check-message.ts';
import type { ServiceDeps } from './deps.ts';
import type { Purge } from './purge.ts';

interface Destination {
  /** An existing workspace. */
  workspaceId: string;
  /** One of its projects; null: none. */
  projectId: string | null;
}

const ANY_TIME = '';
/** How long the response to a permanent deletion waits for the text to leave the files. */
const ERASE_WAIT_MS = 10_000;

/**
 * Changing chats. Each resolves once it is on disk, with null when there is no such chat, and rejects with AppError when
 * the store refuses.
 */
export type ChatChanges = ReturnType<typeof createChatChanges>;

/** Creates the part of the service that changes chats. */
export function createChatChanges({
  store,
  processor,
  purge,
  clock,
}: Pick<ServiceDeps, 'store' | 'clock'> & {
  processor: Pick<Processor, 'stop'> & ChatStanding;
  purge: Pick<Purge, 'sweep'>;
}) {
  const asChat = (chat: StoredChat): Chat => toChat(chat, processor);
  const now = (): string => store.read((reader) => steadyNow(reader, clock()));

  /** Stops and hides the chat in one transaction, so nothing in it continues whatever happens next. */
  async function hide({ chatId }: ChatTarget, deletedAt: string): Promise<StoredChat | null> {
    return processor.stop(chatId, (writer) => updateChatDeletedAt(writer, chatId, deletedAt));
  }

  /**
   * Erases what is due; true once no file holds it any more. The deletion is on disk by then, so it isn't reported as refused if this
   * fails.
   */
  async function sweep(): Promise<boolean> {
    let isErased = false;
    const sweeping = purge.sweep().then(
      () => (isErased = true),
      () => undefined,
    );
    await withTimeout(ERASE_WAIT_MS, sweeping);
    return isErased;
  }

  const findLive = (target: ChatTarget): StoredChat | null =>
    store.read((reader) => findChatIn(reader, target.chatId, target.workspaceId));

  return {
    /** Changes the given fields; a running turn continues. Rejects with AppError `invalid_request`. */
    update(target: ChatTarget, change: Omit<UpdateChatBody, 'workspaceId'>): Promise<Chat | null> {
      const wanted = marksOf(change);
      return store.write((writer) => {
        requireModel(writer, wanted.model);
        const chat = findChatIn(writer, target.chatId, target.workspaceId);
        if (chat === null) return null;
        requireProject(writer, chat.workspaceId, wanted.projectId ?? null);
        const changed = { ...chat, ...wanted };
        if (CHANGEABLE.some((mark) => changed[mark] !== chat[mark]))
          updateChatMarks(writer, changed, chat.id);
        return asChat(changed);
      });
    },
    /**
     * Moves a chat to a workspace in one transaction. If it is already there, only its project changes. Rejects with
     * AppError `chat_busy`, or `invalid_request` about the project.
     */
    move: (target: ChatTarget, { workspaceId, projectId }: Destination): Promise<Chat | null> =>
      store.write((writer) => {
        const chat = findChatIn(writer, target.chatId, target.workspaceId);
        if (chat === null) return null;
        requireProject(writer, workspaceId, projectId);
        const moved = { ...chat, workspaceId, projectId };
        if (chat.workspaceId !== workspaceId) {
          // A running turn would have read another workspace.
          if (isUnsettled(chat.status)) throw new AppError('chat_busy');
          moveChatTo(writer, chat, workspaceId, projectId);
        } else if (chat.projectId !== projectId) updateChatMarks(writer, moved, chat.id);
        return asChat(moved);
      }),
    /** Stops and hides the chat. It can be restored for `RESTORE_WINDOW_DAYS`. */
    async remove(target: ChatTarget): Promise<Chat | null> {
      if (findLive(target) === null) return null;
      const deletedAt = now();
      const chat = await hide(target, deletedAt);
      return chat && asChat({ ...chat, deletedAt });
    },
    /**
     * Removes a chat, a deleted one too, for good. Once this resolves no client can ever read it again, and with `isErased` no file of
     * the store holds its text any more; else that goes on by itself, since it takes long or the disk has no room for it.
     */
    async erase(target: ChatTarget): Promise<{ chat: Chat; isErased: boolean } | null> {
      const deletedAt = now();
      const chat =
        findLive(target) !== null
          ? await hide(target, ERASED_AT)
          : await store.write((writer) => {
              const deleted = findDeleted(writer, target, ANY_TIME);
              if (deleted !== null) updateChatDeletedAt(writer, deleted.id, ERASED_AT);
              return deleted;
            });
      return chat && { chat: asChat({ ...chat, deletedAt }), isErased: await sweep() };
    },
    /** Removes a workspace's deleted chats for good; otherwise as `erase`. */
    async eraseDeleted(workspaceId: string): Promise<{ count: number; isErased: boolean }> {
      const count = await store.write((writer) => {
        const found = countChats(writer, { workspaceId, archived: 'with', deletedSince: ERASED_AT });
        updateDeletedChats(writer, workspaceId, ERASED_AT, ERASED_AT);
        return found;
      });
      return { count, isErased: await sweep() };
    },
    /** Restores a deleted chat. A chat that isn't deleted is returned as it is, so a repeat is harmless. */
    restore: (target: ChatTarget): Promise<Chat | null> =>
      store.write((writer) => {
        const chat = findDeleted(writer, target, restorableSince(writer, clock()));
        if (chat === null) {
          const live = findChatIn(writer, target.chatId, target.workspaceId);
          return live && asChat(live);
        }
        updateChatDeletedAt(writer, chat.id, null);
        return asChat({ ...chat, deletedAt: null });
      }),
  };
}

function findDeleted(reader: Reader, target: ChatTarget, since: string): StoredChat | null {
  const chat = findDeletedChat(reader, target.chatId, since);
  return chat !== null && isInWorkspace(chat, target.workspaceId) ? chat : null;
}

/** The columns to store for a change. Throws AppError `invalid_request` for an invalid title. */
function marksOf(change: Omit<UpdateChatBody, 'workspaceId'>): Partial<ChatMarks> {
  const marks = definedFields(change, CHANGEABLE) as Partial<ChatMarks>;
  if (marks.parameters && Object.keys(marks.parameters).length === 0) marks.parameters = null;
  if (change.title === undefined) return marks;
  return { ...marks, title: readName(change.title, 'title'), titleSource: 'person' };
}
