import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonParts } from '../../../server/data/json-parts.ts';

/** The parts of a text that comes in pieces of that size: elements by the names of their lists, members as they are. */
async function read(json: string, pieceBytes: number, maxBytes = 1_000_000): Promise<(string | null)[][]> {
  const bytes = Buffer.from(json);
  const pieces: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += pieceBytes) pieces.push(bytes.subarray(at, at + pieceBytes));
  const found: (string | null)[][] = [];
  for await (const { list, text } of jsonParts(pieces, maxBytes))
    found.push([list, text?.toString() ?? null]);
  return found;
}

const texts = (parts: (string | null)[][], list: string | null): string[] =>
  parts.flatMap(([of, text]) => (of === list ? [text ?? ''] : []));

/** In any pieces, indented or not, behind a byte order mark. */
const WAYS = [fc.integer({ min: 3, max: 40 }), fc.integer({ min: 0, max: 2 })] as const;

describe('a text that comes in pieces', () => {
  it('has the elements that its list has when it is parsed as a whole', async () => {
    const lists = fc.array(fc.jsonValue(), { maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(lists, ...WAYS, async (list, pieceBytes, indent) => {
        const found = await read(`\ufeff ${JSON.stringify(list, null, indent)}\n`, pieceBytes);
        expect(texts(found, '').map((text) => JSON.parse(text) as unknown)).toEqual(
          JSON.parse(JSON.stringify(list)),
        );
      }),
      { numRuns: 200 },
    );
  });

  it('has the members that its object has, and one of its lists element by element', async () => {
    const objects = fc.dictionary(
      fc.constantFrom('a', 'b"', 'chats', '', '\\', 'é'),
      fc.oneof(fc.array(fc.jsonValue()), fc.jsonValue()),
    );
    await fc.assert(
      fc.asyncProperty(objects, ...WAYS, async (object, pieceBytes, indent) => {
        const found = await read(`\ufeff ${JSON.stringify(object, null, indent)}\n`, pieceBytes);
        const members = JSON.parse(`{${texts(found, null).join(',')}}`) as Record<string, unknown>;
        const chats = texts(found, 'chats').map((text) => JSON.parse(text) as unknown);
        expect(chats.length > 0 ? { ...members, chats } : members).toEqual(
          JSON.parse(JSON.stringify(object)),
        );
      }),
      { numRuns: 300 },
    );
  });

  it.each(
    [
      ['', ' ', '[', '[1', '[1,', '[1,]', '[,1]', '[]]', '[1] 2', '["', '[{"a":"]"}', '[1}', '[] []', '[],'],
      ['{', '{}}', '{} {}', '{"a":1', '{"a":1,}', '{,}', '{"a":[}', '{"chats":[1}', '{"chats":[1,]}', '{]'],
      ['nul', '"', '"\\"', '1 2', ',', ']', '}', 'null,', '"a" {}'],
    ].flat(),
  )('is refused when it is no JSON, or not whole: %j', async (json) => {
    for (const pieceBytes of [3, 100]) await expect(read(json, pieceBytes)).rejects.toThrow();
  });

  it.each(['null', ' 5 ', '"[1]"', '[]', ' { } '])('has no parts when it holds nothing: %j', async (json) => {
    for (const pieceBytes of [3, 100]) expect(await read(json, pieceBytes)).toEqual([]);
  });

  it('is read on behind a part that is too large', async () => {
    const large = `"${'x'.repeat(100)}"`;
    expect(await read(`[1,${large},2]`, 7, 50)).toEqual([
      ['', '1'],
      ['', null],
      ['', '2'],
    ]);
    expect(await read(`{"a":${large},"chats":[1,${large}]}`, 7, 50)).toEqual([
      [null, null],
      ['chats', '1'],
      ['chats', null],
      [null, '"chats":[]'],
    ]);
  });
});
