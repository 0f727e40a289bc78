import { IS_LISTED } from './listed.ts';
import { type MessageRange } from './message-repository.ts';
import { SUMMARISED_TO, hasSummaries } from './summary-repository.ts';
import { readValue } from './table.ts';
import type { Reader } from './types.ts';

/** Earlier versions of Parley stored which messages a summary stands for; now that is read from the summaries. */
const UNSUMMARISED = `replace(status, 'compacted', 'complete')`;

/**
 * A message as clients see it (shared/api/message.ts), built by SQLite: reading a long chat row by row into objects
 * only to serialize them takes several times as long. `concat` skips nulls, so absent fields are left out. Ids, times
 * and the fixed words of the schema need no escaping; a text kept as JSON is taken as it is.
 */
export const MESSAGE_JSON = messageJson(`CASE WHEN status IN ('complete', 'compacted') AND ${IS_LISTED}
    AND ${SUMMARISED_TO} >= CASE role WHEN 'user' THEN seq
      ELSE (SELECT question.seq FROM messages AS question WHERE question.id = messages.reply_to) END
  THEN 'compacted' ELSE ${UNSUMMARISED} END`);

/** The same of a chat without summaries. */
const PLAIN_MESSAGE_JSON = messageJson(UNSUMMARISED);

/** The same for a file, which carries no summaries, but what a model wants back. */
export const EXPORTED_MESSAGE_JSON = messageJson(UNSUMMARISED, `,',"rounds":' || rounds`);

function messageJson(status: string, more = ''): string {
  return `concat(
  '{"role":"', role,
  '","content":', CASE content_json WHEN 1 THEN content ELSE json_quote(content) END,
  ',"status":"', ${status}, '","createdAt":"', created_at, '","id":"', id, '"',
  ',"attachments":' || attachments,
  ',"mode":"' || mode || '"',
  CASE WHEN model IS NOT NULL THEN ',"model":' || json_quote(model) END,
  ',"parameters":' || parameters,
  ',"steps":' || steps,
  ',"error":{"code":"' || error_code || '","message":' || json_quote(error_message) || '}',
  CASE WHEN reasoning IS NOT NULL THEN ',"reasoning":' || json_quote(reasoning) END,
  ',"usage":' || usage,
  ',"timing":' || timing,
  ',"stopReason":"' || stop_reason || '"',
  ',"replyTo":"' || reply_to || '"',
  CASE WHEN version_of IS NOT NULL THEN ',"versions":' || (
    SELECT json_group_array(id) FROM (
      SELECT id FROM messages AS version WHERE version.version_of = messages.version_of AND version.deleted_at IS NULL ORDER BY version.seq)) END,
  CASE WHEN version_of IS NOT NULL THEN ',"retries":' || nullif((
    SELECT json_group_array(json_object('id', id, 'retryOf', retry_of)) FROM (
      SELECT id, retry_of FROM messages AS version
        WHERE version.version_of = messages.version_of AND version.retry_of IS NOT NULL AND version.deleted_at IS NULL
        ORDER BY version.seq)), '[]') END${more},
  '}')`;
}

/** A chat's messages, oldest first, as the JSON text of an array of API messages. */
export function listMessagesAsJson(reader: Reader, chatId: string, range: MessageRange = {}): string {
  const isSummarised = hasSummaries(reader, chatId);
  // The inner query runs row by row in its order; ordering in group_concat would sort the whole text again.
  const list = readValue<string>(
    reader,
    `SELECT group_concat(message, ',') FROM (
      SELECT ${isSummarised ? MESSAGE_JSON : PLAIN_MESSAGE_JSON} AS message FROM messages
      WHERE chat_id = ? AND seq > ? AND ${IS_LISTED} ORDER BY seq LIMIT ?)`,
    [chatId, range.afterSeq ?? 0, range.limit ?? -1],
  );
  return `[${list ?? ''}]`;
}

/** One of a chat's messages as JSON text, even when another version is listed instead; null: there is none of that id. */
export const findMessageAsJson = (reader: Reader, chatId: string, id: string): string | null =>
  readValue<string>(
    reader,
    `SELECT ${MESSAGE_JSON} FROM messages WHERE id = ? AND chat_id = ? AND deleted_at IS NULL`,
    [id, chatId],
  );
