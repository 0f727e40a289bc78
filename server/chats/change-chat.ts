/** What people do to a chat as a whole: naming, marking, moving, deleting and restoring it. */
import { isUnsettled, type Chat, type UpdateChatBody } from '../../shared/api/chat.ts';
import { readName } from '../lib/clean-name.ts';
import { AppError } from '../errors.ts';
import { definedFields } from '../lib/defined-fields.ts';
import { withTimeout } from '../lib/with-timeout.ts';
import type { Processor } from '../turns/processor.ts';
import { CHANGEABLE } from '../store/chat-columns.ts';
import {
  findChatIn,
  findDeletedChat,
  isInWorkspace,
  updateChatDeletedAt,
  updateChatMarks,
  type ChatMarks,
  type StoredChat,
} from '../store/chat-repository.ts';
import { ERASED_AT, restorableSince, seenNow } from './seen-time.ts';
import { moveChatTo } from '../store/move-repository.ts';
import type { Reader } from '../store/types.ts';
import { toChat, type ChatStanding } from '../store/chat-object.ts';
import { requireModel, requireProject } from './check-message.ts';
import type { ChatTarget, ServiceDeps } from './deps.ts';
import type { Purge } from './purge.ts';

/** Where a chat is to go. */
export interface Destination {
  /** A workspace that is there. */
  workspaceId: string;
  /** One of its projects; null: none. */
  projectId: string | null;
}

const ANY_TIME = '';
/** How long the answer to a deletion for good waits for the text to leave the files. */
const ERASE_WAIT_MS = 10_000;

/**
 * Changing chats. Each resolves once it is on disk, with null when there is no such chat, and rejects with AppError when
 * the store refuses.
 */
export type ChatChanges = ReturnType<typeof createChatChanges>;

/** Makes the part of the service that changes chats. */
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
  const now = (): string => store.read((reader) => seenNow(reader, clock()));

  /** Ends what the chat does and hides it, in one transaction: whatever happens next, nothing of it goes on. */
  async function hide({ chatId }: ChatTarget, deletedAt: string): Promise<StoredChat | null> {
    return processor.stop(chatId, (writer) => updateChatDeletedAt(writer, chatId, deletedAt));
  }

  const findLive = (target: ChatTarget): StoredChat | null =>
    store.read((reader) => findChatIn(reader, target.chatId, target.workspaceId));

  return {
    /** Changes title and marks, of which what is absent stays; a turn under way goes on. Rejects with AppError `invalid_request`. */
    update(target: ChatTarget, change: Omit<UpdateChatBody, 'workspaceId'>): Promise<Chat | null> {
      const wanted = marksOf(change);
      return store.write((writer) => {
        requireModel(writer, wanted.model);
        const chat = findChatIn(writer, target.chatId, target.workspaceId);
        if (chat === null) return null;
        requireProject(writer, chat.workspaceId, wanted.projectId ?? null);
        const changed = { ...chat, ...wanted };
        if (CHANGEABLE.some((mark) => changed[mark] !== chat[mark]))
          updateChatMarks(writer, chat.id, changed);
        return asChat(changed);
      });
    },
    /**
     * Moves a chat to a workspace, whole in one transaction; one that is there already only changes its project. Rejects with
     * AppError `chat_busy`, or `invalid_request` about the project.
     */
    move: (target: ChatTarget, { workspaceId, projectId }: Destination): Promise<Chat | null> =>
      store.write((writer) => {
        const chat = findChatIn(writer, target.chatId, target.workspaceId);
        if (chat === null) return null;
        requireProject(writer, workspaceId, projectId);
        const moved = { ...chat, workspaceId, projectId };
        if (chat.workspaceId !== workspaceId) {
          // What a turn read of its workspace would be another's.
          if (isUnsettled(chat.status)) throw new AppError('chat_busy');
          moveChatTo(writer, chat, workspaceId, projectId);
        } else if (chat.projectId !== projectId) updateChatMarks(writer, chat.id, moved);
        return asChat(moved);
      }),
    /** Stops what is under way and hides the chat; it can be restored for `RESTORE_WINDOW_DAYS`. */
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
      if (chat === null) return null;
      let isErased = false;
      // The deletion is on disk: whatever becomes of the rest, it must not be told as refused.
      const sweeping = purge.sweep().then(
        () => (isErased = true),
        () => undefined,
      );
      await withTimeout(ERASE_WAIT_MS, sweeping);
      return { chat: asChat({ ...chat, deletedAt }), isErased };
    },
    /** Brings a deleted chat back as it was; one that is there is answered as it is, so that a repeat does no harm. */
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

/** What is to be stored of a change. Throws AppError `invalid_request` for a title that won't do. */
function marksOf(change: Omit<UpdateChatBody, 'workspaceId'>): Partial<ChatMarks> {
  const marks = definedFields(change, CHANGEABLE) as Partial<ChatMarks>;
  if (marks.parameters && Object.keys(marks.parameters).length === 0) marks.parameters = null;
  if (change.title === undefined) return marks;
  return { ...marks, title: readName(change.title, 'title'), titleSource: 'person' };
}
