import type { Attachment } from '../../shared/api/attachment.ts';
import type { MessageError, MessageMode, MessageRole } from '../../shared/api/message.ts';
import type { Step, StopReason, Timing, Usage } from '../../shared/api/message.ts';
import type { Growth, Round } from '../../shared/growth.ts';
import type { Parameters } from '../../shared/api/parameters.ts';
import type { MessageStatus } from '../../shared/choices.ts';
import { IS_LISTED } from './listed.ts';
import { indexNow, lastMessageSeq } from './search-index-repository.ts';
import { reasoningText, textColumnsOf, withText } from './message-text.ts';
import { type Initialised, type NewRow, type RowOf, defineTable, json, plain, text } from './table.ts';
import type { Reader, Writer } from './types.ts';

/**
 * Which tools the turn of a user message gets, by the key that sent it: `all`; `unasked`: tools that would ask are
 * refused; `none`: no tool that reaches out or asks.
 */
export type ToolReach = 'all' | 'unasked' | 'none';

/** The more restrictive of two. */
export const lesserReach = (one: ToolReach, other: ToolReach): ToolReach => {
  if (one === 'none' || other === 'none') return 'none';
  return one === 'unasked' ? one : other;
};

const steps: Initialised<Step[]> = {
  initial: [],
  read: (stored) => (stored === null ? [] : (JSON.parse(stored as string) as Step[])),
  write: (value) => (value.length === 0 ? null : JSON.stringify(value)),
};

/** Text and error have two columns each: see message-text.ts and {@link StoredMessage}. */
export const MESSAGES = defineTable('messages', {
  /** Orders messages over the whole store; given by {@link createMessage}. */
  seq: plain<number>(),
  id: text(),
  chatId: text(),
  /** Where it was sent. Its chat may have been moved since, with nothing waiting. */
  workspaceId: text(),
  role: plain<MessageRole>(),
  content: text(),
  contentJson: plain<number>(0),
  status: plain<MessageStatus>(),
  /** On user messages; null otherwise. */
  mode: plain<MessageMode | null>(null),
  /** On user messages that have files, in order; null otherwise. Their rows: file-repository.ts. */
  attachments: json<Attachment[] | null>(null),
  /** On user messages; null means `all`. Null on assistant messages. */
  toolReach: plain<ToolReach | null>(null),
  /** On user messages, only a model that was asked for that message alone. */
  model: plain<string | null>(null),
  /** On user messages; null: it was sent with none. */
  parameters: json<Parameters | null>(null),
  /** On user messages that came with `POST /v1/responses`: what the response repeats of its request. Null otherwise. */
  echo: json<Record<string, unknown> | null>(null),
  /** Tool calls, in order; empty when there were none. */
  steps,
  /** The model's reasoning, if it sent any; null otherwise. */
  reasoning: { write: reasoningText, ...plain<string | null>(null) },
  errorCode: plain<MessageError['code'] | null>(null),
  errorMessage: plain<string | null>(null),
  usage: json<Usage | null>(null),
  /** Of replies, once they are final; null: nothing was measured. */
  timing: json<Timing | null>(null),
  stopReason: plain<StopReason | null>(null),
  /** Of replies with steps; null: it has none, or an earlier version made it. */
  rounds: json<Round[] | null>(null),
  /** Id of the user message that an assistant message answers; null on user messages. */
  replyTo: plain<string | null>(null),
  createdAt: text(),
});

type MessageRow = RowOf<typeof MESSAGES.columns>;

/** A message as it is stored. */
export type StoredMessage = Omit<MessageRow, 'contentJson' | 'errorCode' | 'errorMessage'> & {
  error: MessageError | null;
};

const toMessage = ({ errorCode, errorMessage, ...row }: MessageRow): StoredMessage => ({
  ...withText(row),
  error: errorCode === null ? null : { code: errorCode, message: errorMessage ?? '' },
});

const errorOf = (error: MessageError | null | undefined): Pick<MessageRow, 'errorCode' | 'errorMessage'> => ({
  errorCode: error?.code ?? null,
  errorMessage: error?.message ?? null,
});

const WHOLE = MESSAGES.as(toMessage);

/** A chat's first messages after `afterSeq`, hidden and deleted ones too, oldest first. */
export const listMessagesAfter = WHOLE.piece<[chatId: string, afterSeq: number]>(
  'WHERE chat_id = ? AND seq > ? ORDER BY seq',
);

/** The message of that id in that chat; null when there is none or it isn't listed. */
export const findMessage = WHOLE.first<[chatId: string, id: string]>(
  `WHERE chat_id = ? AND id = ? AND ${IS_LISTED}`,
);

// Starts at the question, which is usually near the end of its chat.
const IS_REPLY = `WHERE chat_id = ? AND seq > ? AND reply_to = ? AND ${IS_LISTED} ORDER BY seq LIMIT 1`;
const findReplyRow = WHOLE.first<[chatId: string, seq: number, replyTo: string]>(IS_REPLY);
const findReplyStandingRow = MESSAGES.only('id', 'status').first<
  [chatId: string, seq: number, replyTo: string]
>(IS_REPLY);

/** The reply to a user message; null when there is none or it isn't listed. */
export const findReplyTo = (
  reader: Reader,
  { chatId, seq, id }: Pick<StoredMessage, 'chatId' | 'seq' | 'id'>,
): StoredMessage | null => findReplyRow(reader, chatId, seq, id);

