import { describe, expect, it } from 'vitest';
import {
  HEADER_BYTES,
  type LogPosition,
  Statements,
  decodeHeader,
  decodePayload,
  decodeRecord,
  encodeHeader,
  encodeRecord,
  referenceTo,
} from '../../../server/store/log-format.ts';

const start = (header: Buffer): LogPosition => ({
  chain: header.readUInt32LE(HEADER_BYTES - 4),
  sequence: 0,
  uses: new Map(),
});

const writeRecord = (position: LogPosition, ...sqls: string[]): Buffer =>
  encodeRecord(
    position,
    sqls.map((sql) => ({ sql, params: ['x', 1.5, null] })),
  );

describe('the header', () => {
  it('is known again with its generation', () => {
    expect(decodeHeader(encodeHeader(7))).toMatchObject({ kind: 'known', generation: 7 });
  });

  it('is torn when any byte is missing or another', () => {
    const header = encodeHeader(1);
    for (let length = 0; length < HEADER_BYTES; length += 1) {
      expect(decodeHeader(header.subarray(0, length)).kind).toBe('torn');
      const flipped = Buffer.from(header);
      flipped[length] = (flipped[length] ?? 0) ^ 1;
      expect(decodeHeader(flipped).kind).toBe('torn');
    }
  });
});

describe('records', () => {
  it('write a statement out in the first records that use it and now and then, and else by what follows from it', () => {
    const position = start(encodeHeader(1));
    const first = writeRecord(position, 'INSERT a', 'UPDATE b', 'INSERT a');
    const payload = (bytes: Buffer): Buffer => bytes.subarray(14);
    expect(payload(first).toString()).toBe(
      `[["INSERT a","x",1.5,null],["UPDATE b","x",1.5,null],[${referenceTo('INSERT a')},"x",1.5,null]]`,
    );
    const records = Array.from({ length: 600 }, () => writeRecord(position, 'UPDATE b'));
    const withText = records.flatMap((bytes, index) => (bytes.includes('UPDATE b') ? [index + 1] : []));
    expect(withText).toEqual([1, 2, 3, 4, 8, 16, 32, 64, 128, 256, 512]);
    const statements = new Statements();
    const sqls = [first, ...records].map((bytes) =>
      decodePayload(payload(bytes), statements).map(({ sql }) => sql),
    );
    expect(sqls[0]).toEqual(['INSERT a', 'UPDATE b', 'INSERT a']);
    for (const later of sqls.slice(1)) expect(later).toEqual(['UPDATE b']);
  });

  it('of the format before this one, which counted statements, are read', () => {
    const statements = new Statements();
    const read = (json: string): string[] =>
      decodePayload(Buffer.from(json), statements).map(({ sql }) => sql);
    expect(read('[["INSERT a","x"],["UPDATE b"],[0,"y"]]')).toEqual(['INSERT a', 'UPDATE b', 'INSERT a']);
    expect(read('[[1],[0,"z"]]')).toEqual(['UPDATE b', 'INSERT a']);
    statements.beginFile();
    expect(() => read('[[1]]')).toThrow('never defined');
  });

  it('leave the position alone when they can’t be made', () => {
    const position = start(encodeHeader(1));
    const before = structuredClone(position);
    expect(() => encodeRecord(position, [{ sql: 'INSERT a', params: [1n as never] }])).toThrow(TypeError);
    expect(position).toEqual(before);
  });

  it('carry every character back', () => {
    const position = start(encodeHeader(1));
    const text = 'NUL \0, half a pair \ud800, 🎉, "quoted"\n\u2028';
    const bytes = encodeRecord(position, [{ sql: 'INSERT a', params: [text] }]);
    expect(decodePayload(bytes.subarray(14), new Statements())[0]?.params).toEqual([text]);
  });

  it('do not pass in another file, in another place or after another record', () => {
    const header = encodeHeader(1);
    const position = start(header);
    const chain = position.chain;
    const first = writeRecord(position, 'INSERT a');
    const second = writeRecord(position, 'INSERT a');
    const file = Buffer.concat([header, first, second]);
    expect(decodeRecord(file, HEADER_BYTES, chain)).toMatchObject({
      sequence: 1,
      end: HEADER_BYTES + first.length,
    });
    expect(decodeRecord(file, HEADER_BYTES + first.length, chain)).toBeNull();
    const otherChain = start(encodeHeader(1)).chain;
    expect(decodeRecord(file, HEADER_BYTES, otherChain)).toBeNull();
    expect(decodeRecord(Buffer.alloc(200), 0, 0)).toBeNull();
    // The same record with another number.
    first.writeUIntLE(2, 8, 6);
    expect(decodeRecord(Buffer.concat([header, first]), HEADER_BYTES, chain)).toBeNull();
  });
});
