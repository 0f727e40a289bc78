/**
 * Files in an export or a backup: only those whose bytes are there are kept, under new ids. The type of a message's file is
 * detected from its bytes again, whatever the file says.
 */
import { createHash, randomUUID } from 'node:crypto';
import type { ExportedMessage } from '../../shared/api/data.ts';
import type { Step } from '../../shared/api/message.ts';
import {
  MAX_ATTACHMENT_BYTES,
  MAX_FILE_NAME_CHARACTERS,
  MAX_MESSAGE_ATTACHMENTS,
  MAX_STEP_FILE_BYTES,
  MAX_STEP_FILES,
} from '../../shared/limits.ts';
import { plainFileName } from '../files/file-name.ts';
import { inspectFile, mediaTypeNamed, type FileFacts } from '../files/inspect.ts';
import { mediaTypeOf } from '../lib/media-type.ts';
import type { ImportedAttachment, ImportedFile } from '../store/import-repository.ts';
import { isObject } from '../lib/fields.ts';

/** What is known about a file of messages that came with its chat. */
export interface KnownFile extends FileFacts {
  sha256: string;
  bytes: number;
}

const inBase64 = (bytes: number): number => Math.ceil(bytes / 3) * 4;

/** Takes an element of a chat's list of files; returns its bytes, or null if messages can't have such a file. */
export async function takeFile(
  value: unknown,
  { files }: { files: Map<string, KnownFile> },
): Promise<Uint8Array | null> {
  if (!isObject(value) || !Array.isArray(value['ids'])) return null;
  const { data, ids } = value;
  if (typeof data !== 'string' || data === '' || data.length > inBase64(MAX_ATTACHMENT_BYTES)) return null;
  const bytes = Buffer.from(data, 'base64');
  if (bytes.length !== Buffer.byteLength(data, 'base64')) return null;
  const facts = await inspectFile(
    async (offset, length) => bytes.subarray(offset, offset + length),
    bytes.length,
    '',
  );
  if (facts === null) return null;
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  for (const id of ids as unknown[])
    if (typeof id === 'string') files.set(id, { ...facts, sha256, bytes: bytes.length });
  return bytes;
}

/** The files of a user message, and a sentence about those that are missing; empty: none is. */
export function attachmentsOf(
  { attachments: refs = [] }: ExportedMessage,
  files: ReadonlyMap<string, KnownFile>,
): { attachments: ImportedAttachment[]; missing: string } {
  const attachments = refs.slice(0, MAX_MESSAGE_ATTACHMENTS).flatMap(({ id, name }): ImportedAttachment[] => {
    const file = files.get(id);
    if (file === undefined) return [];
    const plain = nameOf(name);
    const mediaType = mediaTypeNamed(file.kind, file.mediaType, plain);
    return [{ ...file, id: randomUUID(), name: plain, mediaType }];
  });
  const count = refs.length - attachments.length;
  return { attachments, missing: missingWords(count, 'One of its files is', `${count} of its files are`) };
}

/** Without groups: they would fail on a long text. */
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** The steps of a reply with their files, those files, and a sentence about those that are missing; empty: none is. */
export function stepFilesOf(
  { fileData = {} }: ExportedMessage,
  steps: readonly Step[],
): { steps: Step[]; files: ImportedFile[]; missing: string } {
  const all: ImportedFile[] = [];
  let count = 0;
  const settled = steps.map(({ files: refs = [], ...step }): Step => {
    const files = refs.flatMap(({ id, name, mediaType }, position): ImportedFile[] => {
      const data = Object.hasOwn(fileData, id) ? fileData[id] : undefined;
      if (data === undefined || position >= MAX_STEP_FILES || !isBase64(data)) return [];
      const bytes = Buffer.byteLength(data, 'base64');
      return [
        { id: randomUUID(), name: nameOf(name), mediaType: mediaTypeOf(mediaType), bytes, position, data },
      ];
    });
    count += refs.length - files.length;
    all.push(...files);
    if (files.length === 0) return step;
    return {
      ...step,
      files: files.map(({ id, name, mediaType, bytes }) => ({ id, name, mediaType, bytes })),
    };
  });
  // Usually a message had more than an export includes.
  const missing = missingWords(count, 'A file that a tool gave is', `${count} files that tools gave are`);
  return { steps: settled, files: all, missing };
}

const isBase64 = (data: string): boolean =>
  data.length <= inBase64(MAX_STEP_FILE_BYTES) && data.length % 4 === 0 && BASE64.test(data);

const nameOf = (given: string): string =>
  plainFileName(given).slice(0, MAX_FILE_NAME_CHARACTERS).toWellFormed() || 'file';

const missingWords = (count: number, one: string, many: string): string =>
  count === 0
    ? ''
    : `${count === 1 ? one : many} not in it, or not soundly; the rest of the message is taken.`;
