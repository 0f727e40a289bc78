/**
 * Reads the text of files in a thread: a document may be made to take forever or use up all memory. What was read by
 * then is kept.
 */
import PQueue from 'p-queue';
import { MAX_FILE_TEXT_CHARACTERS } from '../../shared/limits.ts';
import { decodeText } from '../lib/decode-text.ts';
import { startThread } from '../lib/threads.ts';
import { unlessAborted } from '../lib/unless-aborted.ts';

/** A file. */
export interface Document {
  kind: 'pdf' | 'docx' | 'text';
  bytes: Uint8Array;
}

/** The text of a file. */
export interface DocumentText {
  text: string;
  /** Whether this is only the beginning of the text. */
  isCut: boolean;
  /** Of a text file: its encoding, as `TextDecoder` names it. */
  encoding?: string;
}

/** What the thread sends: pieces of the text, and finally how it ended. */
export type DocumentPiece = { text: string } | { end: 'read' | 'locked' | 'damaged' };

/** Why a file has no readable text; the message continues a sentence that starts with the file's name. */
export class UnreadableError extends Error {
  override name = 'UnreadableError';
}

/** How far reading goes. */
export interface ReadingLimits {
  timeoutMs?: number;
  maxCharacters?: number;
}

const READ_TIMEOUT_MS = 10_000;
const MAX_MEMORY_MB = 256;
/** A thread's memory limit doesn't count what libraries unpack, so memory is checked this often. */
const WATCH_MS = 100;
/** UTF-8 takes at most four bytes per character. */
const BYTES_A_CHARACTER = 4;

const LOCKED = 'is protected by a password';
const DAMAGED = 'is damaged, or not what it seems';
const TOO_MUCH = 'is too large or too tangled to be read';
const EMPTY = 'holds no text';
const SCANNED = 'holds no text, only pictures, as a scan does';

/** So that slow documents block neither each other forever nor everything else. */
const queue = new PQueue({ concurrency: 2 });

/**
 * The text of a file, `maxCharacters` ({@link MAX_FILE_TEXT_CHARACTERS} unless given) of it at most. Rejects with
 * UnreadableError where there is none to be read, and as the signal does.
 */
export async function readDocument(
  file: Document,
  signal: AbortSignal,
  { timeoutMs = READ_TIMEOUT_MS, maxCharacters = MAX_FILE_TEXT_CHARACTERS }: ReadingLimits = {},
): Promise<DocumentText> {
  signal.throwIfAborted();
  const text =
    file.kind === 'text'
      ? await readText(file.bytes, maxCharacters)
      : await queue.add(() => readApart(file, { signal, timeoutMs, maxCharacters }), { signal });
  if (text.text.trim() === '') throw new UnreadableError(file.kind === 'pdf' ? SCANNED : EMPTY);
  return text;
}

const bounded = (text: string, maxCharacters: number, hasMore = false): DocumentText => ({
  // Documents use NUL for glyphs without a character.
  text: text
    .slice(0, maxCharacters)
    .replace(/[\uD800-\uDBFF]$/, '')
    .replaceAll('\0', '')
    .toWellFormed(),
  isCut: hasMore || text.length > maxCharacters,
});

/** The text of a file that is text: UTF-8, what its first bytes say, or what it most likely is. */
async function readText(bytes: Uint8Array, maxCharacters: number): Promise<DocumentText> {
  const beginning = bytes.subarray(0, maxCharacters * BYTES_A_CHARACTER);
  const isCut = beginning.length < bytes.length;
  const decoded = await decodeText(beginning, isCut);
  const { text, encoding } = decoded ?? { text: new TextDecoder().decode(beginning), encoding: 'utf-8' };
  return { ...bounded(text.replace(/\r\n?/g, '\n'), maxCharacters, isCut), encoding };
}

async function readApart(
  file: Document,
  { signal, timeoutMs, maxCharacters }: Required<ReadingLimits> & { signal: AbortSignal },
): Promise<DocumentText> {
  signal.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<DocumentText>();
  let text = '';
  const worker = startThread('document-thread', {
    workerData: { ...file, maxCharacters },
    resourceLimits: { maxOldGenerationSizeMb: MAX_MEMORY_MB },
  });
  /** Ends it with what was read, if anything. */
  const giveUp = (words: string): void =>
    text.trim() === '' ? reject(new UnreadableError(words)) : resolve(bounded(text, maxCharacters, true));
  const timer = setTimeout(() => giveUp(TOO_MUCH), timeoutMs);
  const watch = setInterval(() => {
    // Rejects once the thread has ended.
    void worker.getHeapStatistics().then(
      ({ external_memory }) => {
        if (external_memory > MAX_MEMORY_MB * 1024 ** 2) giveUp(TOO_MUCH);
      },
      () => undefined,
    );
  }, WATCH_MS);
  worker.on('message', (piece: DocumentPiece) => {
    if ('text' in piece) text += piece.text;
    else if (piece.end === 'locked') giveUp(LOCKED);
    else if (piece.end === 'damaged') giveUp(DAMAGED);
    else resolve(bounded(text, maxCharacters));
  });
  worker.on('error', () => giveUp(TOO_MUCH));
  worker.on('exit', () => giveUp(DAMAGED));
  try {
    return await unlessAborted(signal, promise);
  } finally {
    clearTimeout(timer);
    clearInterval(watch);
    void worker.terminate();
  }
}
