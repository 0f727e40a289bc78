/** Gives files to messages, inside the transaction that stores the message. */
import type { Attachment } from '../../shared/api/attachment.ts';
import { AppError } from '../errors.ts';
import { createFile, findFile, giveFile, toAttachment, type StoredFile } from '../store/file-repository.ts';
import type { Writer } from '../store/types.ts';
import type { KeptFile } from './file-store.ts';

/** A file for a message: one that was just stored, or one that already has a row. */
export type WantedFile = { file: KeptFile } | { fileId: string };

/**
 * Gives the files to the message; null: none. An upload becomes the message's; its own files stay, and another
 * message's file is copied, and so is one named twice. Throws AppError `file_not_found` for what isn't in that workspace, or is deleted.
 */
export function attachFiles(
  writer: Writer,
  wanted: readonly WantedFile[],
  {
    messageId,
    workspaceId,
    createdAt,
    newId,
  }: { messageId: string; workspaceId: string; createdAt: string; newId: () => string },
): Attachment[] | null {
  if (wanted.length === 0) return null;
  const create = (file: KeptFile): Attachment => {
    const row = { ...file, id: newId(), workspaceId, messageId, createdAt };
    createFile(writer, row);
    return toAttachment(row);
  };
  /** A message that isn't stored yet has no files to find. */
  const given = new Map<string, StoredFile>();
  return wanted.map((one) => {
    if ('file' in one) return create(one.file);
    const again = given.get(one.fileId);
    if (again !== undefined) return create(again);
    const row = findFile(writer, one.fileId);
    if (row?.workspaceId !== workspaceId) throw new AppError('file_not_found', noSuchFile(one.fileId));
    if (row.messageId !== null && row.messageId !== messageId) return create(row);
    if (row.messageId === null) giveFile(writer, row.id, messageId);
    given.set(row.id, row);
    return toAttachment(row);
  });
}

const noSuchFile = (id: string): string =>
  `There is no file ${JSON.stringify(id.slice(0, 80))} in this workspace, or its message was deleted; upload it again.`;
