import type { Reader, Writer } from './types.ts';

/** The first answer to a send that carried an `Idempotency-Key`. */
export interface StoredAnswer {
  /** SHA-256 over what was sent, in hex: the same key with another digest is a conflict. */
  requestDigest: string;
  /** The answer's body, as JSON text. */
  response: string;
  createdAt: string;
}

/** The answer remembered for a key in a chat, if it was given after `since`; null otherwise. */
export function findAnswer(
  reader: Reader,
  chatId: string,
  idempotencyKey: string,
  since: string,
): StoredAnswer | null {
  return reader.get<StoredAnswer>(
    `SELECT request_digest AS requestDigest, response, created_at AS createdAt FROM idempotency
      WHERE chat_id = ? AND idempotency_key = ? AND created_at > ?`,
    [chatId, idempotencyKey, since],
  );
}

/** Remembers the answer to a send, in place of one that has run out. */
export function createAnswer(
  writer: Writer,
  chatId: string,
  idempotencyKey: string,
  answer: StoredAnswer,
): void {
  writer.run(
    `INSERT OR REPLACE INTO idempotency (chat_id, idempotency_key, request_digest, response, created_at)
      VALUES (?, ?, ?, ?, ?)`,
    [chatId, idempotencyKey, answer.requestDigest, answer.response, answer.createdAt],
  );
}

/** Forgets answers given up to `until`. */
export function deleteOldAnswers(writer: Writer, until: string): number {
  return writer.run('DELETE FROM idempotency WHERE created_at <= ?', [until]);
}
