import { crc32 } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import {
  HEADER_BYTES,
  RECORD_HEAD_BYTES,
  encodeHeader,
  encodeRecord,
  type LogPiece,
  readPieces,
} from '../../../server/store/log-format.ts';

const header = encodeHeader(1);
// The same each time: with one salt in a hundred, a byte behind a cut is by chance the one that was cut off.
header.fill(7, 22, 38);
header.writeUInt32LE(crc32(header.subarray(0, 38)), 38);
const chain = header.readUInt32LE(HEADER_BYTES - 4);

/** Eight records, of lengths and kinds as a store writes them, and where each begins. */
function makeLog(): { log: Buffer; starts: number[] } {
  const position = { chain, sequence: 0, uses: new Map<string, number>() };
  const starts: number[] = [];
  const parts = [header];
  const operations = [
    [{ sql: 'CREATE TABLE a (id)', params: [] }],
    [{ sql: 'INSERT INTO a VALUES (?, ?)', params: [1, 'one [["brackets"]] and 🎉'] }],
    [
      { sql: 'UPDATE a SET id = ?', params: [2] },
      { sql: 'INSERT INTO a VALUES (?, ?)', params: [3, 'x'.repeat(300)] },
    ],
    [{ sql: 'DELETE FROM a WHERE id = ?', params: [null] }],
  ];
  for (const each of [...operations, ...operations]) {
    starts.push(parts.reduce((sum, part) => sum + part.length, 0));
    parts.push(encodeRecord(position, each));
  }
  return { log: Buffer.concat(parts), starts };
}

const { log, starts } = makeLog();
const startOf = (index: number): number => starts[index] ?? log.length;
const payload = (index: number): string =>
  log.toString('latin1', startOf(index) + RECORD_HEAD_BYTES, startOf(index + 1));

const read = (file: Buffer): LogPiece[] => [...readPieces(file, chain, 0)];
const payloads = (pieces: LogPiece[]): Map<number, string> =>
  new Map(
    pieces.flatMap((piece) =>
      piece.kind === 'record' ? [[piece.record.sequence, piece.record.payload.toString('latin1')]] : [],
    ),
  );
const expected = (without: number[] = []): Map<number, string> =>
  new Map(starts.flatMap((_, index) => (without.includes(index) ? [] : [[index + 1, payload(index)]])));
const endOf = (pieces: LogPiece[]): LogPiece | undefined => pieces.at(-1);

describe('a log', () => {
  it('that is whole is read as it was written', () => {
    expect(payloads(read(log))).toEqual(expected());
    expect(endOf(read(log))).toEqual({ kind: 'end', at: log.length, state: 'clean' });
  });

  it('with a byte of another value keeps all other records, and nothing of that one', () => {
    for (let offset = HEADER_BYTES; offset < startOf(7); offset += 1) {
      const changed = Buffer.from(log);
      changed[offset] = (changed[offset] ?? 0) ^ 0x36;
      const damaged = starts.findLastIndex((start) => start <= offset);
      expect(payloads(read(changed)), `byte ${offset}`).toEqual(expected([damaged]));
    }
  });

  it('with any record overwritten by zeros keeps all others', () => {
    for (let index = 0; index < 7; index += 1) {
      const zeroed = Buffer.from(log).fill(0, startOf(index), startOf(index + 1));
      const pieces = read(zeroed);
      expect(payloads(pieces)).toEqual(expected([index]));
      expect(pieces[index]).toMatchObject({ record: { start: startOf(index + 1) } });
    }
  });

  it('with zeros over the end of one record and the start of the next keeps all others', () => {
    const zeroed = Buffer.from(log).fill(0, startOf(3) - 6, startOf(3) + 6);
    expect(payloads(read(zeroed))).toEqual(expected([2, 3]));
  });

  it('with a piece missing, wherever it is cut, keeps what is whole before and behind it', () => {
    for (let from = startOf(2); from <= startOf(3); from += 1) {
      for (const to of [startOf(4), startOf(4) + 3, startOf(4) + 20]) {
        const cut = Buffer.concat([log.subarray(0, from), log.subarray(to)]);
        const lost = [2, 3, 4].filter((index) => startOf(index + 1) > from && startOf(index) < to);
        expect(payloads(read(cut)), `from ${from} to ${to}`).toEqual(expected(lost));
      }
    }
  });

  it('with a length that points far beyond, or to the middle of another record, keeps all others', () => {
    for (const length of [0, 1, 7, 250, 2 ** 31, 2 ** 32 - 1]) {
      const changed = Buffer.from(log);
      changed.writeUInt32LE(length, startOf(2) + 4);
      expect(payloads(read(changed)), `length ${length}`).toEqual(expected([2]));
    }
  });

  it('that was cut short is torn there, whatever is left of the last record', () => {
    for (let length = startOf(6); length < log.length; length += 1) {
      const pieces = read(log.subarray(0, length));
      const last = starts.findLastIndex((start) => start <= length);
      expect(endOf(pieces)).toMatchObject({
        at: startOf(last),
        state: length === startOf(last) ? 'clean' : 'torn',
      });
    }
  });

  it('of which the last block was never written is torn there', () => {
    const torn = Buffer.from(log).fill(0, startOf(7) + 20);
    expect(endOf(read(torn))).toEqual({ kind: 'end', at: startOf(7), state: 'torn' });
  });

  it('of which any block of the last record was never written is torn there', () => {
    const [start, end] = [startOf(6), startOf(7)];
    const border = Math.ceil(start / 512) * 512;
    expect(border).toBeLessThan(end);
    for (const [from, to] of [
      [border, end],
      [start + 20, border],
    ]) {
      const torn = Buffer.from(log.subarray(0, end)).fill(0, from, to);
      expect(endOf(read(torn))).toEqual({ kind: 'end', at: start, state: 'torn' });
    }
  });

  it('of which the last records all say something else than was written was damaged', () => {
    const changed = Buffer.from(log);
    for (let index = 7; index > 4; index -= 1) {
      changed.write('\n\n\n', startOf(index) + 20);
      expect(endOf(read(changed))).toEqual({ kind: 'end', at: startOf(index), state: 'damaged' });
    }
    const garbage = Buffer.from(log).fill('garbage \0 and more ', startOf(5) + RECORD_HEAD_BYTES);
    expect(endOf(read(garbage))).toEqual({ kind: 'end', at: startOf(5), state: 'damaged' });
  });

  it('of which the last record says something else than was written was damaged', () => {
    const changed = Buffer.from(log);
    changed.write('ABC', startOf(7) + 20);
    expect(endOf(read(changed))).toEqual({ kind: 'end', at: startOf(7), state: 'damaged' });
    for (const length of [log.length, 2 ** 31, 2 ** 32 - 1]) {
      const longer = Buffer.from(log);
      longer.writeUInt32LE(length, startOf(7) + 4);
      expect(endOf(read(longer))).toEqual({ kind: 'end', at: startOf(7), state: 'damaged' });
    }
  });
});
