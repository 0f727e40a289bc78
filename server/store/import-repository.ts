/**
 * Chats that are stored with all their messages: from a file, or as a branch of another. A chat too long for one transaction comes
 * in message by message before the chat itself: messages without a chat are invisible. Until the chat is there, a setting
 * holds its id, so that the next process can clean up if this one dies half-way.
 */
import { CHATS } from './chat-columns.ts';
import { eraseMessages, listMessagesToErase } from './erase-repository.ts';
import { createFile, toAttachment, type StoredFile } from './file-repository.ts';
import { MESSAGES, createMessage, type NewMessage } from './message-repository.ts';
import { PIECE_ROWS, breathe } from './pieces.ts';
import { findSetting, updateSetting } from './settings-repository.ts';
import { insertStepFile, type StoredStepFile } from './step-file-repository.ts';
import { createToolCall } from './tool-call-repository.ts';
import type { Reader, Store, Writer } from './types.ts';

/** A file of a step of a message to bring in. */
export type ImportedFile = Omit<StoredStepFile, 'chatId' | 'messageId' | 'callId'>;

/** A file of a message to bring in. */
export type ImportedAttachment = Omit<StoredFile, 'workspaceId' | 'messageId' | 'createdAt'>;

/** A message to bring in, with its links to others of its chat. */
export type ImportedMessage = Omit<NewMessage, 'chatId' | 'workspaceId' | 'attachments'> & {
  /** Its files, whose bytes are on disk; absent: none. */
  attachments?: ImportedAttachment[];
  /** The first version of it; null when there is only one. */
  versionOf: string | null;
  /** The version whose question it asks once more; null: it is the first version, or an edit. */
  retryOf: string | null;
  /** The version that has to be chosen for it to be listed; null when it is. */
  hiddenBy: string | null;
  /** Files that its steps name; absent: none. */
  files?: ImportedFile[];
};

/** What stores a chat, and the setting that holds the ids of its chats under way. */
const UNDER_WAY = { import: 'importUnderWay', branch: 'branchUnderWay' } as const;

/** What stores a chat. */
type ChatMaker = keyof typeof UNDER_WAY;

/** Where the chat of that id is, in any workspace, deleted or not; null: there is none. */
export const findChatLocation = CHATS.only('workspaceId', 'deletedAt').first<[id: string]>('WHERE id = ?');

/** How many of those messages (a JSON list of ids) a chat holds; deleted ones don't count. */
export const countHeldMessages = MESSAGES.count<[ids: string, chatId: string]>(
  // The plus keeps SQLite from scanning all messages of the chat instead of these few.
  'WHERE id IN (SELECT value FROM json_each(?)) AND +chat_id = ? AND deleted_at IS NULL',
);

/** Whether any chat has a message with one of those ids (a JSON list), deleted or not. */
export const hasAnyMessage = MESSAGES.has<[ids: string]>(
  'WHERE id IN (SELECT value FROM json_each(?)) LIMIT 1',
);

/** Adds messages to the end of a chat, in that order. */
export function createImportedMessages(
  writer: Writer,
  chat: { id: string; workspaceId: string },
  messages: readonly ImportedMessage[],
): void {
  for (const imported of messages) {
    const { versionOf, retryOf, hiddenBy, files = [], attachments: given = [], ...message } = imported;
    const { workspaceId } = chat;
    const attachments = given.map((file) => {
      const row = { ...file, workspaceId, messageId: message.id, createdAt: message.createdAt };
      createFile(writer, row);
      return toAttachment(row);
    });
    const seq = createMessage(writer, {
      ...message,
      attachments: attachments.length === 0 ? null : attachments,
      chatId: chat.id,
      workspaceId: chat.workspaceId,
      // Nobody vouches for the content of a file, such as a rehearsal's script.
      toolReach: message.role === 'user' ? 'none' : null,
    });
    for (const file of files) {
      insertStepFile(writer, { ...file, chatId: chat.id, messageId: message.id, callId: '' });
    }
    createDoubts(writer, chat.id, imported);
    if (versionOf === null && hiddenBy === null) continue;
    writer.run('UPDATE messages SET version_of = ?, retry_of = ?, hidden_by = ? WHERE seq = ?', [
      versionOf,
      retryOf,
      hiddenBy,
      seq,
    ]);
  }
}

/** Keeps the doubts about tool calls, so that here too a person is asked before such a tool is used again. */
function createDoubts(writer: Writer, chatId: string, { id, steps = [], createdAt }: ImportedMessage): void {
  for (const [index, { tool, inDoubt }] of steps.entries()) {
    if (inDoubt !== true) continue;
    createToolCall(writer, {
      id: `${id}-${index}`,
      replyId: id,
      chatId,
      tool,
      input: 'null',
      state: 'in_doubt',
      createdAt,
    });
  }
}

/** Notes that messages of a chat will be stored before the chat itself. */
export function beginLongChat(writer: Writer, by: ChatMaker, chatId: string): void {
  updateSetting(writer, UNDER_WAY[by], [...listBegun(writer, by), chatId]);
}

/** Ids of the chats that were begun and not finished. */
export function listBegun(reader: Reader, by: ChatMaker): string[] {
  const ids = findSetting(reader, UNDER_WAY[by]);
  return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : [];
}

/** Forgets that a chat was begun: it is there, or none of it. */
export function forgetBegun(writer: Writer, by: ChatMaker, chatId: string): void {
  updateSetting(
    writer,
    UNDER_WAY[by],
    listBegun(writer, by).filter((id) => id !== chatId),
  );
}

/** Removes all of a chat that was begun and not finished; rejects when the store can't be written. */
export async function clearBegun(store: Store, by: ChatMaker, chatId: string): Promise<void> {
  while (!(await store.write((writer) => clearSome(writer, by, chatId)))) await breathe();
}

/** Removes the next messages; true when there are none left. */
function clearSome(writer: Writer, by: ChatMaker, chatId: string): boolean {
  const isAbsent = findChatLocation(writer, chatId) === null;
  const seqs = isAbsent ? listMessagesToErase(writer, chatId, PIECE_ROWS) : [];
  eraseMessages(writer, seqs);
  if (seqs.length > 0) return false;
  if (isAbsent) writer.run('DELETE FROM tool_calls WHERE chat_id = ?', [chatId]);
  forgetBegun(writer, by, chatId);
  return true;
}
