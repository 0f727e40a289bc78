/** What event streams read: enough of each message to tell whether it has changed, and single messages as JSON. */
import type { MessageRole } from '../../shared/api/message.ts';
import type { MessageStatus } from '../../shared/choices.ts';
import { MESSAGE_JSON } from './message-json.ts';
import { IS_LISTED } from './message-repository.ts';
import type { Reader } from './types.ts';

/** A listed message, without its text. */
export interface MessageMark {
  seq: number;
  id: string;
  role: MessageRole;
  status: MessageStatus;
  /** Changes whenever the message does: made of the status and the lengths of text, steps and reasoning. */
  mark: string;
}

/** Whether the message will not change any more. */
export const isFinal = ({ role, status }: Pick<MessageMark, 'role' | 'status'>): boolean =>
  status !== 'pending' && !(role === 'assistant' && status === 'streaming');

/** The listed messages of a chat after `afterSeq`, oldest first. */
export function listMessageMarks(reader: Reader, chatId: string, afterSeq: number): MessageMark[] {
  return reader.all<MessageMark>(
    `SELECT seq, id, role, status, concat_ws('.', status, octet_length(content),
        coalesce(octet_length(steps), 0), coalesce(octet_length(reasoning), 0)) AS mark
      FROM messages WHERE chat_id = ? AND seq > ? AND ${IS_LISTED} ORDER BY seq`,
    [chatId, afterSeq],
  );
}

/** A message as the JSON text of an API message, or null. */
export const findMessageAsJson = (reader: Reader, id: string): string | null =>
  reader.get<{ json: string }>(`SELECT ${MESSAGE_JSON} AS json FROM messages WHERE id = ?`, [id])?.json ??
  null;

/**
 * The place of a listed message, when it and everything before it in its chat is final; else null. Only up to such a
 * message can a client know everything.
 */
export function findFinalSeq(reader: Reader, chatId: string, messageId: string): number | null {
  const row = reader.get<{ seq: number }>(
    `SELECT seq FROM messages WHERE id = ? AND chat_id = ? AND ${IS_LISTED}`,
    [messageId, chatId],
  );
  if (row === null) return null;
  const open = reader.get(
    `SELECT 1 FROM messages WHERE chat_id = ? AND seq <= ? AND status IN ('pending', 'streaming') LIMIT 1`,
    [chatId, row.seq],
  );
  return open === null ? row.seq : null;
}
