/**
 * Versions of user messages, and the branches that the conversation takes after each of them.
 *
 * Editing a message, or trying it again, makes a new user message; both then name the first version in `version_of`, and one
 * that was made by trying again the version with its question in `retry_of`. A version's branch is the message itself, its reply and all that came after. Of the versions of a group one is chosen:
 * the others have `hidden_by` = their own id, and so has their whole branch, because it was hidden as one when another
 * was chosen. `hidden_by` is therefore the version that has to be chosen for a message to be listed, and choosing it
 * brings back its branch with the choices that were made inside. Nothing is ever removed here.
 *
 * A branch is defined by user messages and their replies, not by `seq` alone: when two messages are sent in a row, the
 * reply to the first comes after the second. Deleted messages are hidden and shown with their branch like all others,
 * so that they come back where they were.
 */
import type { Attachment } from '../../shared/api/attachment.ts';
import type { MessageMode, MessageRole } from '../../shared/api/message.ts';
import type { Parameters } from '../../shared/api/parameters.ts';
import type { MessageStatus } from '../../shared/choices.ts';
import { hidesMany, markBranch, updateUnsettled } from './branch-change-repository.ts';
import { IS_LISTED, isShown } from './listed.ts';
import { MESSAGES } from './message-repository.ts';
import { contentOf } from './message-text.ts';
import { defineTable, plain, text, type RowOf } from './table.ts';
import type { Reader, Writer } from './types.ts';

const POSITIONS = defineTable('messages', {
  seq: plain<number>(),
  id: text(),
  role: plain<MessageRole>(),
  status: plain<MessageStatus>(),
  /** On replies: the user message it answers. */
  replyTo: plain<string | null>(),
  /** The first version of it; null when there is only one. */
  versionOf: plain<string | null>(),
  /** The version whose question it asks once more, itself no retry; null: it is the first version, or an edit. */
  retryOf: plain<string | null>(),
  /** The version that has to be chosen for it to be listed; null when it is, unless it is deleted. */
  hiddenBy: plain<string | null>(),
  /** Null: it is not deleted. */
  deletedAt: plain<string | null>(),
});

/** Where a message stands among the versions of its chat. */
export type MessagePosition = RowOf<typeof POSITIONS.columns>;

/** The message of that id in that chat, hidden or deleted ones too; null when there is none. */
export const findPosition = POSITIONS.first<[chatId: string, id: string]>('WHERE chat_id = ? AND id = ?');

/** The last user message of a chat that is listed, or null. */
export const findLastQuestion = POSITIONS.first<[chatId: string]>(
  `WHERE chat_id = ? AND role = 'user' AND ${IS_LISTED} ORDER BY seq DESC LIMIT 1`,
);

/** The version that is chosen among those of the hidden version `id`. */
const findChosen = POSITIONS.first<[id: string, chatId: string]>(
  `WHERE version_of = (SELECT version_of FROM messages WHERE id = ?) AND chat_id = ?
    AND (hidden_by IS NULL OR hidden_by <> id)`,
);

const findText = MESSAGES.only('content', 'contentJson', 'mode', 'parameters', 'attachments').first<
  [seq: number]
>('WHERE seq = ?');

/** What a user message asks. */
export function readQuestion(
  reader: Reader,
  seq: number,
): { content: string; mode: MessageMode; parameters: Parameters | null; attachments: Attachment[] } {
  const row = findText(reader, seq);
  if (row === null) throw new Error(`There is no message ${seq}.`);
  const { mode, parameters, attachments } = row;
  return { content: contentOf(row), mode: mode ?? 'agent', parameters, attachments: attachments ?? [] };
}

/** Whether a chat's present branch begins with that user message, which is not hidden; deleted ones count. */
export const isFirstQuestion = (reader: Reader, chatId: string, seq: number): boolean =>
  !hasQuestionBefore(reader, chatId, seq);

const hasQuestionBefore = POSITIONS.has<[chatId: string, seq: number]>(
  `WHERE chat_id = ? AND seq < ? AND role = 'user' AND ${isShown('')} LIMIT 1`,
);

/** Up to which place the branches of versions, by their ids, are marked already (branch-change-repository.ts). */
export type MarkedTo = ReadonlyMap<string, number>;

