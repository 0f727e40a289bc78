/** Sentences of the settings about exports, imports and backups. */
import type {
  FileFindings,
  FileProblem,
  ImportPreview,
  ImportResult,
  OmittedParts,
} from '../../../shared/api/data.ts';
import { words } from '../../lib/words/settings.ts';

/** The result of an import or a restore, in a sentence or a few. */
export function describeResult(result: ImportResult): string {
  const found = describeFindings(result);
  return found === '' ? describeChats(result) : `${describeChats(result)} ${found}`;
}

function describeChats({ imported, copied, skipped, leftOut, workspaces }: ImportResult): string {
  const text = words.data;
  if (imported + copied + skipped === 0) return leftOut > 0 ? text.nothingCameIn : text.nothingInIt;
  if (imported + copied === 0) return text.allThere(skipped);
  const parts = [text.cameIn(imported + copied)];
  if (skipped > 0) parts.push(text.wereThere(skipped));
  const names = (workspaces ?? []).filter(({ chatIds }) => chatIds.length > 0).map(({ name }) => name);
  return [
    `${parts.join(text.and)}.`,
    ...(names.length > 0 ? [text.inWorkspaces(names)] : []),
    ...(copied > 0 ? [text.asCopies(copied)] : []),
  ].join(' ');
}

/** That a backup was created, and what is damaged in it, if anything. */
export function describeBackup(findings: FileFindings): string {
  const found = describeFindings(findings);
  return found === '' ? words.data.backedUp : `${words.data.backedUp} ${words.data.foundInBackup} ${found}`;
}

/** What was found wrong in a file, in a sentence or two; empty: nothing. */
function describeFindings({ mended, leftOut }: FileFindings): string {
  const parts = [];
  if (mended > 0) parts.push(words.data.mended(mended));
  if (leftOut > 0) parts.push(words.data.leftOut(leftOut));
  return parts.join(' ');
}

/** What importing a file would do to its chats, in a few sentences. */
export function describeOutlook(preview: ImportPreview): string[] {
  const text = words.data.archive;
  const { chats, imported, copied, skipped } = preview;
  const lines = [];
  if (imported + copied > 0) lines.push(text.willComeIn(imported + copied));
  else if (chats > 0) lines.push(words.data.allThere(skipped));
  else lines.push(words.data.nothingInIt);
  if (skipped > 0 && imported + copied > 0) lines.push(text.areThere(skipped));
  if (copied > 0) lines.push(text.willBeCopies(copied));
  if (preview.mended > 0) lines.push(text.willBeMended(preview.mended));
  if (preview.leftOut > 0) lines.push(text.willBeLeftOut(preview.leftOut));
  return lines;
}

/** What would not be imported, in a few sentences. */
export function describeOmitted(omitted: OmittedParts | undefined): string[] {
  const text = words.data.archive;
  if (omitted === undefined) return [];
  const { images, files, recordings, instructions } = omitted;
  const named = [text.images(images), text.files(files), text.recordings(recordings)].filter(
    (_, index) => [images, files, recordings][index] !== 0,
  );
  const lines = named.length === 0 ? [] : [text.stayBehind(named)];
  return instructions === 0 ? lines : [...lines, text.instructions(instructions)];
}

/** One problem that was found, with where it is. */
export function describeFinding({ chat, title, message, what }: FileProblem): string {
  if (chat === null) return what;
  const text = words.data;
  const inChat = text.foundChat(title ?? null, chat);
  return `${message === null ? inChat : text.foundMessage(inChat, message)}: ${what}`;
}
