import type { MessageError, MessageMode, MessageRole, MessageStatus } from '../../shared/api/message.ts';
import type { Step, StopReason, Usage } from '../../shared/api/message.ts';
import { indexFinishedReply } from './search-index-repository.ts';
import { contentOf, contentParams, reasoningText } from './message-text.ts';
import type { Reader, SqlValue, Writer } from './types.ts';

/**
 * Which tools the turn of a user message gets, by the key that sent it: `all`; `unasked`, where what would ask is refused;
 * `none` that reaches out or asks.
 */
export type ToolReach = 'all' | 'unasked' | 'none';

/** A message as it is stored. */
export interface StoredMessage {
  /** Orders messages over the whole store; given by {@link createMessage}. */
  seq: number;
  id: string;
  chatId: string;
  workspaceId: string;
  role: MessageRole;
  content: string;
  status: MessageStatus;
  /** On user messages; null otherwise. */
  mode: MessageMode | null;
  /** On user messages; null is as `all`, and on assistant messages. */
  toolReach: ToolReach | null;
  /** On assistant messages; null otherwise. */
  model: string | null;
  /** Tool calls, in order; empty when there were none. */
  steps: Step[];
  /** What the model thought, when it told; null otherwise. */
  reasoning: string | null;
  error: MessageError | null;
  usage: Usage | null;
  stopReason: StopReason | null;
  /** Id of the user message that an assistant message answers; null on user messages. */
  replyTo: string | null;
  createdAt: string;
}

interface MessageRow {
  seq: number;
  id: string;
  chatId: string;
  workspaceId: string;
  role: MessageRole;
  content: string;
  contentJson: number;
  status: MessageStatus;
  mode: MessageMode | null;
  toolReach: ToolReach | null;
  model: string | null;
  steps: string | null;
  reasoning: string | null;
  errorCode: MessageError['code'] | null;
  errorMessage: string | null;
  usage: string | null;
  stopReason: StopReason | null;
  replyTo: string | null;
  createdAt: string;
}

const COLUMNS = `seq, id, chat_id AS chatId, workspace_id AS workspaceId, role, content, content_json AS contentJson,
  status, mode, tool_reach AS toolReach, model, steps, reasoning, error_code AS errorCode, error_message AS errorMessage, usage,
  stop_reason AS stopReason, reply_to AS replyTo, created_at AS createdAt`;

function toMessage(row: MessageRow): StoredMessage {
  const { contentJson, errorCode, errorMessage, ...rest } = row;
  return {
    ...rest,
    content: contentOf({ content: row.content, contentJson }),
    steps: parseSteps(row.steps),
    error: errorCode === null ? null : { code: errorCode, message: errorMessage ?? '' },
    usage: row.usage === null ? null : (JSON.parse(row.usage) as Usage),
  };
}

/** Steps as they are stored; null: there were none. */
export const parseSteps = (steps: string | null): Step[] =>
  steps === null ? [] : (JSON.parse(steps) as Step[]);
const jsonOrNull = (value: unknown): string | null => (value === null ? null : JSON.stringify(value));
const stepsJson = (steps: Step[]): string | null => (steps.length === 0 ? null : JSON.stringify(steps));

/**
 * A message that is listed: of the version that is chosen, and not deleted. Only chats at rest hide, show or delete
 * messages, so what waits or is unfinished is always listed and needs no such condition.
 */
export const IS_LISTED = 'hidden_by IS NULL AND deleted_at IS NULL';

/** Which part of a chat's messages to list. */
export interface MessageRange {
  /** Only messages after this one; from the first when absent. */
  afterSeq?: number;
  /** At most so many; all when absent. */
  limit?: number;
}

/** A chat's messages that are listed, oldest first. */
export function listMessages(reader: Reader, chatId: string, range: MessageRange = {}): StoredMessage[] {
  return reader
    .all<MessageRow>(
      `SELECT ${COLUMNS} FROM messages WHERE chat_id = ? AND seq > ? AND ${IS_LISTED} ORDER BY seq LIMIT ?`,
      [chatId, range.afterSeq ?? 0, range.limit ?? -1],
    )
    .map(toMessage);
}

/** The message of that id in that chat; null when there is none or it isn't listed. */
export function findMessage(reader: Reader, chatId: string, id: string): StoredMessage | null {
  const row = reader.get<MessageRow>(
    `SELECT ${COLUMNS} FROM messages WHERE id = ? AND chat_id = ? AND ${IS_LISTED}`,
    [id, chatId],
  );
  return row && toMessage(row);
}

/** Ids of the user messages of a chat that no worker has taken, oldest first. */
export function listWaitingIds(reader: Reader, chat: { id: string; workspaceId: string }): string[] {
  return reader
    .all<{ id: string }>(
      `SELECT id FROM messages
        WHERE workspace_id = ? AND chat_id = ? AND role = 'user' AND status = 'pending' ORDER BY seq`,
      [chat.workspaceId, chat.id],
    )
    .map(({ id }) => id);
}

/** What a worker needs of a user message; columns cost time, and every turn reads one. */
export type Question = Pick<StoredMessage, 'seq' | 'id' | 'content' | 'mode' | 'toolReach'>;