/** The id and status of the reply, for frequent checks. */
export const findReplyStanding = (
  reader: Reader,
  { chatId, seq, id }: Pick<StoredMessage, 'chatId' | 'seq' | 'id'>,
): Pick<StoredMessage, 'id' | 'status'> | null => findReplyStandingRow(reader, chatId, seq, id);

/** The assistant message of a chat that isn't final yet, or null. */
export const findUnfinishedReply = WHOLE.first<[chatId: string]>(
  `WHERE chat_id = ? AND role = 'assistant' AND status IN ('pending', 'streaming')`,
);

const IS_WAITING = `WHERE workspace_id = ? AND chat_id = ? AND role = 'user' AND status = 'pending'`;

const ASKED = ['seq', 'id', 'content', 'attachments', 'mode', 'model', 'parameters', 'toolReach'] as const;

/** The fields of a user message that a worker needs; each column costs time, and every turn reads one. */
export type MessageToAnswer = Pick<StoredMessage, (typeof ASKED)[number]>;

const findWaiting = MESSAGES.only(...ASKED, 'contentJson')
  .as(withText)
  .first<[workspaceId: string, chatId: string]>(`${IS_WAITING} ORDER BY seq LIMIT 1`);

/** The oldest user message of a chat that no worker has taken, or null. */
export const findWaitingMessage = (
  reader: Reader,
  chat: { id: string; workspaceId: string },
): MessageToAnswer | null => findWaiting(reader, chat.workspaceId, chat.id);

const listWaiting = MESSAGES.values<[workspaceId: string, chatId: string]>(`${IS_WAITING} ORDER BY seq`);
const hasWaiting = MESSAGES.has<[workspaceId: string, chatId: string]>(`${IS_WAITING} LIMIT 1`);

/** Ids of the user messages of a chat that no worker has taken, oldest first. */
export const listWaitingIds = (reader: Reader, chat: { id: string; workspaceId: string }): string[] =>
  listWaiting(reader, chat.workspaceId, chat.id);

/** Whether a user message of a chat waits for a worker. */
export const hasWaitingMessage = (reader: Reader, chat: { id: string; workspaceId: string }): boolean =>
  hasWaiting(reader, chat.workspaceId, chat.id);

/** How many user messages wait in a workspace. */
export const countWaitingIn = MESSAGES.count<[workspaceId: string]>(
  `INDEXED BY messages_waiting WHERE workspace_id = ? AND role = 'user' AND status = 'pending'`,
);

/** A message to store; what it doesn't name is empty or null. */
export type NewMessage = Omit<
  NewRow<typeof MESSAGES.columns>,
  'seq' | 'contentJson' | 'errorCode' | 'errorMessage'
> & { error?: MessageError | null };

/** Stores a new message at the end of its chat and returns its `seq`. It is indexed for search later. */
export function createMessage(writer: Writer, message: NewMessage): number {
  const seq = lastMessageSeq(writer) + 1;
  MESSAGES.insert(writer, { ...message, ...textColumnsOf(message.content), ...errorOf(message.error), seq });
  return seq;
}

/** Lets a user message wait, again, in the workspace in which its chat is now. */
export function updateMessageToWait(writer: Writer, chat: { workspaceId: string }, id: string): void {
  writer.run(`UPDATE messages SET status = 'pending', workspace_id = ? WHERE id = ?`, [chat.workspaceId, id]);
}

/** Changes a message's status and nothing else. */
export function updateMessageStatus(writer: Writer, id: string, status: MessageStatus): void {
  writer.run('UPDATE messages SET status = ? WHERE id = ?', [status, id]);
}

/** What changes while a reply is written. */
const GROWING = ['content', 'contentJson', 'steps', 'reasoning', 'rounds', 'status'] as const;

const saveProgress = MESSAGES.update(GROWING, `WHERE id = ? AND status IN ('pending', 'streaming')`);

/** Saves an unfinished reply so far; false, without a change, when it is final or missing. */
export function updateReplyProgress(
  writer: Writer,
  id: string,
  {
    rounds = null,
    ...progress
  }: Pick<Growth, 'content' | 'steps' | 'reasoning'> & {
    rounds?: Round[] | null;
    status: 'pending' | 'streaming';
  },
): boolean {
  return saveProgress(writer, { ...progress, rounds, ...textColumnsOf(progress.content) }, id) === 1;
}

/** How a reply ended; absent or null: no reasoning was sent, nothing was measured, no rounds are known. */
export type FinalReply = Pick<StoredMessage, 'content' | 'steps' | 'error' | 'usage' | 'stopReason'> &
  Partial<Pick<StoredMessage, 'reasoning' | 'timing' | 'rounds'>> & { status: 'complete' | 'error' };

const saveFinal = MESSAGES.update(
  [...GROWING, 'errorCode', 'errorMessage', 'usage', 'timing', 'stopReason'],
  'WHERE seq = ?',
);

/** Makes a reply final. It must not be final already. */
export function updateFinalReply(writer: Writer, reply: { seq: number }, final: FinalReply): void {
  const { reasoning = null, timing = null, rounds = null } = final;
  saveFinal(
    writer,
    { ...final, reasoning, timing, rounds, ...textColumnsOf(final.content), ...errorOf(final.error) },
    reply.seq,
  );
  indexNow(writer, reply.seq);
}
