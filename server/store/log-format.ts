/**
 * The log's bytes. Numbers are little-endian.
 *
 *   header  magic 8 | format u32 | crc u32 of those 12 | generation u48 | salt 16 | crc u32 of all before
 *   record  crc u32 | payload length u32 | sequence u48 | payload
 *
 * The first 16 bytes keep this shape in every later format, so that an unknown one is told apart from damage. A record's
 * crc covers what follows it and starts from the crc before it (the first from the header's, which covers the random
 * salt): bytes of an earlier file or an earlier writing can't pass for a record. Sequence numbers rise by one, across
 * files too.
 *
 * A payload is JSON: an array of operations, each `[statement, ...parameters]`. A statement is SQL text, or a number
 * computed from that text ({@link referenceTo}). The text is in the first records that use it and in some later ones,
 * so that damage to part of a log doesn't make all later records unreadable (salvage.ts). In format 1 a text was
 * written once, and numbers counted from 0 in the order of first use.
 *
 * JSON escapes control characters, so no payload holds a byte below 0x20, and every record's head holds some. Where a record can't
 * be read, the rest of the file is searched for whole ones by that: if there are any, the file was damaged, since records are
 * written in order; if not, it is the torn end that a crash leaves.
 */
import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { attempt } from '../../shared/attempt.ts';
import type { SqlValue } from './types.ts';

/** The one before, 1, is read but never appended to. */
export const LOG_FORMAT = 2;

const MAGIC = Buffer.from('ParleyLg', 'latin1');
const PREAMBLE_BYTES = 16;
export const HEADER_BYTES = 42;
export const RECORD_HEAD_BYTES = 14;

/** One statement of a transaction, as it ran. */
export interface Operation {
  sql: string;
  params: readonly SqlValue[];
}

/** A statement without effect. As the last of a log it names the next log, so that one that was deleted is missed. */
export const NEXT_LOG = 'SELECT ? AS next_log';

/** A new header; its salt is random. */
export function encodeHeader(generation: number): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  MAGIC.copy(header, 0);
  header.writeUInt32LE(LOG_FORMAT, 8);
  header.writeUInt32LE(crc32(header.subarray(0, 12)), 12);
  header.writeUIntLE(generation, 16, 6);
  randomBytes(16).copy(header, 22);
  header.writeUInt32LE(crc32(header.subarray(0, 38)), 38);
  return header;
}

/** What stands at the start of a log file. `chain`: where the first record's crc starts from. */
export type Header =
  | { kind: 'known'; format: number; generation: number; chain: number }
  | { kind: 'newer'; format: number }
  | { kind: 'torn' };

/** Reads a header from the start of a file. */
export function decodeHeader(file: Buffer): Header {
  if (file.length < PREAMBLE_BYTES || !file.subarray(0, 8).equals(MAGIC)) return { kind: 'torn' };
  if (file.readUInt32LE(12) !== crc32(file.subarray(0, 12))) return { kind: 'torn' };
  const format = file.readUInt32LE(8);
  if (format > LOG_FORMAT) return { kind: 'newer', format };
  if (file.length < HEADER_BYTES) return { kind: 'torn' };
  const chain = file.readUInt32LE(38);
  if (chain !== crc32(file.subarray(0, 38))) return { kind: 'torn' };
  return { kind: 'known', format, generation: file.readUIntLE(16, 6), chain };
}

/** Where the next record goes, and what it builds on. Advances with each record. */
export interface LogPosition {
  /** Crc of the last record, or of the header. */
  chain: number;
  /** Number of the last record. */
  sequence: number;
  /** How many records have used a statement, by its text, since the file was opened. */
  uses: Map<string, number>;
}

const references = new Map<string, number>();

/** The number for a statement: 40 bits of a hash of its text. */
export function referenceTo(sql: string): number {
  let reference = references.get(sql);
  if (reference === undefined) {
    reference = parseInt(hash('sha256', sql, 'hex').slice(0, 10), 16);
    references.set(sql, reference);
  }
  return reference;
}

