import { defineTable, plain, text, type Row } from './table.ts';
import type { Reader, Writer } from './types.ts';

/**
 * `waiting`: a person is being asked. `approved`, `denied`, `expired`: that is over. `begun`: the call was about to be
 * made; its outcome is known once it is `done` or `failed`. `in_doubt`: it was cut off, so its outcome is unknown, and
 * the model knows that; such a call stays after its reply is final, until a person allows the tool anyway. `withdrawn`:
 * what would have been used was removed or changed before anybody answered.
 */
export type ToolCallState =
  'waiting' | 'approved' | 'denied' | 'expired' | 'begun' | 'done' | 'failed' | 'in_doubt' | 'withdrawn';

/** Calls of running turns that must not silently be made, or asked about, twice. */
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
  /** When a missing answer counts as a no; null: nobody is asked. */
  expiresAt: plain<string | null>(null),
  /** What the person's answer was based on, as reported by the tool; null: nothing that could change, or nobody is asked. */
  basis: plain<string | null>(null),
  /** Where an “always” would hold (PermissionScope), and what people call that; null: it can't be remembered. */
  place: plain<string | null>(null),
  placeName: plain<string | null>(null),
  /** The tool's description at the time of the question. */
  described: plain<string | null>(null),
});

/** A call as it is stored. */
export type StoredToolCall = Row<typeof CALLS.columns>;

const QUESTION = ['id', 'expiresAt', 'basis', 'place', 'placeName', 'described'] as const;

/** The part of a question that can be replaced by another. */
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
 * Replaces a waiting question by another, so that the old one can't be answered any more; false, without a change: it
 * no longer waits.
 */
export function replaceQuestion(writer: Writer, id: string, to: StoredQuestion): boolean {
  return saveQuestion(writer, to, id) > 0;
}

/** Stores the progress of a call; does nothing when its turn is over or the call is in doubt. */
export function updateToolCall(
  writer: Writer,
  id: string,
  progress: Pick<StoredToolCall, 'state'> & Partial<Pick<StoredToolCall, 'output' | 'error'>>,
): void {
  saveState(writer, { output: null, error: null, ...progress }, id);
}

/** Withdraws all questions about tools whose names have that prefix. */
export function withdrawQuestions(writer: Writer, prefix: string): void {
  writer.run(`UPDATE tool_calls SET state = 'withdrawn' WHERE state = 'waiting' AND substr(tool, 1, ?) = ?`, [
    prefix.length,
    prefix,
  ]);
}

/**
 * Removes the calls of a reply that is final: what they did stands in its steps. Calls of unknown outcome are returned,
 * and stay without their input.
 */
export function settleToolCalls(writer: Writer, replyId: string): StoredToolCall[] {
  const calls = listToolCalls(writer, replyId);
  // Most replies have none, and each statement costs a write to disk.
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

/** Settles the doubts: a person knows of them and allowed the tool anyway. */
export function settleDoubts(writer: Writer, { chatId, tool, replyId }: DoubtPlace): void {
  writer.run(`DELETE ${DOUBTS}`, [chatId, tool, replyId]);
}

type DoubtPlace = Pick<StoredToolCall, 'chatId' | 'tool' | 'replyId'>;
