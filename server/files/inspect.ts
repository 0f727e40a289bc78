/**
 * Detects what a file is by its bytes, since a name proves nothing. Nothing is unpacked or executed, and little is in
 * memory at a time.
 */
import { extname } from 'node:path';
import type { AttachmentKind } from '../../shared/api/attachment.ts';
import type { StoredFile } from '../store/file-repository.ts';
import { encodingOf, withoutNulls } from '../../shared/text-encoding.ts';
import { CONTROL } from '../lib/decode-text.ts';
import { createUtf8Check, guessEncoding, SAMPLE_BYTES } from '../lib/guess-encoding.ts';
import { createDecoder, type Decoder } from '../lib/text-decoder.ts';
import { HEAD_BYTES, imageSizeOf, imageTypeOf, type ReadAt } from './image-size.ts';

/** What is known about a file. */
export type FileFacts = Pick<StoredFile, 'kind' | 'mediaType' | 'width' | 'height'>;

/** The media type of Word's documents. */
const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

/** Text types worth telling apart; all other text, including scripts and markup, is plain. */
const TEXT_TYPES: Readonly<Record<string, string>> = {
  '.csv': 'text/csv',
  '.tsv': 'text/tab-separated-values',
  '.json': 'application/json',
  '.md': 'text/markdown',
  '.markdown': 'text/markdown',
};

/** The media type of a file of that kind and name: of texts, the name says more than the bytes. */
export const mediaTypeNamed = (kind: AttachmentKind, otherwise: string, name: string): string =>
  kind === 'text' ? (TEXT_TYPES[extname(name).toLowerCase()] ?? 'text/plain') : otherwise;

/** Detects what a file of this size is; null: messages can't have it. */
export async function inspectFile(readAt: ReadAt, bytes: number, name: string): Promise<FileFacts | null> {
  const head = await readAt(0, HEAD_BYTES);
  const image = imageTypeOf(head);
  if (image !== null) {
    const size = await imageSizeOf(image, head, readAt);
    return { kind: 'image', mediaType: image, width: size?.width ?? null, height: size?.height ?? null };
  }
  const plain = { width: null, height: null };
  const pdf: FileFacts = { kind: 'pdf', mediaType: 'application/pdf', ...plain };
  if (head.indexOf('%PDF-') === 0) return pdf;
  if (head.toString('latin1', 0, 4) === 'PK\x03\x04') {
    return (await isDocx(readAt, bytes)) ? { kind: 'docx', mediaType: DOCX, ...plain } : null;
  }
  // A PDF may start with a few other bytes, and a text may mention one.
  if (!(await isText(readAt, bytes, head))) return head.includes('%PDF-') ? pdf : null;
  return { kind: 'text', mediaType: mediaTypeNamed('text', 'text/plain', name), ...plain };
}

const MAX_ZIP_COMMENT = 65_535;
const ZIP_END_BYTES = 22;
/** The list of a document's parts: a thousand pictures in it take a tenth of this. */
const MAX_ZIP_LIST_BYTES = 1024 * 1024;

/** Whether a ZIP archive's list names what a Word document consists of. */
async function isDocx(readAt: ReadAt, bytes: number): Promise<boolean> {
  const tailAt = Math.max(0, bytes - ZIP_END_BYTES - MAX_ZIP_COMMENT);
  const tail = await readAt(tailAt, bytes - tailAt);
  const end = tail.lastIndexOf('PK\x05\x06', undefined, 'latin1');
  if (end === -1 || tail.length < end + ZIP_END_BYTES) return false;
  const length = Math.min(tail.readUInt32LE(end + 12), MAX_ZIP_LIST_BYTES);
  const list = await readAt(tail.readUInt32LE(end + 16), length);
  return list.includes('word/') && list.includes('[Content_Types].xml');
}

const PIECE_BYTES = 256 * 1024;

/** Whether a file is text all through, NULs at its end aside: UTF-8 but for a few places, or an encoding that its beginning says or that can be told. */
async function isText(readAt: ReadAt, bytes: number, head: Buffer): Promise<boolean> {
  const encoding = encodingOf(head);
  const end = encoding === 'utf-8' ? await endOf(readAt, bytes) : bytes;
  const reads = async (decoder: Decoder, never: RegExp): Promise<boolean> =>
    eachPiece(readAt, end, decoder, (text) => !never.test(text));
  if (await reads(createDecoder(encoding), end === bytes ? /\0/ : CONTROL)) return true;
  const check = createUtf8Check();
  const isPlain = await eachPiece(readAt, end, new TextDecoder(), (text) => {
    check.add(text);
    return !CONTROL.test(text);
  });
  if (isPlain && check.isUtf8()) return true;
  const guess = await guessEncoding(await readAt(0, Math.min(SAMPLE_BYTES, end)));
  return guess !== null && reads(createDecoder(guess), CONTROL);
}

/** Where the run of NULs at the end begins, if it is the whole end. */
async function endOf(readAt: ReadAt, bytes: number): Promise<number> {
  let end = bytes;
  for (;;) {
    const from = Math.max(0, end - PIECE_BYTES);
    const piece = await readAt(from, end - from);
    const rest = withoutNulls(piece);
    if (rest.length > 0 || from === 0) return from + rest.length;
    end = from;
  }
}

/** Whether all of it can be read so, and each piece is fine. */
async function eachPiece(
  readAt: ReadAt,
  bytes: number,
  decoder: Decoder,
  isFine: (text: string) => boolean,
): Promise<boolean> {
  try {
    for (let offset = 0; offset < bytes; offset += PIECE_BYTES) {
      const piece = await readAt(offset, Math.min(PIECE_BYTES, bytes - offset));
      if (!isFine(decoder.decode(piece, { stream: true }))) return false;
    }
    return isFine(decoder.decode());
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
}
