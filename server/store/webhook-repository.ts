import { defineTable, plain, text, type Row } from './table.ts';
import type { Reader, Writer } from './types.ts';

/** Ends of turns that a key is to be told: first those that have yet to come, then those that have yet to be delivered. */
const EVENTS = defineTable('webhook_events', {
  id: text(),
  keyId: text(),
  /** The user message of the turn. */
  messageId: text(),
  /** What is sent, as JSON text; null: the turn goes on. */
  body: plain<string | null>(null),
  /** How often its delivery has failed. */
  attempts: plain<number>(0),
  /** When it is to be delivered, in milliseconds since 1970. */
  dueAtMs: plain<number>(0),
});

/** An event as it is stored. */
export type WebhookEvent = Row<typeof EVENTS.columns>;

/** One whose turn has ended. */
export type EndedEvent = WebhookEvent & { body: string };

/** A turn that has ended, and is to be told. */
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

/** So many can stand there; what comes when there is no room is not told. */
const MAX_EVENTS = 10_000;

/** Notes that the end of a message's turn is to be told. */
export function createWebhookEvent(
  writer: Writer,
  event: Pick<WebhookEvent, 'id' | 'keyId' | 'messageId'>,
): void {
  if (countWebhookEvents(writer) < MAX_EVENTS) EVENTS.insert(writer, event);
}

/** How many there are, whatever their state. */
export const countWebhookEvents = EVENTS.count();

/** The turns that have ended of those that are to be told, also those that won't begin. */
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

/** Says what is to be sent of an event, and when. */
export const updateWebhookBody = (writer: Writer, id: string, body: string, dueAtMs: number): void =>
  void saveBody(writer, { body, dueAtMs }, id);

/** Says that the delivery failed, and when the next one is due. */
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

/** What the next delivery is looked for among. */
export interface DeliveryQuery {
  /** Leaves out these events. */
  withoutIds: readonly string[];
  /** Leaves out the events of these keys. */
  withoutKeys: readonly string[];
  /** What is due after this is due at once: the clock was set back. */
  latestMs: number;
}

/** The event that is to be delivered next, or null. */
export const findNextDelivery = (
  reader: Reader,
  { withoutIds, withoutKeys, latestMs }: DeliveryQuery,
): EndedEvent | null =>
  findDue(reader, JSON.stringify(withoutIds), JSON.stringify(withoutKeys), latestMs) as EndedEvent | null;
