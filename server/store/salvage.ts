/**
 * Reading a log that may be damaged. Where a record can't be read the rest of the file is searched for whole ones: with
 * some behind it the file was damaged, since records are written in order; with none it is the torn end that a crash
 * leaves. A record's head is easy to find, as no payload holds a byte like those in it (log-format.ts).
 *
 * What is between can often be mended: a wrong length, sequence number or checksum follows from what stands around it,
 * and a checksum tells which bit of its record was flipped when it was only one.
 */
import { crc32 } from 'node:zlib';
import {
  type FoundRecord,
  HEADER_BYTES,
  RECORD_HEAD_BYTES,
  decodeRecord,
  parsePayload,
} from './log-format.ts';

/** What a log consists of, in order. The last piece is always an `end`. */
export type LogPiece =
  /** `isMended`: it was damaged, and is as it was written again. */
  | { kind: 'record'; record: FoundRecord; isMended: boolean }
  /** Nothing from `start` to `end` can be read; whole records follow. */
  | { kind: 'hole'; start: number; end: number }
  /** No record follows. `torn`: what a crash leaves; `damaged`: something that was whole once. */
  | { kind: 'end'; at: number; state: 'clean' | 'torn' | 'damaged' };

const PAYLOAD_START = Buffer.from('[[');
const PAYLOAD_END = Buffer.from(']]');
const SHORTEST_PAYLOAD = 6;
/** More than any log holds: a larger step in the sequence is no sequence. */
const MOST_MISSING = 2 ** 32;
/** The checksum's polynomial, as zlib has it. */
const POLYNOMIAL = 0xedb88320;

/**
 * The pieces of a log. `chain`: what its first record builds on; null when that isn't known. `sequence`: the number
 * before its first record's.
 */
export function* readPieces(file: Buffer, chain: number | null, sequence: number): Generator<LogPiece> {
  let at = HEADER_BYTES;
  while (at < file.length) {
    const record: FoundRecord | null = chain === null ? null : decodeRecord(file, at, chain, sequence + 1);
    const next = record ? { record, isMended: false } : findNext(file, at, chain, sequence);
    if (!next) break;
    const start = 'start' in next ? next.start : at;
    if (start > at) yield { kind: 'hole', start: at, end: start };
    yield { kind: 'record', record: next.record, isMended: next.isMended };
    chain = next.record.crc;
    sequence = next.record.sequence;
    at = next.record.end;
  }
  const state = at >= file.length ? 'clean' : isTorn(file, at) ? 'torn' : 'damaged';
  yield { kind: 'end', at: Math.min(at, file.length), state };
}

interface Found {
  start: number;
  record: FoundRecord;
  isMended: boolean;
}

/** The next record from `from` on, where none can be read as it stands. */
function findNext(file: Buffer, from: number, chain: number | null, sequence: number): Found | null {
  const mended = (end: number, follower: number | null): Found | null => {
    const record = chain === null ? null : mend(file, { from, end, chain, sequence: sequence + 1, follower });
    return record && { start: from, record, isMended: true };
  };
  for (let start = nextHead(file, from); start < file.length; start = nextHead(file, start + 1)) {
    const isAfterNext = start > from && file.readUIntLE(start + 8, 6) === sequence + 2;
    // What stands at `from` ends where the next begins; as the last one, of which any field may be wrong, at the end.
    const isLast = start === from && endOf(file, start) === file.length;
    const gap =
      isLast || start > from ? mended(isLast ? file.length : start, isAfterNext ? start : null) : null;
    if (gap) return gap;
    const record = recordAt(file, start, { from, chain, sequence });
    if (record) return { start, record, isMended: false };
  }
  return mended(file.length, null);
}

/** Where a record ends by what its head says. */
const endOf = (file: Buffer, start: number): number =>
  start + RECORD_HEAD_BYTES + file.readUInt32LE(start + 4);

