/**
 * Removes for good what can no longer be restored: chats and single messages, from the rows, the search index and every file of
 * the store. The rows say what is due, and the work can be interrupted anywhere: rows stay due until no file holds their text,
 * and the next sweep continues.
 */
import { AppError } from '../errors.ts';
import type { FileStore } from '../files/file-store.ts';
import { unlessAborted } from '../lib/unless-aborted.ts';
import {
  blankChat,
  blankMessages,
  eraseChat,
  eraseMessages,
  listDueChatIds,
  listDueMessages,
  listMessagesToErase,
} from '../store/erase-repository.ts';
import { updateChatDeletedAt } from '../store/chat-repository.ts';
import { writeInSlices } from '../store/pieces.ts';
import type { Writer } from '../store/types.ts';
import { updateMessageDeletedAt } from '../store/version-repository.ts';
import type { ServiceDeps } from './deps.ts';
import { ERASED_AT, restorableSince } from './steady-time.ts';

const MESSAGES_AT_ONCE = 200;

/** Removes everything that is due. */
export type Eraser = ReturnType<typeof createEraser>;

/** An eraser for a store. */
export function createEraser({
  store,
  files,
  clock,
}: Pick<ServiceDeps, 'store' | 'clock'> & { files: Pick<FileStore, 'sweep'> }) {
  let running: Promise<void> = Promise.resolve();
  /** The sweep that starts after the current one; calls in the meantime share it. */
  let next: Promise<void> | null = null;
  const closing = new AbortController();

  /**
   * Removes everything that is due now; resolves when nothing of it is left in the store or its files. Rejects with
   * AppError when the disk refuses or this is closed; the next sweep continues.
   */
  function sweep(): Promise<void> {
    next ??= running
      .catch(() => undefined)
      .then(() => {
        next = null;
        return (running = eraseDue());
      });
    return next;
  }

  async function eraseDue(): Promise<void> {
    const { chatIds, messages } = store.read((reader) => {
      const until = restorableSince(reader, clock());
      return {
        chatIds: listDueChatIds(reader, until),
        messages: listDueMessages(reader, ERASED_AT, until),
      };
    });
    if (chatIds.length === 0 && messages.length === 0) return;
    // A clock that is set back must not restore a chat that has lost half its messages.
    await inSlices(chatIds, (writer, chatId) => updateChatDeletedAt(writer, chatId, ERASED_AT));
    for (const chatId of chatIds) {
      await eraseMessagesOf(chatId);
      await write((writer) => blankChat(writer, chatId));
    }
    await inSlices(messages, (writer, seq) => blankMessages(writer, [seq]));
    // Before the store is rewritten, which takes space.
    await files.sweep();
    // It takes long; closing the store ends it.
    await unlessAborted(closing.signal, store.compact({ dropPrevious: true }));
    // Files set aside may have named some, and are gone now.
    await files.sweep();
    await inSlices(chatIds, eraseChat);
    await inSlices(messages, (writer, seq) => updateMessageDeletedAt(writer, seq, ERASED_AT));
  }

  async function eraseMessagesOf(chatId: string): Promise<void> {
    const some = (): number[] =>
      store.read((reader) => listMessagesToErase(reader, chatId, MESSAGES_AT_ONCE));
    for (let seqs = some(); seqs.length > 0; seqs = some()) {
      await inSlices(seqs, (writer, seq) => eraseMessages(writer, [seq]));
    }
  }

  const inSlices = <T>(items: readonly T[], work: (writer: Writer, item: T) => void): Promise<void> =>
    writeInSlices({ write }, items, work);

  function write<T>(work: (writer: Writer) => T): Promise<T> {
    if (closing.signal.aborted) return Promise.reject(closing.signal.reason as AppError);
    return store.write(work);
  }

  return {
    sweep,
    /** Stops soon, in the middle if need be. Never rejects. */
    async close(): Promise<void> {
      closing.abort(new AppError('shutting_down'));
      await Promise.allSettled([running, next]);
    },
  };
}
