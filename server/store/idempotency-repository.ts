import { defineTable, text } from './table.ts';
import type { Writer } from './types.ts';

const ANSWERS = defineTable('idempotency', {
  chatId: text(),
  idempotencyKey: text(),
  /** SHA-256 over what was sent, in hex: the same key with another digest is a conflict. */
  requestDigest: text(),
  /** The answer's body, as JSON text. */
  response: text(),
  createdAt: text(),
});

/** The answer to the first send that carried a key in a chat, if it was given after `since`; null otherwise. */
export const findAnswer = ANSWERS.only('requestDigest', 'response', 'createdAt').first<
  [chatId: string, idempotencyKey: string, since: string]
>('WHERE chat_id = ? AND idempotency_key = ? AND created_at > ?');

/** The first answer to a send that carried an `Idempotency-Key`. */
type StoredAnswer = NonNullable<ReturnType<typeof findAnswer>>;

/** Remembers the answer to a send, replacing an expired one. */
export function createAnswer(
  writer: Writer,
  chatId: string,
  idempotencyKey: string,
  answer: StoredAnswer,
): void {
  ANSWERS.replace(writer, { chatId, idempotencyKey, ...answer });
}

/** Forgets answers given up to `until`, the oldest ones, `limit` at most; returns how many. */
export const deleteOldAnswers = (writer: Writer, until: string, limit: number): number =>
  writer.run(
    `DELETE FROM idempotency WHERE (chat_id, idempotency_key) IN (
      SELECT chat_id, idempotency_key FROM idempotency WHERE created_at <= ? ORDER BY created_at LIMIT ?)`,
    [until, limit],
  );