/** Where the next thing stands that looks like a record; the file's length when there is none. */
function nextHead(file: Buffer, from: number): number {
  for (let at = from + RECORD_HEAD_BYTES; ; at += 1) {
    at = file.indexOf(PAYLOAD_START, at);
    if (at === -1) return file.length;
    const end = at + file.readUInt32LE(at - RECORD_HEAD_BYTES + 4);
    const fits = end <= file.length && end - at >= SHORTEST_PAYLOAD;
    if (fits && file.subarray(end - 2, end).equals(PAYLOAD_END)) return at - RECORD_HEAD_BYTES;
  }
}

/**
 * The record at `start`, when it is whole: it builds on the one at `from`, which can't be read, or the next builds on it,
 * or it is the last and can be read.
 */
function recordAt(
  file: Buffer,
  start: number,
  before: { from: number; chain: number | null; sequence: number },
): FoundRecord | null {
  const sequence = file.readUIntLE(start + 8, 6);
  const step = sequence - before.sequence;
  if (step < 1 || step > MOST_MISSING) return null;
  // With a known chain it would have been read: it is the damaged one.
  if (start === before.from && step === 1 && before.chain !== null) return null;
  const proven = start > before.from && decodeRecord(file, start, file.readUInt32LE(before.from), sequence);
  if (proven) return proven;
  const end = endOf(file, start);
  const crc = file.readUInt32LE(start);
  const payload = file.subarray(start + RECORD_HEAD_BYTES, end);
  const isFollowed = end === file.length || decodeRecord(file, end, crc, sequence + 1) !== null;
  return isFollowed && isReadable(payload) ? { sequence, payload, crc, end } : null;
}

/** A record that stands from `from` to `end` and is damaged; `follower`: where a record stands that may build on it. */
interface Damaged {
  from: number;
  end: number;
  chain: number;
  sequence: number;
  follower: number | null;
}

/** What the record was, if its checksum or the record behind it leaves no doubt; else null. */
function mend(file: Buffer, { from, end, chain, sequence, follower }: Damaged): FoundRecord | null {
  if (end - from < RECORD_HEAD_BYTES + SHORTEST_PAYLOAD) return null;
  const bytes = Buffer.from(file.subarray(from, end));
  bytes.writeUInt32LE(end - from - RECORD_HEAD_BYTES, 4);
  bytes.writeUIntLE(sequence, 8, 6);
  const payload = bytes.subarray(RECORD_HEAD_BYTES);
  const stored = bytes.readUInt32LE(0);
  const crc = crc32(bytes.subarray(4), chain);
  const difference = (stored ^ crc) >>> 0;
  // The checksum itself is wrong: by one bit, or by whatever, when the next record builds on the right one.
  const isProven = follower !== null && decodeRecord(file, follower, crc, sequence + 1) !== null;
  if ((isProven || (difference & (difference - 1)) === 0) && isReadable(payload))
    return { sequence, payload, crc, end };
  return flipBack(payload, difference) && isReadable(payload)
    ? { sequence, payload, crc: stored, end }
    : null;
}

/** Turns the one bit whose flip changes a checksum by `difference`; false when there is none. */
function flipBack(payload: Buffer, difference: number): boolean {
  // What a flip of the last bit changes; each bit before it is one step of the checksum further.
  let change = POLYNOMIAL;
  for (let index = payload.length - 1; index >= 0; index -= 1) {
    for (let bit = 7; bit >= 0; bit -= 1) {
      if (change === difference) {
        payload[index] = (payload[index] ?? 0) ^ (1 << bit);
        return true;
      }
      change = ((change >>> 1) ^ (change & 1 ? POLYNOMIAL : 0)) >>> 0;
    }
  }
  return false;
}

function isReadable(payload: Buffer): boolean {
  try {
    parsePayload(payload);
    return true;
  } catch {
    return false;
  }
}

/** Whether what stands from `at` on is a record that was never whole: cut short, or with pieces that were not written. */
function isTorn(file: Buffer, at: number): boolean {
  if (at + RECORD_HEAD_BYTES > file.length) return true;
  const length = file.readUInt32LE(at + 4);
  const payload = file.subarray(at + RECORD_HEAD_BYTES);
  return length === 0 || length > payload.length || payload.includes(0);
}