/** The oldest user message of a chat that no worker has taken, or null. */
export function findWaitingMessage(
  reader: Reader,
  chat: { id: string; workspaceId: string },
): Question | null {
  const row = reader.get<Question & { contentJson: number }>(
    `SELECT seq, id, content, content_json AS contentJson, mode, tool_reach AS toolReach FROM messages
      WHERE workspace_id = ? AND chat_id = ? AND role = 'user' AND status = 'pending' ORDER BY seq LIMIT 1`,
    [chat.workspaceId, chat.id],
  );
  return row && { ...row, content: contentOf(row) };
}

/** Whether a user message of a chat waits for a worker. */
export function hasWaitingMessage(reader: Reader, chat: { id: string; workspaceId: string }): boolean {
  return (
    reader.get(
      `SELECT 1 FROM messages
        WHERE workspace_id = ? AND chat_id = ? AND role = 'user' AND status = 'pending' LIMIT 1`,
      [chat.workspaceId, chat.id],
    ) !== null
  );
}

/** How many user messages wait, in all workspaces, counted up to `ceiling`. */
export function countWaiting(reader: Reader, ceiling: number): number {
  const counted = reader.get<{ messages: number }>(
    `SELECT count(*) AS messages FROM (SELECT 1 FROM messages INDEXED BY messages_waiting
      WHERE role = 'user' AND status = 'pending' LIMIT ?)`,
    [ceiling],
  );
  return counted?.messages ?? 0;
}

/** How many user messages wait in a workspace, and in how many chats. */
export function countWaitingIn(reader: Reader, workspaceId: string): { messages: number; chats: number } {
  const counted = reader.get<{ messages: number; chats: number }>(
    `SELECT count(*) AS messages, count(DISTINCT chat_id) AS chats FROM messages INDEXED BY messages_waiting
      WHERE workspace_id = ? AND role = 'user' AND status = 'pending'`,
    [workspaceId],
  );
  return counted ?? { messages: 0, chats: 0 };
}

/** The assistant message of a chat that isn't final yet, or null. */
export function findUnfinishedReply(reader: Reader, chatId: string): StoredMessage | null {
  const row = reader.get<MessageRow>(
    `SELECT ${COLUMNS} FROM messages
      WHERE chat_id = ? AND role = 'assistant' AND status IN ('pending', 'streaming')`,
    [chatId],
  );
  return row && toMessage(row);
}

/** A message to store. */
export type NewMessage = Omit<StoredMessage, 'seq' | 'reasoning' | 'toolReach'> &
  Partial<Pick<StoredMessage, 'reasoning' | 'toolReach'>>;

/** Stores a new message at the end of its chat and returns its `seq`. The search index takes it up later. */
export function createMessage(writer: Writer, message: NewMessage): number {
  const seq = (writer.get<{ last: number | null }>('SELECT max(seq) AS last FROM messages')?.last ?? 0) + 1;
  const [content, contentJson] = contentParams(message.content);
  writer.run(
    `INSERT INTO messages (seq, id, chat_id, workspace_id, role, content, content_json, status, mode, tool_reach,
      model, steps, reasoning, error_code, error_message, usage, stop_reason, reply_to, created_at)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      seq,
      message.id,
      message.chatId,
      message.workspaceId,
      message.role,
      content,
      contentJson,
      message.status,
      message.mode,
      message.toolReach ?? null,
      message.model,
      stepsJson(message.steps),
      reasoningText(message.reasoning),
      message.error?.code ?? null,
      message.error?.message ?? null,
      jsonOrNull(message.usage),
      message.stopReason,
      message.replyTo,
      message.createdAt,
    ],
  );
  return seq;
}

/** Changes a message's status and nothing else. */
export function updateMessageStatus(writer: Writer, id: string, status: MessageStatus): void {
  writer.run('UPDATE messages SET status = ? WHERE id = ?', [status, id]);
}

/** Saves how far an unfinished reply has got; false, and nothing is changed, when it is final or there is none. */
export function updateReplyProgress(
  writer: Writer,
  id: string,
  progress: { content: string; steps: Step[]; reasoning: string; status: 'pending' | 'streaming' },
): boolean {
  const [content, contentJson] = contentParams(progress.content);
  return (
    writer.run(
      `UPDATE messages SET content = ?, content_json = ?, steps = ?, reasoning = ?, status = ?
        WHERE id = ? AND status IN ('pending', 'streaming')`,
      [
        content,
        contentJson,
        stepsJson(progress.steps),
        reasoningText(progress.reasoning),
        progress.status,
        id,
      ],
    ) === 1
  );
}

/** How a reply ended. */
export interface FinalReply {
  content: string;
  steps: Step[];
  /** Null or absent: the model told none. */
  reasoning?: string | null;
  status: 'complete' | 'error';
  error: MessageError | null;
  usage: Usage | null;
  stopReason: StopReason | null;
}

/** Makes a reply final. It must not be final already. */
export function finishReply(writer: Writer, reply: { seq: number }, final: FinalReply): void {
  const [content, contentJson] = contentParams(final.content);
  const params: SqlValue[] = [
    content,
    contentJson,
    stepsJson(final.steps),
    reasoningText(final.reasoning),
    final.status,
    final.error?.code ?? null,
    final.error?.message ?? null,
    jsonOrNull(final.usage),
    final.stopReason,
    reply.seq,
  ];
  writer.run(
    `UPDATE messages SET content = ?, content_json = ?, steps = ?, reasoning = ?, status = ?, error_code = ?, error_message = ?,
      usage = ?, stop_reason = ? WHERE seq = ?`,
    params,
  );
  indexFinishedReply(writer, reply.seq);
}
