import type { Step, StepFile } from '../../shared/api/message.ts';
import { findUnfinishedReply } from './message-repository.ts';
import type { Reader, Writer } from './types.ts';

/** A file that a tool gave, as it is stored. */
export interface StoredStepFile extends StepFile {
  chatId: string;
  /** The reply whose step it belongs to. */
  messageId: string;
  /** The call that gave it, in the journal of the turn. */
  callId: string;
  /** Orders the files of a call. */
  position: number;
  /** In base64. */
  data: string;
}

const FILE = 'id, name, media_type AS mediaType, bytes';

/** Stores a file of a reply that isn't final yet; of another one it is left out. */
export function createStepFile(writer: Writer, file: StoredStepFile): void {
  if (findUnfinishedReply(writer, file.chatId)?.id !== file.messageId) return;
  insertStepFile(writer, file);
}

/** Stores a file. */
export function insertStepFile(writer: Writer, file: StoredStepFile): void {
  writer.run(
    `INSERT INTO step_files (id, chat_id, message_id, call_id, position, name, media_type, bytes, data)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      file.id,
      file.chatId,
      file.messageId,
      file.callId,
      file.position,
      file.name,
      file.mediaType,
      file.bytes,
      file.data,
    ],
  );
}

/** What a call gave, in order. */
export function listCallFiles(reader: Reader, callId: string, messageId: string): StepFile[] {
  return reader.all<StepFile>(
    `SELECT ${FILE} FROM step_files WHERE message_id = ? AND call_id = ? ORDER BY position`,
    [messageId, callId],
  );
}

/** The file of that id in that chat, of a message that is listed, with its bytes in base64; or null. */
export function findStepFile(
  reader: Reader,
  chatId: string,
  id: string,
): Pick<StoredStepFile, keyof StepFile | 'data'> | null {
  return reader.get(
    `SELECT ${FILE}, data FROM step_files WHERE id = ? AND chat_id = ? AND EXISTS (
      SELECT 1 FROM messages WHERE messages.id = step_files.message_id AND deleted_at IS NULL)`,
    [id, chatId],
  );
}

/** The files of these messages, by message and in order, with how long their base64 is. */
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

/** Removes the files of a reply that none of its steps names: those of calls that it made before it began anew. */
export function dropUnnamedFiles(writer: Writer, messageId: string, steps: readonly Step[]): void {
  const named = new Set(steps.flatMap(({ files = [] }) => files.map(({ id }) => id)));
  const kept = writer.all<{ id: string }>('SELECT id FROM step_files WHERE message_id = ?', [messageId]);
  for (const { id } of kept) if (!named.has(id)) writer.run('DELETE FROM step_files WHERE id = ?', [id]);
}

/** Removes the files of a message, by its `seq`. */
export function deleteFilesOfMessage(writer: Writer, seq: number): void {
  const row = writer.get<{ id: string }>(
    `SELECT id FROM messages WHERE seq = ? AND id IN (SELECT message_id FROM step_files)`,
    [seq],
  );
  if (row !== null) writer.run('DELETE FROM step_files WHERE message_id = ?', [row.id]);
}