/** Whether the text of a statement is written again after this many records have used it. */
const isTextDue = (uses: number): boolean => uses < 4 || uses % 256 === 0 || (uses & (uses - 1)) === 0;

/** The record of one transaction, which can't be undone any more. Moves the position on. */
export function encodeRecord(position: LogPosition, operations: readonly Operation[]): Buffer {
  const used = new Set<string>();
  const rows = operations.map(({ sql, params }) => {
    const isText = !used.has(sql) && isTextDue(position.uses.get(sql) ?? 0);
    used.add(sql);
    return [isText ? sql : referenceTo(sql), ...params];
  });
  const payload = JSON.stringify(rows);
  const length = Buffer.byteLength(payload);
  const bytes = Buffer.allocUnsafe(RECORD_HEAD_BYTES + length);
  bytes.writeUInt32LE(length, 4);
  bytes.writeUIntLE(position.sequence + 1, 8, 6);
  bytes.write(payload, RECORD_HEAD_BYTES);
  position.chain = crc32(bytes.subarray(4), position.chain);
  bytes.writeUInt32LE(position.chain, 0);
  position.sequence += 1;
  for (const sql of used) position.uses.set(sql, (position.uses.get(sql) ?? 0) + 1);
  return bytes;
}

/** One record as found in a file. */
export interface FoundRecord {
  start: number;
  sequence: number;
  payload: Buffer;
  crc: number;
  /** Where the next record starts. */
  end: number;
}

/**
 * The record at `start` that builds on `chain`, or null when there is no whole, sound one: the end of the log, or where
 * it was torn.
 */
export function decodeRecord(file: Buffer, start: number, chain: number): FoundRecord | null {
  if (start + RECORD_HEAD_BYTES > file.length) return null;
  const length = file.readUInt32LE(start + 4);
  const end = start + RECORD_HEAD_BYTES + length;
  if (length === 0 || end > file.length) return null;
  const crc = file.readUInt32LE(start);
  if (crc !== crc32(file.subarray(start + 4, end), chain)) return null;
  const sequence = file.readUIntLE(start + 8, 6);
  return { start, sequence, payload: file.subarray(start + RECORD_HEAD_BYTES, end), crc, end };
}

/** The statements that logs have defined, by their number in either format. */
export class Statements {
  readonly #texts = new Map<number, string>();
  /** Those of this file, by their number in format 1, as far as that is known. */
  #counted: string[] = [];
  #isCounting = true;

  /** Another file follows. */
  beginFile(): void {
    this.#counted = [];
    this.#isCounting = true;
  }

