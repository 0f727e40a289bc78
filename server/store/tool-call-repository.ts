import type { Reader, Writer } from './types.ts';

/**
 * `waiting`: a person is asked. `approved`, `denied`, `expired`: they were. `begun`: it was about to be done; whether it was
 * is known once it is `done` or `failed`. `in_doubt`: Parley died meanwhile, so nobody knows, which the model was told.
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

/** A call of a turn under way that must not be made, or asked about, twice without a word. */
export interface StoredToolCall {
  id: string;
  replyId: string;
  chatId: string;
  tool: string;
  /** As JSON, with the fields of each object in order. */
  input: string;
  state: ToolCallState;
  /** As JSON, of one that is done; null otherwise. */
  output: string | null;
  /** In words, of one that failed; null otherwise. */
  error: string | null;
  createdAt: string;
  /** When nobody's answer counts as a no; null: nobody is asked. */
  expiresAt: string | null;
  /** What the person was asked on, as the tool told it; null: nothing that could change meanwhile, or nobody is asked. */
  basis: string | null;
}

/** What a person is asked, as far as it can be asked anew. */
export type StoredQuestion = Pick<StoredToolCall, 'id' | 'expiresAt' | 'basis'>;

const COLUMNS = `id, reply_id AS replyId, chat_id AS chatId, tool, input, state, output, error, created_at AS createdAt,
  expires_at AS expiresAt, basis`;

/** The calls of a reply, oldest first. */
export function listToolCalls(reader: Reader, replyId: string): StoredToolCall[] {
  return reader.all<StoredToolCall>(`SELECT ${COLUMNS} FROM tool_calls WHERE reply_id = ? ORDER BY rowid`, [
    replyId,
  ]);
}

/** The call of that id in that chat, or null. */
export function findToolCall(reader: Reader, chatId: string, id: string): StoredToolCall | null {
  return reader.get<StoredToolCall>(`SELECT ${COLUMNS} FROM tool_calls WHERE id = ? AND chat_id = ?`, [
    id,
    chatId,
  ]);
}

/** Stores a new call. */
export function createToolCall(writer: Writer, call: StoredToolCall): void {
  writer.run(
    `INSERT INTO tool_calls (id, reply_id, chat_id, tool, input, state, output, error, created_at, expires_at,
        basis)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      call.id,
      call.replyId,
      call.chatId,
      call.tool,
      call.input,
      call.state,
      call.output,
      call.error,
      call.createdAt,
      call.expiresAt,
      call.basis,
    ],
  );
}

/**
 * Has another question stand in the place of one that still waits, which nobody can answer from then on; false: it waits no
 * more, and is as it was.
 */
export function replaceQuestion(
  writer: Writer,
  id: string,
  { expiresAt, basis, ...to }: StoredQuestion,
): boolean {
  const changed = writer.run(
    `UPDATE tool_calls SET id = ?, expires_at = ?, basis = ? WHERE id = ? AND state = 'waiting'`,
    [to.id, expiresAt, basis, id],
  );
  return changed > 0;
}

/** Stores how far a call has come; nothing happens when its turn is over. */
export function updateToolCall(
  writer: Writer,
  id: string,
  {
    state,
    output = null,
    error = null,
  }: { state: ToolCallState; output?: string | null; error?: string | null },
): void {
  writer.run('UPDATE tool_calls SET state = ?, output = ?, error = ? WHERE id = ?', [
    state,
    output,
    error,
    id,
  ]);
}

/** Ends all questions about tools whose names begin so. */
export function withdrawQuestions(writer: Writer, prefix: string): void {
  writer.run(`UPDATE tool_calls SET state = 'withdrawn' WHERE state = 'waiting' AND substr(tool, 1, ?) = ?`, [
    prefix.length,
    prefix,
  ]);
}

/** Removes the calls of a reply that is final: what they did stands in its steps. */
export function deleteToolCalls(writer: Writer, replyId: string): void {
  // Most have none, and a statement more would be written to disk for each of them.
  if (listToolCalls(writer, replyId).length === 0) return;
  writer.run('DELETE FROM tool_calls WHERE reply_id = ?', [replyId]);
}
