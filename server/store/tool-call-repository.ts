import { defineTable, plain, text, type Row } from './table.ts';
import type { Reader, Writer } from './types.ts';

/**
 * `waiting`: a person is asked. `approved`, `denied`, `expired`: they were. `begun`: it was about to be done; whether it was
 * is known once it is `done` or `failed`. `in_doubt`: it was cut off, so nobody knows, which the model was told; such a call
 * stays when its reply is final, until a person said that the tool may be used all the same.
 * `withdrawn`: what would have been used was removed or changed before anybody answered.
 */
export const TOOL_CALL_STATES = [
  'waiting',
  'approved',
  'denied',
  'expired',
  'begun',
  'done',
  'failed',
  'in_doubt',
  'withdrawn',
] as const;
export type ToolCallState = (typeof TOOL_CALL_STATES)[number];

/** Calls of turns under way that must not be made, or asked about, twice without a word. */
const CALLS = defineTable('tool_calls', {
  id: text(),
  replyId: text(),
  chatId: text(),
  tool: text(),
  /** As JSON, with the fields of each object in order. */
  input: text(),
  state: plain<ToolCallState>(),
  /** As JSON, of one that is done; null otherwise. */
  output: plain<string | null>(null),
  /** In words, of one that failed; null otherwise. */
  error: plain<string | null>(null),
  createdAt: text(),
  /** When nobody's answer counts as a no; null: nobody is asked. */
  expiresAt: plain<string | null>(null),
  /** What the person was asked on, as the tool told it; null: nothing that could change meanwhile, or nobody is asked. */
  basis: plain<string | null>(null),
  /** Where an “always” would hold (PermissionScope), and what people call that; null: it can't be remembered. */
  place: plain<string | null>(null),
  placeName: plain<string | null>(null),
  /** How the tool was described when it was asked. */
  described: plain<string | null>(null),
});

/** A call as it is stored. */
export type StoredToolCall = Row<typeof CALLS.columns>;

const QUESTION = ['id', 'expiresAt', 'basis', 'place', 'placeName', 'described'] as const;

/** What a person is asked, as far as it can be asked anew. */
export type StoredQuestion = Pick<StoredToolCall, (typeof QUESTION)[number]>;

/** The calls of a reply, oldest first. */
export const listToolCalls = CALLS.list<[replyId: string]>('WHERE reply_id = ? ORDER BY rowid');

/** The call of that id in that chat, or null. */
export const findToolCall = CALLS.first<[chatId: string, id: string]>('WHERE chat_id = ? AND id = ?');

/** Stores a new call. */
export const createToolCall = CALLS.insert;

const saveQuestion = CALLS.update(QUESTION, `WHERE id = ? AND state = 'waiting'`);
const saveState = CALLS.update(['state', 'output', 'error'], `WHERE id = ? AND state <> 'in_doubt'`);

/**
 * Has another question stand in the place of one that still waits, which nobody can answer from then on; false: it waits no
 * more, and is as it was.
 */
export function replaceQuestion(writer: Writer, id: string, to: StoredQuestion): boolean {
  return saveQuestion(writer, to, id) > 0;
}

/** Stores how far a call has come; nothing happens when its turn is over, or nobody knows how far it came. */
export function updateToolCall(
  writer: Writer,
  id: string,
  progress: Pick<StoredToolCall, 'state'> & Partial<Pick<StoredToolCall, 'output' | 'error'>>,
): void {
  saveState(writer, { output: null, error: null, ...progress }, id);
}

/** Ends all questions about tools whose names begin so. */
export function withdrawQuestions(writer: Writer, prefix: string): void {
  writer.run(`UPDATE tool_calls SET state = 'withdrawn' WHERE state = 'waiting' AND substr(tool, 1, ?) = ?`, [
    prefix.length,
    prefix,
  ]);
}

/**
 * Removes the calls of a reply that is final: what they did stands in its steps. Those of which nobody knows whether they
 * took effect are given back, and stay without what was sent.
 */
export function settleToolCalls(writer: Writer, replyId: string): StoredToolCall[] {
  const calls = listToolCalls(writer, replyId);
  // Most have none, and a statement more would be written to disk for each of them.
  if (calls.length === 0) return [];
  writer.run(`DELETE FROM tool_calls WHERE reply_id = ? AND state NOT IN ('begun', 'in_doubt')`, [replyId]);
  writer.run(
    `UPDATE tool_calls SET state = 'in_doubt', input = 'null', error = NULL, expires_at = NULL, basis = NULL
      WHERE reply_id = ?`,
    [replyId],
  );
  return calls.filter(({ state }) => state === 'begun' || state === 'in_doubt');
}

const DOUBTS = `FROM tool_calls WHERE chat_id = ? AND tool = ? AND reply_id <> ? AND state = 'in_doubt'`;

/** Whether a call of the tool in a reply of the chat other than this one was cut off, and nobody has settled that since. */
export const hasDoubt = (reader: Reader, { chatId, tool, replyId }: DoubtPlace): boolean =>
  reader.get(`SELECT id ${DOUBTS} LIMIT 1`, [chatId, tool, replyId]) !== null;

/** A person knows of the doubts, and said that the tool may be used all the same. */
export function settleDoubts(writer: Writer, { chatId, tool, replyId }: DoubtPlace): void {
  writer.run(`DELETE ${DOUBTS}`, [chatId, tool, replyId]);
}

type DoubtPlace = Pick<StoredToolCall, 'chatId' | 'tool' | 'replyId'>;