/** Hides the branch of a user message that is not hidden, to make room for another version of it. */
export function hideBranch(
  writer: Writer,
  chatId: string,
  version: { id: string; seq: number },
  markedTo: MarkedTo = new Map(),
): void {
  const afterSeq = markedTo.get(version.id) ?? version.seq;
  writer.run('UPDATE messages SET hidden_by = ? WHERE seq = ?', [version.id, version.seq]);
  markBranch(writer, chatId, version, { afterSeq });
  if (afterSeq > version.seq) updateUnsettled(writer, chatId, version.id, false);
}

/** Says that a user message is a version of another: the same question once more (`isRetry`), or an edit. */
export function markVersion(writer: Writer, id: string, of: MessagePosition, isRetry: boolean): void {
  const first = of.versionOf ?? of.id;
  if (of.versionOf === null) writer.run('UPDATE messages SET version_of = ? WHERE seq = ?', [first, of.seq]);
  const retryOf = isRetry ? (of.retryOf ?? of.id) : null;
  writer.run('UPDATE messages SET version_of = ?, retry_of = ? WHERE id = ?', [first, retryOf, id]);
}

/** For each version that has to be chosen for a message to be listed, the one chosen now; the outermost first. */
export function findChoices(
  reader: Reader,
  chatId: string,
  message: MessagePosition,
): { chosen: MessagePosition; wanted: string }[] {
  const choices: { chosen: MessagePosition; wanted: string }[] = [];
  const met = new Set<string>();
  let wanted = message.hiddenBy;
  while (wanted !== null) {
    if (met.has(wanted)) throw new Error(`The versions that hide ${message.id} hide each other.`);
    met.add(wanted);
    const chosen = findChosen(reader, wanted, chatId);
    if (chosen === null) throw new Error(`No version is chosen in place of the message ${wanted}.`);
    choices.push({ chosen, wanted });
    wanted = chosen.hiddenBy;
  }
  return choices.reverse();
}

/**
 * Chooses the versions, at any depth, that a message needs to be listed. With `markedTo`, the marks of a long branch that is shown are
 * left for later.
 */
export function showMessage(
  writer: Writer,
  chatId: string,
  message: MessagePosition,
  markedTo?: MarkedTo,
): void {
  const choices = findChoices(writer, chatId, message);
  // The outermost first: a branch can only be hidden while it is listed.
  for (const [index, { chosen, wanted }] of choices.entries()) {
    hideBranch(writer, chatId, chosen, markedTo);
    // What is inside a branch relies on its marks being gone.
    const isLater = markedTo !== undefined && index === choices.length - 1 && hidesMany(writer, wanted);
    if (isLater) updateUnsettled(writer, chatId, wanted, true);
    writer.run(`UPDATE messages SET hidden_by = NULL WHERE ${isLater ? 'id' : 'hidden_by'} = ?`, [wanted]);
  }
}

const findReply = POSITIONS.first<[chatId: string, seq: number, replyTo: string]>(
  'WHERE chat_id = ? AND seq > ? AND reply_to = ? ORDER BY seq LIMIT 1',
);

function* withReply(reader: Reader, chatId: string, message: MessagePosition): Generator<MessagePosition> {
  yield message;
  const reply = message.role === 'user' ? findReply(reader, chatId, message.seq, message.id) : null;
  if (reply !== null) yield reply;
}

/** Sets the time at which a message counts as deleted; null: it doesn't. */
export function updateMessageDeletedAt(writer: Writer, seq: number, deletedAt: string | null): void {
  writer.run('UPDATE messages SET deleted_at = ? WHERE seq = ?', [deletedAt, seq]);
}

/** Marks a message as deleted, a user message together with its reply. It must not be deleted already. */
export function deleteMessage(writer: Writer, chatId: string, message: MessagePosition, now: string): void {
  for (const each of withReply(writer, chatId, message))
    if (each.deletedAt === null) updateMessageDeletedAt(writer, each.seq, now);
}

/**
 * Removes that mark: from a user message together with the reply deleted with it, from a reply together with its user
 * message, since a reply alone makes no sense.
 */
export function restoreMessage(writer: Writer, chatId: string, message: MessagePosition): void {
  for (const each of withReply(writer, chatId, message))
    if (each.deletedAt === message.deletedAt) updateMessageDeletedAt(writer, each.seq, null);
  const question = message.replyTo === null ? null : findPosition(writer, chatId, message.replyTo);
  if (question !== null) updateMessageDeletedAt(writer, question.seq, null);
}