  define(sql: string): void {
    if (this.#isCounting) this.#counted.push(sql);
    this.learn(sql);
  }

  /** Like `define`, for a text found elsewhere. */
  learn(sql: string): void {
    this.#texts.set(referenceTo(sql), sql);
  }

  /** Part of this file is missing: the numbers of statements it defines from here on are unknown. */
  stopCounting(): void {
    this.#isCounting = false;
  }

  find(reference: number): string | undefined {
    return this.#counted[reference] ?? this.#texts.get(reference);
  }
}

/** Values of a payload, which is JSON; throws SyntaxError when it isn't, or not of that shape. */
export function parsePayload(payload: Buffer): [string | number, ...SqlValue[]][] {
  const rows: unknown = JSON.parse(payload.toString('utf8'));
  if (!Array.isArray(rows) || !rows.every(Array.isArray)) throw new SyntaxError('This is not a payload.');
  return rows as [string | number, ...SqlValue[]][];
}

/** The operations of a payload; `statements` are those of the file so far and grows by those defined here. */
export function decodePayload(payload: Buffer, statements: Statements): Operation[] {
  return parsePayload(payload).map(([statement, ...params]) => {
    if (typeof statement === 'string') statements.define(statement);
    const sql = typeof statement === 'string' ? statement : statements.find(statement);
    if (sql === undefined) throw new Error(`A record names statement ${statement}, which was never defined.`);
    return { sql, params };
  });
}

/** What a log consists of, in order. The last piece is always an `end`. */
export type LogPiece =
  /** If it doesn't start where the one before ended, nothing in between can be read. */
  | { kind: 'record'; record: FoundRecord }
  /** No record follows. `torn`: what a crash leaves; `damaged`: something that was whole once. */
  | { kind: 'end'; at: number; state: 'clean' | 'torn' | 'damaged' };

const PAYLOAD_START = Buffer.from('[[');
/** More than any log holds: a larger gap in the sequence can't be real. */
const MOST_MISSING = 2 ** 32;

/**
 * The pieces of a log. `chain`: what its first record builds on; null when that isn't known. `sequence`: the number of the last
 * record before this log; one with lower numbers doesn't belong there, and counts as damaged.
 */
export function* readPieces(file: Buffer, chain: number | null, sequence: number): Generator<LogPiece> {
  let at = HEADER_BYTES;
  while (at < file.length) {
    const next = chain === null ? null : decodeRecord(file, at, chain);
    if (next && next.sequence <= sequence) {
      yield { kind: 'end', at, state: 'damaged' };
      return;
    }
    const record = next ?? findNext(file, { at, chain, sequence });
    if (!record) break;
    yield { kind: 'record', record };
    ({ end: at, crc: chain, sequence } = record);
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
function findNext(file: Buffer, from: ReadTo): FoundRecord | null {
  let at = file.indexOf(PAYLOAD_START, from.at + RECORD_HEAD_BYTES);
  for (; at !== -1; at = file.indexOf(PAYLOAD_START, at + 1)) {
    const record = recordAt(file, at - RECORD_HEAD_BYTES, from);
    if (record) return record;
  }
  return null;
}

/** The record at `start`, when it can be read, and the next builds on it or it is the last. */
function recordAt(file: Buffer, start: number, from: ReadTo): FoundRecord | null {
  const end = start + RECORD_HEAD_BYTES + file.readUInt32LE(start + 4);
  const sequence = file.readUIntLE(start + 8, 6);
  const step = sequence - from.sequence;
  if (end > file.length || step < 1 || step > MOST_MISSING) return null;
  // With a known chain it would have been read, so this is the damaged record.
  if (start === from.at && step === 1 && from.chain !== null) return null;
  const crc = file.readUInt32LE(start);
  const payload = file.subarray(start + RECORD_HEAD_BYTES, end);
  const isFollowed = end === file.length || decodeRecord(file, end, crc)?.sequence === sequence + 1;
  return isFollowed && isReadable(payload) ? { start, sequence, payload, crc, end } : null;
}

const isReadable = (payload: Buffer): boolean => attempt(() => parsePayload(payload)) !== null;

/** Whether the bytes from `at` on are a record that was never whole: cut short, or with parts that were not written. */
function isTorn(file: Buffer, at: number): boolean {
  if (at + RECORD_HEAD_BYTES > file.length) return true;
  const length = file.readUInt32LE(at + 4);
  const payload = file.subarray(at + RECORD_HEAD_BYTES);
  // One that was cut short can't be read to its end; if it can, only its length is wrong.
  return length === 0 || lacksBlock(file, at) || (length > payload.length && !isReadable(payload));
}

/** Whether a block from `at` on was never written: a zero is then the last byte of it, or of the file. No text of a record holds one. */
function lacksBlock(file: Buffer, at: number): boolean {
  let end = at;
  do {
    end = Math.min(end - (end % BLOCK_BYTES) + BLOCK_BYTES, file.length);
    if (file[end - 1] === 0) return true;
  } while (end < file.length);
  return false;
}

/** The least that disks write, or don't. */
const BLOCK_BYTES = 512;
