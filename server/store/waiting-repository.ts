/**
 * Changes by people to user messages that no worker has taken. A change either comes before the transaction that takes
 * the message, or too late.
 */
import { indexNow, unindexMessage } from './search-index-repository.ts';
import { IS_LISTED } from './listed.ts';
import { MESSAGES, type StoredMessage } from './message-repository.ts';
import { textColumnsOf, withText } from './message-text.ts';
import type { Reader, Writer } from './types.ts';

const CHANGEABLE = ['content', 'mode', 'model', 'parameters', 'attachments', 'toolReach'] as const;

/** The fields of a waiting message that can be changed. */
type WaitingFields = Pick<StoredMessage, (typeof CHANGEABLE)[number]>;

/** A message that waits. */
export type WaitingMessage = WaitingFields & Pick<StoredMessage, 'seq' | 'id'>;

const IS_WAITING = `role = 'user' AND status = 'pending'`;
// With the workspace, SQLite uses the index of waiting messages.
const listSeqs = MESSAGES.only('seq', 'id').list<[workspaceId: string, chatId: string]>(
  `WHERE workspace_id = ? AND chat_id = ? AND ${IS_WAITING} ORDER BY seq`,
);
const saveFields = MESSAGES.update([...CHANGEABLE, 'contentJson'], 'WHERE seq = ?');

/** The message of that id, if it waits; or null. */
export const findWaiting = MESSAGES.only('seq', 'id', 'contentJson', ...CHANGEABLE)
  .as(withText)
  .first<[chatId: string, id: string]>(`WHERE chat_id = ? AND id = ? AND ${IS_WAITING}`);

/** Changes a message that waits. */
export function updateWaiting(writer: Writer, seq: number, fields: WaitingFields): void {
  unindexMessage(writer, seq);
  saveFields(writer, { ...fields, ...textColumnsOf(fields.content) }, seq);
  indexNow(writer, seq);
}

/**
 * Moves a waiting message before another one in its chat, or to the end with null. The waiting messages swap the numbers
 * they already have. False, without a change, when it is already there; null when the other doesn't wait.
 */
export function moveWaiting(
  writer: Writer,
  chat: { id: string; workspaceId: string },
  id: string,
  before: string | null,
): boolean | null {
  const waiting = listSeqs(writer, chat.workspaceId, chat.id);
  const ids = waiting.map((message) => message.id);
  if (before === id) return false;
  const others = ids.filter((other) => other !== id);
  const at = before === null ? others.length : others.indexOf(before);
  if (at === -1) return null;
  const order = others.toSpliced(at, 0, id);
  const moved = waiting.flatMap((message, index) => {
    const to = order[index];
    return to === undefined || to === message.id ? [] : [{ seq: message.seq, id: to }];
  });
  for (const { seq } of moved) unindexMessage(writer, seq);
  // No two messages may share a number, not even for a moment.
  for (const { seq } of moved) writer.run('UPDATE messages SET seq = -seq WHERE seq = ?', [seq]);
  for (const { seq, id: mover } of moved)
    writer.run('UPDATE messages SET seq = ? WHERE id = ?', [seq, mover]);
  for (const { seq } of moved) indexNow(writer, seq);
  return moved.length > 0;
}

/** The message of a chat that is taken next; null: none waits. */
export const findNextWaiting = (reader: Reader, chat: { id: string; workspaceId: string }): string | null =>
  listSeqs(reader, chat.workspaceId, chat.id)[0]?.id ?? null;

/** Whether a deleted message was taken out of the queue: nobody has answered it, not even in part. */
export const isCancelled = MESSAGES.has<[chatId: string, id: string]>(
  `AS question WHERE chat_id = ? AND id = ? AND deleted_at IS NOT NULL AND status <> 'pending' AND NOT EXISTS (
    SELECT 1 FROM messages WHERE chat_id = question.chat_id AND seq > question.seq AND reply_to = question.id)`,
);

/** Whether a worker has taken a listed user message that came after that one. */
export const isPassed = MESSAGES.has<[chatId: string, seq: number]>(
  `WHERE chat_id = ? AND seq > ? AND role = 'user' AND status <> 'pending' AND ${IS_LISTED} LIMIT 1`,
);
