import type { Step } from '../../shared/api/message.ts';
import { findUnfinishedReply } from './message-repository.ts';
import { defineTable, plain, text, type RowOf } from './table.ts';
import type { Reader, Writer } from './types.ts';

const FILES = defineTable('step_files', {
  id: text(),
  chatId: text(),
  /** The reply whose step it belongs to. */
  messageId: text(),
  /** The id of the call that gave it. */
  callId: text(),
  /** Orders the files of a call. */
  position: plain<number>(),
  name: text(),
  mediaType: text(),
  bytes: plain<number>(),
  /** In base64. */
  data: text(),
});

/** A file that a tool gave, as it is stored. */
export type StoredStepFile = RowOf<typeof FILES.columns>;

/** Stores a file. */
export const insertStepFile = FILES.insert;

/** Stores a file of a reply that isn't final yet; does nothing for other replies. */
export function createStepFile(writer: Writer, file: StoredStepFile): void {
  if (findUnfinishedReply(writer, file.chatId)?.id === file.messageId) insertStepFile(writer, file);
}

/** The file of that id in that chat, of a message that is listed, with its bytes in base64; or null. */
export const findStepFile = FILES.only('id', 'name', 'mediaType', 'bytes', 'data').first<
  [chatId: string, id: string]
>(`WHERE chat_id = ? AND id = ? AND EXISTS (
  SELECT 1 FROM messages WHERE messages.id = step_files.message_id AND deleted_at IS NULL)`);

/** The files of these messages, by message and in order, with the length of their base64. */
export function listFilesOf(
  reader: Reader,
  messageIds: readonly string[],
): { id: string; messageId: string; length: number }[] {
  return reader.all(
    `SELECT id, message_id AS messageId, length(data) AS length FROM step_files
      WHERE message_id IN (SELECT value FROM json_each(?)) ORDER BY rowid`,
    [JSON.stringify(messageIds)],
  );
}

/** Removes the files of a reply that none of its steps names: those from calls of earlier attempts. */
export function dropUnnamedFiles(writer: Writer, messageId: string, steps: readonly Step[]): void {
  const named = steps.flatMap(({ files = [] }) => files.map(({ id }) => id));
  writer.run('DELETE FROM step_files WHERE message_id = ? AND id NOT IN (SELECT value FROM json_each(?))', [
    messageId,
    JSON.stringify(named),
  ]);
}

/** Removes the files of a message, by its `seq`. */
export const deleteFilesOfMessage = FILES.delete<[seq: number]>(
  'WHERE message_id = (SELECT id FROM messages WHERE seq = ?)',
);
