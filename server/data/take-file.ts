/** Files of messages in an export or a backup: their type is detected from their bytes again, whatever the file says. */
import { createHash } from 'node:crypto';
import type { Attachment } from '../../shared/api/attachment.ts';
import type { ExportedMessage } from '../../shared/api/data.ts';
import {
  MAX_ATTACHMENT_BYTES,
  MAX_FILE_NAME_CHARACTERS,
  MAX_MESSAGE_ATTACHMENTS,
} from '../../shared/limits.ts';
import { inspectFile, mediaTypeNamed, type FileFacts } from '../files/inspect.ts';
import { plainFileName } from '../files/file-name.ts';
import type { ImportedAttachment } from '../store/import-repository.ts';
import { isObject } from './mend-fields.ts';

/** What is known about an included file. */
export interface KnownFile extends FileFacts {
  sha256: string;
  bytes: number;
}

/** An attachment whose bytes were included. */
type KnownAttachment = Attachment & { sha256: string };

const MAX_CHARACTERS = Math.ceil(MAX_ATTACHMENT_BYTES / 3) * 4;

/** Takes an element of a chat's list of files; returns its bytes, or null if messages can't have such a file. */
export async function takeFile(
  value: unknown,
  { files }: { files: Map<string, KnownFile> },
): Promise<Uint8Array | null> {
  if (!isObject(value) || !Array.isArray(value['ids'])) return null;
  const { data, ids } = value;
  if (typeof data !== 'string' || data === '' || data.length > MAX_CHARACTERS) return null;
  const bytes = Buffer.from(data, 'base64');
  if (bytes.length !== Buffer.byteLength(data, 'base64')) return null;
  const facts = await inspectFile(
    async (place, length) => bytes.subarray(place, place + length),
    bytes.length,
    '',
  );
  if (facts === null) return null;
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  for (const id of ids as unknown[])
    if (typeof id === 'string') files.set(id, { ...facts, sha256, bytes: bytes.length });
  return bytes;
}

/** Keeps only the message's included files; returns a sentence about the others, or an empty text. */
export function takeAttachments(message: ExportedMessage, files: ReadonlyMap<string, KnownFile>): string {
  const { attachments: told } = message;
  delete message.attachments;
  if (told === undefined || message.role !== 'user') return '';
  const known = told.slice(0, MAX_MESSAGE_ATTACHMENTS).flatMap(({ id, name }): KnownAttachment[] => {
    const file = files.get(id);
    if (file === undefined) return [];
    const { width, height, mediaType, ...rest } = file;
    const plain = plainFileName(name).slice(0, MAX_FILE_NAME_CHARACTERS).toWellFormed() || 'file';
    return [
      {
        ...rest,
        id,
        name: plain,
        mediaType: mediaTypeNamed(file.kind, mediaType, plain),
        ...(width !== null && { width }),
        ...(height !== null && { height }),
      },
    ];
  });
  if (known.length > 0) message.attachments = known;
  const missing = told.length - known.length;
  if (missing === 0) return '';
  const subject = missing === 1 ? 'One of its files is' : `${missing} of its files are`;
  return `${subject} not in it, or not soundly; the rest of the message is taken.`;
}

/** The files of a message that {@link takeAttachments} left it, under new ids. */
export const settledAttachments = (
  { attachments = [] }: ExportedMessage,
  newId: () => string,
): ImportedAttachment[] =>
  (attachments as KnownAttachment[]).map((file) => ({
    ...file,
    id: newId(),
    width: file.width ?? null,
    height: file.height ?? null,
  }));
