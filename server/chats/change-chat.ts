/** What people do to a chat as a whole: naming, marking, moving, deleting and restoring it. */
import type { Chat, UpdateChatBody } from '../../shared/api/chat.ts';
import { readName } from '../lib/clean-name.ts';
import { isKnownModel, NO_SUCH_MODEL } from '../connections/known-models.ts';
import { invalidField } from '../errors.ts';
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
import { seenNow } from './seen-time.ts';
import type { Reader, Store } from '../store/types.ts';
import { toChat, type ChatStanding } from '../store/chat-object.ts';
import { createChatMover, type Destination } from './move-chat.ts';
import { requireProject } from './projects.ts';
import type { Purge } from './purge.ts';
import { ERASED_AT, restorableSince } from './restore-window.ts';

/** A chat, and where a caller may look for it. */
export interface ChatTarget {
  chatId: string;
  /** Null: any workspace. */
  workspaceId: string | null;
}

/** What a person wants of a chat; what is absent stays as it is. */
export type ChatChange = Omit<UpdateChatBody, 'workspaceId'>;

/**
 * Changing chats. Each resolves once it is on disk, with null when there is no such chat, and rejects with AppError when
 * the store refuses.
 */
export interface ChatChanges {
  /** Changes title and marks; a turn under way goes on. Rejects with AppError `invalid_request`. */
  update(target: ChatTarget, change: ChatChange): Promise<Chat | null>;
  /** Moves a chat to a workspace (move-chat.ts). */
  move(target: ChatTarget, to: Destination): Promise<Chat | null>;
  /** Stops what is under way and hides the chat; it can be restored for `RESTORE_WINDOW_DAYS`. */
  remove(target: ChatTarget): Promise<Chat | null>;
  /**
   * Removes a chat, a deleted one too, for good. Once this resolves no client can ever read it again, and with `isErased` no file of
   * the store holds its text any more; else that goes on by itself, since it takes long or the disk has no room for it.
   */
  erase(target: ChatTarget): Promise<{ chat: Chat; isErased: boolean } | null>;
  /** Brings a deleted chat back as it was; one that is there is answered as it is, so that a repeat does no harm. */
  restore(target: ChatTarget): Promise<Chat | null>;
}

/** What {@link createChatChanges} works with. */
export interface ChatChangeDeps {
  store: Store;
  processor: Pick<Processor, 'stop'> & ChatStanding;
  purge: Pick<Purge, 'sweep'>;
  clock: () => Date;
}

const ANY_TIME = '';
/** How long the answer to a deletion for good waits for the text to leave the files. */
const ERASE_WAIT_MS = 10_000;

/** Makes the part of the service that changes chats. */
export function createChatChanges({ store, processor, purge, clock }: ChatChangeDeps): ChatChanges {
  const asChat = (chat: StoredChat): Chat => toChat(chat, processor);
  const now = (): string => store.read((reader) => seenNow(reader, clock()));

  const update: ChatChanges['update'] = (target, change) => {
    const wanted = marksOf(change);
    const { model } = wanted;
    return store.write((writer) => {
      if (model !== undefined && !isKnownModel(writer, model)) throw invalidField('model', NO_SUCH_MODEL);
      const chat = findChatIn(writer, target.chatId, target.workspaceId);
      if (chat === null) return null;
      if (wanted.projectId !== undefined) requireProject(writer, chat.workspaceId, wanted.projectId);
      const changed = { ...chat, ...wanted };
      if (CHANGEABLE.some((mark) => changed[mark] !== chat[mark])) updateChatMarks(writer, chat.id, changed);
      return asChat(changed);
    });
  };

  /** Ends what the chat does and hides it, in one transaction: whatever happens next, nothing of it goes on. */
  async function hide({ chatId }: ChatTarget, deletedAt: string): Promise<StoredChat | null> {
    return processor.stop(chatId, (writer) => updateChatDeletedAt(writer, chatId, deletedAt));
  }

  const findLive = (target: ChatTarget): StoredChat | null =>
    store.read((reader) => findChatIn(reader, target.chatId, target.workspaceId));

  async function remove(target: ChatTarget): Promise<Chat | null> {
    if (findLive(target) === null) return null;
    const deletedAt = now();
    const chat = await hide(target, deletedAt);
    return chat && asChat({ ...chat, deletedAt });
  }

  const erase: ChatChanges['erase'] = async (target) => {
    const deletedAt = now();
    const isLive = findLive(target) !== null;
    const chat = isLive
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
  };

  const restore: ChatChanges['restore'] = (target) =>
    store.write((writer) => {
      const chat = findDeleted(writer, target, restorableSince(writer, clock()));
      if (chat === null) {
        const live = findChatIn(writer, target.chatId, target.workspaceId);
        return live && asChat(live);
      }
      updateChatDeletedAt(writer, chat.id, null);
      return asChat({ ...chat, deletedAt: null });
    });

  return { update, move: createChatMover(store, asChat), remove, erase, restore };
}

function findDeleted(reader: Reader, target: ChatTarget, since: string): StoredChat | null {
  const chat = findDeletedChat(reader, target.chatId, since);
  return chat !== null && isInWorkspace(chat, target.workspaceId) ? chat : null;
}

/** What is to be stored of a change. Throws AppError `invalid_request` for a title that won't do. */
function marksOf(change: ChatChange): Partial<ChatMarks> {
  const marks = definedFields(change, CHANGEABLE) as Partial<ChatMarks>;
  if (marks.parameters && Object.keys(marks.parameters).length === 0) marks.parameters = null;
  if (change.title === undefined) return marks;
  return { ...marks, title: readName(change.title, 'title'), titleSource: 'person' };
}
