import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonElements } from '../../../server/data/json-elements.ts';

/** The elements of a text that comes in pieces of that size. */
async function read(json: string, pieceBytes: number, maxBytes = 1_000_000): Promise<(string | null)[]> {
  const bytes = Buffer.from(json);
  const pieces: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += pieceBytes) pieces.push(bytes.subarray(at, at + pieceBytes));
  const found: (string | null)[] = [];
  for await (const element of jsonElements(pieces, maxBytes)) found.push(element?.toString() ?? null);
  return found;
}

describe('a list that comes in pieces', () => {
  it('has the elements that it has when it is parsed as a whole', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.jsonValue(), { maxLength: 6 }),
        fc.integer({ min: 3, max: 40 }),
        fc.integer({ min: 0, max: 2 }),
        async (list, pieceBytes, indent) => {
          const found = await read(`\ufeff ${JSON.stringify(list, null, indent)}\n`, pieceBytes);
          expect(found.map((text) => JSON.parse(text ?? '') as unknown)).toEqual(
            JSON.parse(JSON.stringify(list)),
          );
        },
      ),
      { numRuns: 200 },
    );
  });

  it.each(['', ' ', '[', '[1', '[1,', '[1,]', '[,1]', '[]]', '[1] 2', '{}', '["', '[{"a":"]"}'])(
    'is refused when it is none, or not whole: %j',
    async (json) => {
      await expect(read(json, 1)).rejects.toThrow('malformed');
    },
  );

  it('is read on behind an element that is too large', async () => {
    expect(await read(`[1,"${'x'.repeat(100)}",2]`, 7, 50)).toEqual(['1', null, '2']);
  });
});
