/**
 * The text of files, read on request. Texts of documents are cached only in memory, so that they are stored nowhere but
 * in the files themselves.
 */
import type { Readable } from 'node:stream';
import PQueue from 'p-queue';
import { readDocument, UnreadableError, type Document, type DocumentText } from './read-document.ts';

/** A file's bytes on disk. */
export interface BlobRef {
  sha256: string;
  bytes: number;
}

/** The text of a file, or why it has none. Rejects as the signal does, and with AppError when the disk doesn't give the file. */
type TextOf = (
  file: BlobRef & Pick<Document, 'kind'>,
  signal: AbortSignal,
) => Promise<DocumentText | UnreadableError>;

/** Size of the cache, in characters. */
const MAX_REMEMBERED = 4_000_000;

/** How many files may be fully in memory at once. */
const MAX_AT_ONCE = 4;

/** Reads the text of files whose bytes `read` returns. */
export function createFileTexts(read: (blob: BlobRef) => Promise<Readable>): TextOf {
  /** By SHA-256, the most recently used last. */
  const remembered = new Map<string, DocumentText | UnreadableError>();
  const queue = new PQueue({ concurrency: MAX_AT_ONCE });

  function remember(sha256: string, text: DocumentText | UnreadableError): void {
    remembered.delete(sha256);
    remembered.set(sha256, text);
    let characters = 0;
    for (const [key, one] of [...remembered].toReversed()) {
      characters += one instanceof Error ? one.message.length : one.text.length;
      if (characters > MAX_REMEMBERED) remembered.delete(key);
    }
  }

  function recall(sha256: string): DocumentText | UnreadableError | undefined {
    const known = remembered.get(sha256);
    if (known !== undefined) remember(sha256, known);
    return known;
  }

  const readText: TextOf = async ({ kind, ...blob }, signal) => {
    const text = await textOrWhy({ kind, bytes: await allOf(await read(blob)) }, signal);
    if (kind !== 'text') remember(blob.sha256, text);
    return text;
  };

  return async (file, signal) =>
    // Checked again when its turn comes: others may have read the same file.
    recall(file.sha256) ?? queue.add(() => recall(file.sha256) ?? readText(file, signal), { signal });
}

/** The text of a file, or why it has none. Rejects as the signal does. */
export async function textOrWhy(
  document: Document,
  signal: AbortSignal,
): Promise<DocumentText | UnreadableError> {
  try {
    return await readDocument(document, signal);
  } catch (error) {
    if (error instanceof UnreadableError) return error;
    throw error;
  }
}

/** The whole content of a stream. */
export async function allOf(stream: Readable): Promise<Buffer> {
  return Buffer.concat((await stream.toArray()) as Buffer[]);
}
