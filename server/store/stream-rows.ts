/** What event streams read: enough of each message to tell whether it has changed. */
import { IS_LISTED } from './listed.ts';
import { MESSAGES, type StoredMessage } from './message-repository.ts';
import { readValue } from './table.ts';
import type { Reader, SqlValue } from './types.ts';

/** A listed message, without its text. `mark` changes whenever it does: made of the status and the lengths of text, steps and reasoning. */
export type MessageMark = Pick<StoredMessage, 'seq' | 'id' | 'role' | 'status'> & { mark: string };

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

/** The place of a message in its chat; 0 and null: before the first one. */
export interface MessageEnd {
  seq: number;
  messageId: string | null;
}

/** The place of the first message of a chat that isn't final; Infinity: all are. Looked up in indexes of just those. */
function findOpenSeq(reader: Reader, chat: { id: string; workspaceId: string }): number {
  const first = (where: string, params: readonly SqlValue[]): number =>
    readValue<number>(reader, `SELECT min(seq) FROM messages WHERE ${where}`, params) ?? Infinity;
  return Math.min(
    first(`chat_id = ? AND role = 'assistant' AND status IN ('pending', 'streaming')`, [chat.id]),
    first(`workspace_id = ? AND chat_id = ? AND role = 'user' AND status = 'pending'`, [
      chat.workspaceId,
      chat.id,
    ]),
  );
}

/** The last listed message after `start` up to which everything is final; `start`: there is none. */
export function findFinalEnd(
  reader: Reader,
  chat: { id: string; workspaceId: string },
  start: MessageEnd,
): MessageEnd {
  const openSeq = Math.min(findOpenSeq(reader, chat), Number.MAX_SAFE_INTEGER);
  const last = reader.get<MessageEnd>(
    `SELECT seq, id AS messageId FROM messages
      WHERE chat_id = ? AND seq > ? AND seq < ? AND ${IS_LISTED} ORDER BY seq DESC LIMIT 1`,
    [chat.id, start.seq, openSeq],
  );
  return last ?? start;
}

const findListedSeq = MESSAGES.value<[id: string, chatId: string], 'seq'>(
  `WHERE id = ? AND chat_id = ? AND ${IS_LISTED}`,
  'seq',
);

/**
 * The place of a listed message, when it and everything before it in its chat is final; else null. Only up to such a
 * message can a client know everything.
 */
export function findFinalSeq(
  reader: Reader,
  chat: { id: string; workspaceId: string },
  messageId: string,
): number | null {
  const seq = findListedSeq(reader, messageId, chat.id);
  return seq !== null && seq < findOpenSeq(reader, chat) ? seq : null;
}
