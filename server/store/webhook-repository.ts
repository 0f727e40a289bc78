import { defineTable, plain, text, type RowOf } from './table.ts';
import type { Reader, Writer } from './types.ts';

/** Ends of turns to report to a key: at first the turn is still running, then the report waits for delivery. */
const EVENTS = defineTable('webhook_events', {
  id: text(),
  keyId: text(),
  /** The user message of the turn. */
  messageId: text(),
  /** What to send, as JSON text; null: the turn is still running. */
  body: plain<string | null>(null),
  /** How often its delivery has failed. */
  attempts: plain<number>(0),
  /** When to deliver it, in milliseconds since 1970. */
  dueAtMs: plain<number>(0),
});

/** An event as it is stored. */
type WebhookEvent = RowOf<typeof EVENTS.columns>;

/** An event whose turn has ended. */
export type EndedEvent = WebhookEvent & { body: string };

/** A turn that has ended and is to be reported. */
export interface EndedTurn {
  id: string;
  chatId: string;
  workspaceId: string;
  messageId: string;
  /** Null: the message was removed while it waited. */
  replyId: string | null;
  status: string;
  stopReason: string | null;
  errorCode: string | null;
}

/** The most events that can wait; further ones are dropped. */
const MAX_EVENTS = 10_000;

/** Notes that the end of a message's turn is to be reported. */
export function createWebhookEvent(
  writer: Writer,
  event: Pick<WebhookEvent, 'id' | 'keyId' | 'messageId'>,
): void {
  if (countWebhookEvents(writer) < MAX_EVENTS) EVENTS.insert(writer, event);
}

/** How many there are, whatever their state. */
export const countWebhookEvents = EVENTS.count();

/** The ended turns among those to report, including those that will never start. */
export const listEndedTurns = (reader: Reader): EndedTurn[] =>
  reader.all<EndedTurn>(
    `SELECT webhook_events.id AS id, question.chat_id AS chatId, question.workspace_id AS workspaceId,
        question.id AS messageId, reply.id AS replyId, coalesce(reply.status, question.status) AS status,
        reply.stop_reason AS stopReason, reply.error_code AS errorCode
      FROM webhook_events
      JOIN messages AS question ON question.id = webhook_events.message_id
      LEFT JOIN messages AS reply
        ON reply.chat_id = question.chat_id AND reply.seq > question.seq AND reply.reply_to = question.id
      WHERE webhook_events.body IS NULL AND (reply.status NOT IN ('pending', 'streaming')
        OR (reply.id IS NULL AND question.status <> 'pending' AND question.deleted_at IS NOT NULL))`,
  );

const saveBody = EVENTS.update(['body', 'dueAtMs'], 'WHERE id = ?');
const saveFailure = EVENTS.update(['attempts', 'dueAtMs'], 'WHERE id = ?');

/** Stores what to send for an event, and when. */
export const updateWebhookBody = (writer: Writer, id: string, body: string, dueAtMs: number): void =>
  void saveBody(writer, { body, dueAtMs }, id);

/** Notes a failed delivery, and when the next one is due. */
export const updateWebhookFailure = (writer: Writer, id: string, attempts: number, dueAtMs: number): void =>
  void saveFailure(writer, { attempts, dueAtMs }, id);

/** Forgets an event. */
export const deleteWebhookEvent = EVENTS.delete<[id: string]>('WHERE id = ?');

/** Forgets the events of messages that are gone for good. */
export const deleteLostWebhookEvents = EVENTS.delete<[]>(
  'WHERE body IS NULL AND message_id NOT IN (SELECT id FROM messages)',
);

const findDue = EVENTS.first<[ids: string, keyIds: string, latestMs: number]>(
  `WHERE body IS NOT NULL AND id NOT IN (SELECT value FROM json_each(?)) AND key_id NOT IN (SELECT value FROM json_each(?))
    ORDER BY CASE WHEN due_at_ms > ? THEN 0 ELSE due_at_ms END, id LIMIT 1`,
);

/**
 * The event that is to be delivered next, without these and those of these keys; or null. Anything due after `latestMs` is due at once:
 * the clock was set back.
 */
export const findNextDelivery = (
  reader: Reader,
  withoutIds: readonly string[],
  withoutKeys: readonly string[],
  latestMs: number,
): EndedEvent | null =>
  findDue(reader, JSON.stringify(withoutIds), JSON.stringify(withoutKeys), latestMs) as EndedEvent | null;
