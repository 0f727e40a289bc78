/**
 * Removing text for good. Rows stay marked until no file holds the text any more (the mark is an expired time of
 * deletion, see steady-time.ts), so that interrupted work is found and repeated. Nothing is left of a chat; a single
 * message leaves an empty row, since other versions of the conversation may depend on it.
 */
import { CHATS } from './chat-columns.ts';
import { deleteAttachments } from './file-repository.ts';
import { MESSAGES } from './message-repository.ts';
import { lowerIndexedTo, unindexMessage } from './search-index-repository.ts';
import { deleteFilesOfMessage } from './step-file-repository.ts';
import { deleteSummaries } from './summary-repository.ts';
import type { Writer } from './types.ts';

/** Chats that were deleted at `until` or before. */
export const listDueChatIds = CHATS.values<[until: string]>('WHERE deleted_at <= ? ORDER BY deleted_at');

/** Messages that were deleted after `after` and at `until` or before, by `seq`. */
export const listDueMessages = MESSAGES.values<[after: string, until: string], 'seq'>(
  'WHERE deleted_at > ? AND deleted_at <= ? ORDER BY deleted_at',
  'seq',
);

/** The next messages of a chat to remove, by `seq`, newest first. */
export const listMessagesToErase = MESSAGES.values<[chatId: string, limit: number], 'seq'>(
  'WHERE chat_id = ? ORDER BY seq DESC LIMIT ?',
  'seq',
);

/** Removes messages, their files and those of their steps, and what the search index knows of them. */
export function eraseMessages(writer: Writer, seqs: Iterable<number>): void {
  for (const seq of seqs) {
    eraseAround(writer, seq);
    writer.run('DELETE FROM messages WHERE seq = ?', [seq]);
  }
  lowerIndexedTo(writer);
}

function eraseAround(writer: Writer, seq: number): void {
  unindexMessage(writer, seq);
  deleteFilesOfMessage(writer, seq);
  deleteAttachments(writer, seq);
}

/** Empties messages, removes their files and those of their steps, and takes them out of the search index. */
export function blankMessages(writer: Writer, seqs: Iterable<number>): void {
  for (const seq of seqs) {
    eraseAround(writer, seq);
    writer.run(
      `UPDATE messages SET content = '', content_json = 0, attachments = NULL, steps = NULL, reasoning = NULL, error_message = CASE WHEN error_code IS NULL THEN NULL ELSE '' END,
        usage = NULL, timing = NULL, rounds = NULL WHERE seq = ?`,
      [seq],
    );
  }
}

/** Removes everything about a chat except its messages, and clears the texts in its row. */
export function blankChat(writer: Writer, chatId: string): void {
  deleteSummaries(writer, chatId);
  writer.run('DELETE FROM idempotency WHERE chat_id = ?', [chatId]);
  writer.run('DELETE FROM drafts WHERE chat_key = ?', [chatId]);
  writer.run('DELETE FROM tool_calls WHERE chat_id = ?', [chatId]);
  writer.run(`UPDATE chats SET title = '' WHERE id = ? AND title <> ''`, [chatId]);
}

/** Removes the row of a chat that has no messages left. */
export function eraseChat(writer: Writer, chatId: string): void {
  writer.run('DELETE FROM chats WHERE id = ? AND deleted_at IS NOT NULL', [chatId]);
}
