import { describe, expect, it } from 'vitest';
import {
  HEADER_BYTES,
  type LogPosition,
  decodeHeader,
  decodePayload,
  decodeRecord,
  encodeHeader,
  encodeRecord,
} from '../../../server/store/log-format.ts';

const start = (header: Buffer): LogPosition => ({
  chain: header.readUInt32LE(HEADER_BYTES - 4),
  sequence: 0,
  statements: new Map(),
});

function writeRecord(position: LogPosition, ...sqls: string[]): Buffer {
  const record = encodeRecord(
    position,
    sqls.map((sql) => ({ sql, params: ['x', 1.5, null] })),
  );
  record.accept();
  return record.bytes;
}

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
  it('name a statement in full once and by number from then on', () => {
    const position = start(encodeHeader(1));
    const first = writeRecord(position, 'INSERT a', 'UPDATE b', 'INSERT a');
    const second = writeRecord(position, 'UPDATE b');
    const statements: string[] = [];
    const payload = (bytes: Buffer): Buffer => bytes.subarray(14);
    expect(payload(first).toString()).toBe(
      '[["INSERT a","x",1.5,null],["UPDATE b","x",1.5,null],[0,"x",1.5,null]]',
    );
    expect(payload(second).toString()).toBe('[[1,"x",1.5,null]]');
    expect(decodePayload(payload(first), statements).map(({ sql }) => sql)).toEqual([
      'INSERT a',
      'UPDATE b',
      'INSERT a',
    ]);
    expect(decodePayload(payload(second), statements)).toEqual([
      { sql: 'UPDATE b', params: ['x', 1.5, null] },
    ]);
  });

  it('leave the position alone until they are accepted', () => {
    const position = start(encodeHeader(1));
    const before = structuredClone(position);
    encodeRecord(position, [{ sql: 'INSERT a', params: [] }]);
    expect(position).toEqual(before);
  });

  it('carry every character back', () => {
    const position = start(encodeHeader(1));
    const text = 'NUL \0, half a pair \ud800, 🎉, "quoted"\n\u2028';
    const { bytes } = encodeRecord(position, [{ sql: 'INSERT a', params: [text] }]);
    expect(decodePayload(bytes.subarray(14), [])[0]?.params).toEqual([text]);
  });

  it('do not pass in another file, in another place or after another record', () => {
    const header = encodeHeader(1);
    const position = start(header);
    const chain = position.chain;
    const first = writeRecord(position, 'INSERT a');
    const second = writeRecord(position, 'INSERT a');
    const file = Buffer.concat([header, first, second]);
    expect(decodeRecord(file, HEADER_BYTES, chain, 1)?.end).toBe(HEADER_BYTES + first.length);
    expect(decodeRecord(file, HEADER_BYTES, chain, 2)).toBeNull();
    expect(decodeRecord(file, HEADER_BYTES + first.length, chain, 2)).toBeNull();
    const otherChain = start(encodeHeader(1)).chain;
    expect(decodeRecord(file, HEADER_BYTES, otherChain, 1)).toBeNull();
    expect(decodeRecord(Buffer.alloc(200), 0, 0, null)).toBeNull();
  });
});
