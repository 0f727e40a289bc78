import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { LineBuffer } from '../../../server/mcp/line-buffer.ts';

const linesOf = (pieces: readonly (string | Buffer)[], maxBytes = 1_000): (string[] | null)[] => {
  const buffer = new LineBuffer(maxBytes);
  return pieces.map((piece) => buffer.take(Buffer.from(piece)));
};

const sizeOf = (buffers: readonly unknown[]): number =>
  buffers.reduce<number>((sum, buffer) => sum + (buffer as Buffer).length, 0);

describe('lines that come in pieces', () => {
  it('are given when they end, wherever they were cut', () => {
    expect(linesOf(['a\nb', 'c', '\n\nd\r', '\n'])).toEqual([['a'], [], ['bc', ''], ['d']]);
    const smile = Buffer.from('😀\n');
    expect(linesOf([smile.subarray(0, 2), smile.subarray(2)])).toEqual([[], ['😀']]);
  });

  it('may be as long as is told, each of them', () => {
    expect(linesOf(['1234\n1234\n12', '34\n'], 4)).toEqual([['1234', '1234'], ['1234']]);
    expect(linesOf(['12', '345'], 4)).toEqual([[], null]);
    expect(linesOf(['1\n12345\n'], 4)).toEqual([null]);
  });

  it('cost no more than their length, however small the pieces are', () => {
    const buffer = new LineBuffer(16 * 1024 * 1024);
    const piece = Buffer.alloc(64 * 1024, 'x');
    const search = vi.spyOn(Buffer.prototype, 'indexOf');
    const copy = vi.spyOn(Buffer.prototype, 'copy');
    onTestFinished(() => void vi.restoreAllMocks());
    for (let count = 0; count < 200; count += 1) expect(buffer.take(piece)).toEqual([]);
    const size = 200 * piece.length;
    expect(sizeOf(search.mock.contexts)).toBe(size);
    // Each piece once, and what is there when its room has to grow.
    expect(sizeOf(copy.mock.contexts)).toBeLessThan(8 * size);
    expect(buffer.take(Buffer.from('\n'))?.[0]).toHaveLength(size);
  });
});
