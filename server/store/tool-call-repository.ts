import { findUnfinishedReply } from './message-repository.ts';
import { defineTable, plain, text, type RowOf } from './table.ts';
import type { Writer } from './types.ts';

/**
 * `waiting`: a person is being asked. `approved`, `denied`, `expired`: that is over. `withdrawn`: what would have been used was
 * removed or changed before anybody answered. `begun`: the call was about to be made. `done`, `failed`: it has ended. `sent`: it
 * was about to be made, and only sends something, so that nobody needs to know how it ended. `in_doubt`: it was cut off, so nobody
 * knows whether it took effect; such a call stays after its reply is final, until a person allows the tool anyway.
 */
type ToolCallState =
  | 'waiting'
  | 'approved'
  | 'denied'
  | 'expired'
  | 'withdrawn'
  | 'begun'
  | 'done'
  | 'failed'
  | 'sent'
  | 'in_doubt';

/** Calls of running turns that ask a person, or that change or send something. */
const CALLS = defineTable('tool_calls', {
  id: text(),
  replyId: text(),
  chatId: text(),
  tool: text(),
  /** As JSON, with the fields of each object in order. */
  input: text(),
  state: plain<ToolCallState>(),
  createdAt: text(),
  /** When a missing answer counts as a no; null: nobody is asked. */
  expiresAt: plain<string | null>(null),
  /** What the person's answer was based on, as reported by the tool; null: nothing that could change, or nobody is asked. */
  basis: plain<string | null>(null),
  /** Where an “always” would hold (PermissionScope), and what people call that; null: it can't be remembered. */
  place: plain<string | null>(null),
  placeName: plain<string | null>(null),
  /** The tool's description when the person was asked. */
  described: plain<string | null>(null),
});

/** A call as it is stored. */
export type StoredToolCall = RowOf<typeof CALLS.columns>;

/** The calls of a reply, oldest first. */
export const listToolCalls = CALLS.list<[replyId: string]>('WHERE reply_id = ? ORDER BY rowid');

/** The calls of a reply that were begun, oldest first: they may have changed or sent something. */
export const listBegunCalls = CALLS.list<[replyId: string]>(
  `WHERE reply_id = ? AND state NOT IN ('waiting', 'approved', 'denied', 'expired', 'withdrawn') ORDER BY rowid`,
);

/** The call of that id in that chat, or null. */
export const findToolCall = CALLS.first<[chatId: string, id: string]>('WHERE chat_id = ? AND id = ?');

/** Stores a new call. */
export const createToolCall = CALLS.insert;

/** Removes a call. */
export const deleteToolCall = CALLS.delete<[id: string]>('WHERE id = ?');

const saveState = CALLS.update(['state'], `WHERE id = ? AND state <> 'in_doubt'`);

/**
 * Records that a call of a running turn is about to be made. False, without a change: the turn is over, so it must not be made.
 */
export function beginToolCall(
  writer: Writer,
  call: Pick<StoredToolCall, 'id' | 'chatId' | 'replyId' | 'tool' | 'input' | 'createdAt'> & {
    state: 'begun' | 'sent';
  },
): boolean {
  // Checked in the same transaction, so that the code which ends a turn sees all that was begun.
  if (findUnfinishedReply(writer, call.chatId)?.id !== call.replyId) return false;
  if (saveState(writer, call, call.id) === 0) createToolCall(writer, call);
  return true;
}

/** Stores the progress of a call; does nothing when its turn is over or the call is in doubt. */
export function updateToolCall(writer: Writer, id: string, state: ToolCallState): void {
  saveState(writer, { state }, id);
}

/** Withdraws all open approvals of tools whose names have that prefix. */
export function withdrawApprovals(writer: Writer, prefix: string): void {
  writer.run(`UPDATE tool_calls SET state = 'withdrawn' WHERE state = 'waiting' AND substr(tool, 1, ?) = ?`, [
    prefix.length,
    prefix,
  ]);
}

/**
 * Removes the calls of a reply that is final, and returns those that were begun. Calls of unknown outcome stay, without their
 * input.
 */
export function settleToolCalls(writer: Writer, replyId: string): StoredToolCall[] {
  const calls = listToolCalls(writer, replyId);
  // Most replies have none, and each statement costs a write to disk.
  if (calls.length === 0) return [];
  const begun = listBegunCalls(writer, replyId);
  writer.run(`DELETE FROM tool_calls WHERE reply_id = ? AND state NOT IN ('begun', 'in_doubt')`, [replyId]);
  writer.run(
    `UPDATE tool_calls SET state = 'in_doubt', input = 'null', expires_at = NULL, basis = NULL
      WHERE reply_id = ?`,
    [replyId],
  );
  return begun;
}

const DOUBTS = `WHERE chat_id = ? AND tool = ? AND state = 'in_doubt'`;

/** Whether a call of the tool in the chat was cut off, and no person has allowed the tool since. */
export const hasDoubt = CALLS.has<[chatId: string, tool: string]>(DOUBTS);

/** Settles the doubts: a person knows of them and allowed the tool anyway. */
export const settleDoubts = CALLS.delete<[chatId: string, tool: string]>(DOUBTS);
