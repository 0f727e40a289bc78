/** A chat's messages as the JSON text of API messages, built by SQLite: a short list at once, a long one in pieces. */
import { IS_LISTED, LINKED_MESSAGES } from './listed.ts';
import { MESSAGE_BYTES, PIECE, breathe } from './pieces.ts';
import { SUMMARISED_TO, hasSummaries } from './summary-repository.ts';
import { readValue } from './table.ts';
import type { Reader, Store } from './types.ts';

/** Earlier versions of Parley stored which messages a summary stands for; now that is read from the summaries. */
const UNSUMMARISED = `replace(status, 'compacted', 'complete')`;

/**
 * A message as clients see it (shared/api/message.ts): reading a long chat row by row into objects only to serialize them
 * takes several times as long. `concat` skips nulls, so absent fields are left out. Ids, times
 * and the fixed words of the schema need no escaping; a text kept as JSON is taken as it is.
 */
const MESSAGE_JSON = messageJson(`CASE WHEN status IN ('complete', 'compacted') AND ${IS_LISTED}
    AND ${SUMMARISED_TO} >= CASE role WHEN 'user' THEN seq
      ELSE (SELECT question.seq FROM messages AS question WHERE question.id = messages.reply_to) END
  THEN 'compacted' ELSE ${UNSUMMARISED} END`);

/** The same of a chat without summaries. */
const PLAIN_MESSAGE_JSON = messageJson(UNSUMMARISED);

/** The same for a file, which carries no summaries, but what a model wants back. */
const EXPORTED_MESSAGE_JSON = messageJson(UNSUMMARISED, `,',"rounds":' || rounds`);

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

/** Which of a chat's listed messages. */
export interface MessageRange {
  /** Only those after this one; from the first when absent. */
  afterSeq?: number;
  /** At most this many; all when absent. */
  limit?: number;
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

/** The places (`seq`) of a chat's messages after `afterSeq` that are hidden or deleted. */
function listUnlisted(reader: Reader, chatId: string, afterSeq: number): Set<number> {
  // One text instead of a row each: there may be tens of thousands.
  const seqs = readValue<string>(
    reader,
    `SELECT json_group_array(seq) FROM ${LINKED_MESSAGES} AND seq > ? AND NOT (${IS_LISTED})`,
    [chatId, afterSeq],
  );
  return new Set(JSON.parse(seqs ?? '[]') as number[]);
}

/** The `seq` of a chat's last message; 0 when it has none. */
export const findLastSeq = (reader: Reader, chatId: string): number =>
  readValue<number>(reader, 'SELECT max(seq) FROM messages WHERE chat_id = ?', [chatId]) ?? 0;

interface MessageText {
  seq: number;
  id: string;
  json: string;
}

/**
 * A chat's messages up to `lastSeq`, hidden and deleted ones too, oldest first, in pieces that are on disk; the event loop is free in
 * between. Compacted ones are complete, unless `showsCompacted`.
 */
export async function* messageTexts(
  store: Pick<Store, 'read' | 'settled'>,
  chatId: string,
  {
    afterSeq = 0,
    lastSeq,
    showsCompacted = false,
  }: { afterSeq?: number; lastSeq: number; showsCompacted?: boolean },
): AsyncGenerator<MessageText[]> {
  const json = showsCompacted ? MESSAGE_JSON : EXPORTED_MESSAGE_JSON;
  const textsSql = `SELECT seq, id, ${json} AS json FROM messages WHERE chat_id = ? AND seq > ? AND seq <= ? ORDER BY seq`;
  for (let seq = afterSeq; ;) {
    const rows = store.read((reader) => reader.all<MessageText>(textsSql, [chatId, seq, lastSeq], PIECE));
    const last = rows.at(-1);
    if (last === undefined) return;
    seq = last.seq;
    await store.settled();
    yield rows;
    await breathe();
  }
}

/** Longer lists are sent in pieces; one of this length takes a few milliseconds. */
const MAX_WHOLE_LIST = { rows: 500, bytes: 512 * 1024 };

/** Whether a chat has more messages or text than that after `afterSeq`; hidden and deleted ones count too. */
export function isLongerThan(
  reader: Reader,
  chatId: string,
  afterSeq: number,
  most = MAX_WHOLE_LIST,
): boolean {
  const size = reader.get<{ rows: number; bytes: number | null }>(
    `SELECT count(*) AS rows, sum(bytes) AS bytes FROM (
      SELECT ${MESSAGE_BYTES} AS bytes FROM messages
        WHERE chat_id = ? AND seq > ? LIMIT ?)`,
    [chatId, afterSeq, most.rows + 1],
  );
  return size !== null && (size.rows > most.rows || (size.bytes ?? 0) > most.bytes);
}

/**
 * The JSON text of an array of a chat's listed messages, oldest first: a function that gives its pieces. Which are listed is read
 * once, at the start, so that the list is consistent whatever happens meanwhile. Those up to `lastSeq`; to the last when absent. `tail`: what
 * else the array holds at its end, as JSON text without brackets.
 */
export function messagePieces(
  store: Pick<Store, 'read' | 'settled'>,
  chatId: string,
  { afterSeq = 0, limit = Infinity, tail = '', ...range }: MessageRange & { lastSeq?: number; tail?: string },
): () => AsyncGenerator<string> {
  const { lastSeq, unlisted } = store.read((reader) => ({
    lastSeq: range.lastSeq ?? findLastSeq(reader, chatId),
    unlisted: listUnlisted(reader, chatId, afterSeq),
  }));

  return async function* pieces() {
    let left = limit;
    let between = '[';
    for await (const rows of messageTexts(store, chatId, { afterSeq, lastSeq, showsCompacted: true })) {
      const listed = rows.filter(({ seq }) => !unlisted.has(seq)).slice(0, left);
      left -= listed.length;
      if (listed.length > 0) {
        yield between + listed.map(({ json }) => json).join(',');
        between = ',';
      }
      if (left <= 0) break;
    }
    if (tail !== '') yield between + tail;
    yield between === '[' && tail === '' ? '[]' : ']';
  };
}
