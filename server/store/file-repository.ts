/** Files of messages, and uploads that no message has yet. Their bytes: files/blob-folder.ts. */
import type { Attachment, AttachmentKind } from '../../shared/api/attachment.ts';
import { defineTable, plain, text, type RowOf } from './table.ts';
import type { Reader, Writer } from './types.ts';

const FILES = defineTable('files', {
  id: text(),
  workspaceId: text(),
  /** Null: it was uploaded, and no message has it yet. */
  messageId: plain<string | null>(null),
  /** SHA-256 of its bytes, in hexadecimal. */
  sha256: text(),
  name: text(),
  kind: plain<AttachmentKind>(),
  mediaType: text(),
  bytes: plain<number>(),
  /** For images whose size could be read; null otherwise. */
  width: plain<number | null>(null),
  height: plain<number | null>(null),
  createdAt: text(),
});

/** A file as it is stored. */
export type StoredFile = RowOf<typeof FILES.columns>;

/** Stores a file. */
export const createFile = FILES.insert;

/** The file of that id, unless its message or its chat is deleted; or null. */
export const findFile = FILES.first<[id: string]>(
  `WHERE id = ? AND (message_id IS NULL OR EXISTS (
    SELECT 1 FROM messages JOIN chats ON chats.id = messages.chat_id
      WHERE messages.id = files.message_id AND messages.deleted_at IS NULL AND chats.deleted_at IS NULL))`,
);

/** Assigns a file that no message has to a message. */
export function giveFile(writer: Writer, id: string, messageId: string): void {
  writer.run('UPDATE files SET message_id = ? WHERE id = ?', [messageId, id]);
}

/** Removes a file that no message has; false: there is no such file. */
export const deleteUnsentFile = FILES.delete<[id: string]>('WHERE id = ? AND message_id IS NULL');

/** Removes uploads from before `until` that no message has. */
export const deleteUnsentFiles = FILES.delete<[until: string]>('WHERE message_id IS NULL AND created_at < ?');

/** Removes the files of a message, by its `seq`. */
export const deleteAttachments = FILES.delete<[seq: number]>(
  'WHERE message_id = (SELECT id FROM messages WHERE seq = ? AND attachments IS NOT NULL)',
);

/** Removes the files of a message except these; returns the SHA-256 of those removed. */
export function deleteOtherAttachments(writer: Writer, messageId: string, keep: readonly string[]): string[] {
  const others = '(message_id = ? AND id NOT IN (SELECT value FROM json_each(?)))';
  const asked = [messageId, JSON.stringify(keep)];
  const dropped = writer.all<{ sha256: string }>(`SELECT sha256 FROM files WHERE ${others}`, asked);
  if (dropped.length > 0) writer.run(`DELETE FROM files WHERE ${others}`, asked);
  return dropped.map(({ sha256 }) => sha256);
}

/** The files of a chat's messages that are not deleted, equal ones next to each other. */
export const listFilesOfChat = FILES.only('id', 'messageId', 'sha256', 'bytes').list<[chatId: string]>(
  `WHERE message_id IN (
    SELECT id FROM messages WHERE chat_id = ? AND attachments IS NOT NULL AND deleted_at IS NULL)
    ORDER BY sha256, rowid`,
);

/** A message's file by its name. */
export interface NamedFile {
  /** Its position among all files; newer files have higher ones. */
  position: number;
  messageId: string;
  name: string;
}

/** Files of messages in a workspace below a position, newest first, `limit` at most. */
export const listFileNames = (
  reader: Reader,
  { workspaceId, below, limit }: { workspaceId: string; below: number; limit: number },
): NamedFile[] =>
  reader.all(
    `SELECT rowid AS position, message_id AS messageId, name FROM files
      WHERE rowid < ? AND workspace_id = ? AND message_id IS NOT NULL ORDER BY rowid DESC LIMIT ?`,
    [below, workspaceId, limit],
  );

/** The bytes of all files, equal ones once. */
export const listBlobs = (reader: Reader): { sha256: string; bytes: number }[] =>
  reader.all('SELECT DISTINCT sha256, bytes FROM files');

/** Number and total size of all files, equal ones counted once. */
export const countFiles = (reader: Reader): { count: number; bytes: number } =>
  reader.get<{ count: number; bytes: number }>(
    'SELECT count(*) AS count, coalesce(sum(bytes), 0) AS bytes FROM (SELECT DISTINCT sha256, bytes FROM files)',
  ) ?? { count: 0, bytes: 0 };

/** Which of these bytes no file has. */
export const listUnused = (reader: Reader, sha256s: readonly string[]): string[] =>
  reader
    .all<{ sha256: string }>(
      `SELECT value AS sha256 FROM json_each(?)
        WHERE NOT EXISTS (SELECT 1 FROM files WHERE files.sha256 = value)`,
      [JSON.stringify(sha256s)],
    )
    .map(({ sha256 }) => sha256);

/** A file as clients see it. */
export const toAttachment = (file: StoredFile): Attachment => ({
  id: file.id,
  name: file.name,
  kind: file.kind,
  mediaType: file.mediaType,
  bytes: file.bytes,
  ...(file.width !== null && { width: file.width }),
  ...(file.height !== null && { height: file.height }),
});
