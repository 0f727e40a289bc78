/**
 * Hiding and showing a long branch in slices. `unsettled_versions` holds versions whose marks (`hidden_by`) don't count. A branch that is to
 * be hidden is marked while its version is in there; taking it out hides the branch at once. One that is to be shown appears at once when
 * its version is put in; then its marks are removed. Either way, what a killed process leaves is settled by removing the marks.
 */
import { MESSAGES } from './message-repository.ts';
import { breathe } from './pieces.ts';
import type { Reader, Store, Writer } from './types.ts';

/** Branches of up to this many messages are changed in one statement, and longer ones as many at a time. */
export const ROWS_AT_ONCE = 150;

const BELONGS = `(role = 'user' OR (
  SELECT question.seq FROM messages AS question WHERE question.id = messages.reply_to) >= ?)`;

/** Marks the messages of a version's branch after `afterSeq`, up to `lastSeq`. Its own row is not marked. */
export function markBranch(
  writer: Writer,
  chatId: string,
  version: { id: string; seq: number },
  { afterSeq, lastSeq = Number.MAX_SAFE_INTEGER }: { afterSeq: number; lastSeq?: number },
): void {
  writer.run(
    `UPDATE messages SET hidden_by = ? WHERE chat_id = ? AND seq > ? AND seq <= ? AND hidden_by IS NULL AND ${BELONGS}`,
    [version.id, chatId, afterSeq, lastSeq, version.seq],
  );
}

/** Lets the marks of a version not count, or count again. */
export function updateUnsettled(
  writer: Writer,
  chatId: string,
  versionId: string,
  isUnsettled: boolean,
): void {
  if (isUnsettled)
    writer.run('INSERT OR IGNORE INTO unsettled_versions (id, chat_id) VALUES (?, ?)', [versionId, chatId]);
  else writer.run('DELETE FROM unsettled_versions WHERE id = ?', [versionId]);
}

/** Whether more messages are marked with that version than are changed at once. */
export const hidesMany = MESSAGES.has<[versionId: string]>(
  `WHERE hidden_by = ? LIMIT 1 OFFSET ${ROWS_AT_ONCE}`,
);

/** The place of the message that many after `afterSeq` in its chat; null: there are fewer. */
const findStep = MESSAGES.value<[chatId: string, afterSeq: number], 'seq'>(
  `WHERE chat_id = ? AND seq > ? ORDER BY seq LIMIT 1 OFFSET ${ROWS_AT_ONCE - 1}`,
  'seq',
);

/**
 * Prepares hiding the branch of a listed version in slices, if it is long. Resolves with the place up to which it is marked; the rest, and
 * the version itself, is left for the transaction that hides it.
 */
export async function prepareHiding(
  store: Store,
  chatId: string,
  version: { id: string; seq: number },
): Promise<number> {
  let afterSeq = version.seq;
  for (
    let next;
    (next = store.read((reader) => findStep(reader, chatId, afterSeq))) !== null;
    afterSeq = next
  ) {
    const lastSeq = next;
    await store.write((writer) => {
      if (afterSeq === version.seq) updateUnsettled(writer, chatId, version.id, true);
      markBranch(writer, chatId, version, { afterSeq, lastSeq });
    });
    await breathe();
  }
  return afterSeq;
}

/** The versions that are unsettled, in that chat or (null) in any, each with its chat. */
export const listUnsettledVersions = (
  reader: Reader,
  chatId: string | null,
): { id: string; chatId: string }[] =>
  reader.all('SELECT id, chat_id AS chatId FROM unsettled_versions WHERE chat_id = ? OR ? IS NULL', [
    chatId,
    chatId,
  ]);

/** Removes the marks of the unsettled versions of a chat in slices. */
export async function settleVersions(store: Store, chatId: string): Promise<void> {
  for (const { id } of store.read((reader) => listUnsettledVersions(reader, chatId))) {
    while (!(await store.write((writer) => removeMarks(writer, chatId, id)))) await breathe();
  }
}

/** Removes the next marks; true when there are no more. */
function removeMarks(writer: Writer, chatId: string, versionId: string): boolean {
  const changed = writer.run(
    `UPDATE messages SET hidden_by = NULL WHERE seq IN (SELECT seq FROM messages WHERE hidden_by = ? LIMIT ?)`,
    [versionId, ROWS_AT_ONCE],
  );
  if (changed === ROWS_AT_ONCE) return false;
  updateUnsettled(writer, chatId, versionId, false);
  return true;
}
