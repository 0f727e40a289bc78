/**
 * Log files: making them, opening them, and reading one that may be damaged. Where a record can't be read, the rest of the
 * file is searched for whole ones: if there are any, the file was damaged, since records are written in order; if not, it
 * is the torn end that a crash leaves. A record's head is easy to find, since payloads never hold bytes like those in it
 * (log-format.ts).
 */
import { type Disk, closeQuietly } from './disk.ts';
import { type OpenLog, logPath, writeDurably } from './folder.ts';
import {
  type FoundRecord,
  HEADER_BYTES,
  RECORD_HEAD_BYTES,
  decodeRecord,
  encodeHeader,
  parsePayload,
} from './log-format.ts';

/** An empty log, with what its first record builds on: the crc of its header. */
export type NewLog = OpenLog & { chain: number };

/** Makes an empty log, whole and durable under its name before this resolves. */
export async function createLog(disk: Disk, dir: string, generation: number): Promise<NewLog> {
  const path = logPath(dir, generation);
  const header = encodeHeader(generation);
  await writeDurably(disk, path, header);
  const file = await disk.open(path, 'append');
  return { generation, file, end: HEADER_BYTES, chain: header.readUInt32LE(HEADER_BYTES - 4) };
}

/** Opens a log for appending at `end`. Before this resolves, anything after that is cut off, and what else changed in the folder is durable. */
export async function openLog(
  disk: Disk,
  dir: string,
  { generation, end }: Pick<OpenLog, 'generation' | 'end'>,
): Promise<OpenLog> {
  const file = await disk.open(logPath(dir, generation), 'append');
  try {
    if ((await file.size()) > end) {
      await file.truncate(end);
      await file.datasync();
    }
    await disk.syncDir(dir);
  } catch (error) {
    await closeQuietly(file);
    throw error;
  }
  return { generation, file, end };
}

/** What a log consists of, in order. The last piece is always an `end`. */
export type LogPiece =
  | { kind: 'record'; record: FoundRecord }
  /** Nothing from `start` to `end` can be read; whole records follow. */
  | { kind: 'hole'; start: number; end: number }
  /** No record follows. `torn`: what a crash leaves; `damaged`: something that was whole once. */
  | { kind: 'end'; at: number; state: 'clean' | 'torn' | 'damaged' };

const PAYLOAD_START = Buffer.from('[[');
const PAYLOAD_END = Buffer.from(']]');
const SHORTEST_PAYLOAD = 6;
/** More than any log holds: a larger gap in the sequence can't be real. */
const MOST_MISSING = 2 ** 32;

/**
 * The pieces of a log. `chain`: what its first record builds on; null when that isn't known. `sequence`: the number
 * before its first record's.
 */
export function* readPieces(file: Buffer, chain: number | null, sequence: number): Generator<LogPiece> {
  let at = HEADER_BYTES;
  while (at < file.length) {
    const known = chain === null ? null : decodeRecord(file, at, chain, sequence + 1);
    const next = known ? { start: at, record: known } : findNext(file, { at, chain, sequence });
    if (!next) break;
    if (next.start > at) yield { kind: 'hole', start: at, end: next.start };
    yield { kind: 'record', record: next.record };
    chain = next.record.crc;
    sequence = next.record.sequence;
    at = next.record.end;
  }
  const state = at >= file.length ? 'clean' : isTorn(file, at) ? 'torn' : 'damaged';
  yield { kind: 'end', at: Math.min(at, file.length), state };
}

/** How far a log was read: the checksum and number of the last record. */
interface ReadTo {
  at: number;
  chain: number | null;
  sequence: number;
}

/** The next whole record after a position where none can be read. */
function findNext(file: Buffer, from: ReadTo): { start: number; record: FoundRecord } | null {
  for (let start = nextHead(file, from.at); start < file.length; start = nextHead(file, start + 1)) {
    const record = recordAt(file, start, from);
    if (record) return { start, record };
  }
  return null;
}

/** Where the next thing that looks like a record starts; the file's length when there is none. */
function nextHead(file: Buffer, from: number): number {
  for (let at = from + RECORD_HEAD_BYTES; ; at += 1) {
    at = file.indexOf(PAYLOAD_START, at);
    if (at === -1) return file.length;
    const end = at + file.readUInt32LE(at - RECORD_HEAD_BYTES + 4);
    const fits = end <= file.length && end - at >= SHORTEST_PAYLOAD;
    if (fits && file.subarray(end - 2, end).equals(PAYLOAD_END)) return at - RECORD_HEAD_BYTES;
  }
}

/** The record at `start`, when it can be read, and the next builds on it or it is the last. */
function recordAt(file: Buffer, start: number, from: ReadTo): FoundRecord | null {
  const sequence = file.readUIntLE(start + 8, 6);
  const step = sequence - from.sequence;
  if (step < 1 || step > MOST_MISSING) return null;
  // With a known chain it would have been read, so this is the damaged record.
  if (start === from.at && step === 1 && from.chain !== null) return null;
  const end = start + RECORD_HEAD_BYTES + file.readUInt32LE(start + 4);
  const crc = file.readUInt32LE(start);
  const payload = file.subarray(start + RECORD_HEAD_BYTES, end);
  const isFollowed = end === file.length || decodeRecord(file, end, crc, sequence + 1) !== null;
  return isFollowed && isReadable(payload) ? { sequence, payload, crc, end } : null;
}

function isReadable(payload: Buffer): boolean {
  try {
    parsePayload(payload);
    return true;
  } catch {
    return false;
  }
}

/** Whether the bytes from `at` on are a record that was never whole: cut short, or with parts that were not written. */
function isTorn(file: Buffer, at: number): boolean {
  if (at + RECORD_HEAD_BYTES > file.length) return true;
  const length = file.readUInt32LE(at + 4);
  const payload = file.subarray(at + RECORD_HEAD_BYTES);
  // One that was cut short can't be read to its end; if it can, only its length is wrong.
  return length === 0 || payload.includes(0) || (length > payload.length && !isReadable(payload));
}
