/** Files of people, without HTTP: upload, attach, download and delete. */
import type { Readable } from 'node:stream';
import type { Attachment, AttachmentInput, FileText } from '../../shared/api/attachment.ts';
import { MAX_ATTACHMENT_BYTES, UPLOAD_WINDOW_MS } from '../../shared/limits.ts';
import { AppError, invalidField } from '../errors.ts';
import type { WantedFile } from '../files/attach.ts';
import { fileTooLarge, type FileStore, type HeldFile } from '../files/file-store.ts';
import { isInWorkspace, type ChatTarget } from '../store/chat-repository.ts';
import {
  createFile,
  deleteUnsentFile,
  deleteUnsentFiles,
  findFile,
  toAttachment,
  type StoredFile,
} from '../store/file-repository.ts';
import { readSettled } from '../store/read-settled.ts';
import type { Reader } from '../store/types.ts';
import type { ServiceDeps } from './deps.ts';
import { requireChat } from './find-message.ts';
import { steadyAgo, steadyNow } from './steady-time.ts';

interface FilesRequest extends ChatTarget {
  /** None when absent. */
  attachments?: readonly AttachmentInput[] | undefined;
  /** Whether the chat is created with the message. */
  isNewChat?: boolean | undefined;
}

const PICTURE = 'is a picture';
const HAS_MESSAGE = 'A message has this file; delete the message, and its files go with it.';

/** Files that people upload and send. `workspaceId` null means any workspace. Rejects with AppError when the disk or the store refuses. */
export type MessageFiles = ReturnType<typeof createMessageFiles>;

/** Files of the chats of a store. */
export function createMessageFiles({ store, files, clock, newId }: ServiceDeps & { files: FileStore }) {
  const find = (reader: Reader, id: string, workspaceId: string | null): StoredFile => {
    const row = findFile(reader, id);
    if (row === null || !isInWorkspace(row, workspaceId)) throw new AppError('file_not_found');
    return row;
  };

  /**
   * Runs `work` with the files of a request once all of them are on disk. Those that it gave to no message are removed afterwards. AppError
   * `chat_not_found`, and as an upload.
   */
  async function withFiles<T>(
    { chatId, workspaceId, attachments = [], isNewChat = false }: FilesRequest,
    work: (files: readonly WantedFile[]) => Promise<T>,
  ): Promise<T> {
    if (attachments.length === 0) return work([]);
    if (!isNewChat) store.read((reader) => requireChat(reader, { chatId, workspaceId }));
    store.requireNotFull();
    const held: HeldFile[] = [];
    try {
      const wanted: WantedFile[] = [];
      for (const one of decode(attachments)) {
        if ('fileId' in one) {
          await requireBytes(one.fileId);
          wanted.push(one);
        } else {
          const kept = await files.keep(one.name, [one.data]);
          held.push(kept);
          wanted.push({ file: kept.file });
        }
      }
      return await work(wanted);
    } finally {
      await Promise.all(held.map((kept) => kept.release()));
    }
  }

  /** Whether there is such a file at all, the transaction finds out. */
  async function requireBytes(id: string): Promise<void> {
    const row = store.read((reader) => findFile(reader, id));
    if (row !== null && !(await files.has(row))) throw new AppError('file_lost');
  }

  return {
    /** Keeps a file that a message is to have soon; see `keep` of the file store. */
    async upload({
      workspaceId,
      name,
      pieces,
    }: {
      workspaceId: string;
      name: string;
      pieces: AsyncIterable<Uint8Array>;
    }): Promise<Attachment> {
      store.requireNotFull();
      const kept = await files.keep(name, pieces);
      try {
        return await store.write((writer) => {
          const row = {
            ...kept.file,
            id: newId(),
            workspaceId,
            messageId: null,
            createdAt: steadyNow(writer, clock()),
          };
          createFile(writer, row);
          return toAttachment(row);
        });
      } finally {
        await kept.release();
      }
    },
    /** A readable file with its bytes. AppError `file_not_found` or `file_lost`. */
    async read(id: string, workspaceId: string | null): Promise<{ file: Attachment; bytes: Readable }> {
      const row = await readSettled(store, (reader) => find(reader, id, workspaceId));
      return { file: toAttachment(row), bytes: await files.read(row) };
    },
    /** What models get of a file. AppError `file_not_found` or `file_lost`; and as the signal does. */
    async readText(id: string, workspaceId: string | null, signal: AbortSignal): Promise<FileText> {
      const row = await readSettled(store, (reader) => find(reader, id, workspaceId));
      const { kind } = row;
      if (kind === 'image') return { text: null, isCut: false, reason: PICTURE };
      const text = await files.textOf({ ...row, kind }, signal);
      return text instanceof Error ? { text: null, isCut: false, reason: text.message } : text;
    },
    /** Deletes a file that no message uses. AppError `file_not_found`, or `conflict` if a message uses it. */
    async remove(id: string, workspaceId: string | null): Promise<Attachment> {
      const row = store.read((reader) => find(reader, id, workspaceId));
      const isGone = await store.write((writer) => deleteUnsentFile(writer, id));
      if (!isGone) throw new AppError('conflict', HAS_MESSAGE);
      await files.removeUnused([row.sha256]);
      return toAttachment(row);
    },
    withFiles,
    /** Deletes those of these bytes that no file uses any more. */
    removeUnused: (sha256s: readonly string[]): Promise<void> => files.removeUnused(sha256s),
    /** Deletes uploads not used within {@link UPLOAD_WINDOW_MS}, and bytes that no file uses. */
    async tidy(): Promise<void> {
      await store.write((writer) => deleteUnsentFiles(writer, steadyAgo(writer, clock(), UPLOAD_WINDOW_MS)));
      await files.sweep();
    },
  };
}

/** Decodes Base64. Throws AppError `invalid_request`, or `body_too_large` if it is too much for one request. */
function decode(
  attachments: readonly AttachmentInput[],
): ({ fileId: string } | { name: string; data: Buffer })[] {
  let bytes = 0;
  return attachments.map((one, index) => {
    if ('fileId' in one) return one;
    const data = Buffer.from(one.data, 'base64');
    // Node ignores characters that aren't Base64.
    if (data.length !== Buffer.byteLength(one.data, 'base64'))
      throw invalidField(
        `attachments/${index}/data`,
        `"attachments.${index}.data" must be plain Base64, without line breaks or a "data:" prefix.`,
      );
    bytes += data.length;
    if (bytes > MAX_ATTACHMENT_BYTES) throw fileTooLarge();
    return { name: one.name, data };
  });
}
