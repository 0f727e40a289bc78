import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hashTextTool } from '../../../server/tools/encoding-hash.ts';
import { decodeJwtTool } from '../../../server/tools/encoding-jwt.ts';
import {
  generateUuidTool,
  generatePasswordTool,
  randomChoiceTool,
  randomNumbersTool,
} from '../../../server/tools/encoding-random.ts';
import {
  decodeTextTool,
  encodeTextTool,
  guessTextEncoding,
  TEXT_ENCODINGS,
  type TextEncoding,
} from '../../../server/tools/encoding-text.ts';
import { ToolError } from '../../../server/tools/tool.ts';
import { run } from '../../support/run-tool.ts';

const encode = (text: string, encoding: TextEncoding) => run(encodeTextTool, { text, encoding }).text;
const decode = (text: string, encoding: TextEncoding) => run(decodeTextTool, { text, encoding });

describe('encoding', () => {
  const cases: [TextEncoding, string, string][] = [
    ['base64', 'hello wörld?', 'aGVsbG8gd8O2cmxkPw=='],
    ['base64url', 'ü?>', 'w7w_Pg'],
    ['hex', 'hé', '68c3a9'],
    ['url', 'a b&c/é', 'a%20b%26c%2F%C3%A9'],
    ['html', `<a href="x">'&'</a>`, '&lt;a href=&quot;x&quot;&gt;&#39;&amp;&#39;&lt;/a&gt;'],
  ];
  it.each(cases)('%s and back', (encoding, text, encoded) => {
    expect(encode(text, encoding)).toBe(encoded);
    expect(decode(encoded, encoding).text).toBe(text);
  });

  it('gives back any text it encoded', () => {
    // Control characters mark binary data on the way back, so texts are without them.
    const text = fc.string({ unit: 'grapheme' });
    fc.assert(
      fc.property(text, fc.constantFrom(...TEXT_ENCODINGS), (original, encoding) => {
        expect(decode(encode(original, encoding), encoding).text).toBe(original);
      }),
    );
  });

  it('decodes what others write: line breaks, missing padding, either alphabet, separators', () => {
    expect(decode('aGVs\nbG8', 'base64').text).toBe('hello');
    expect(decode('w7w_Pg', 'base64').text).toBe('ü?>');
    expect(decode('0x68 65:6C', 'hex').text).toBe('hel');
    expect(decode('&eacute;&#233;&#xE9;&hellip;&nope;&#0;&#xD800;', 'html').text).toBe(
      'ééé…&nope;&#0;&#xD800;',
    );
    expect(decode('&alpha;&NotEqualTilde;&frac23;&amp;lt;&copy', 'html').text).toBe('α≂̸⅔&lt;&copy');
  });

  it('shows bytes that are no text as hex', () => {
    expect(decode('//79', 'base64')).toEqual({ hex: 'fffefd', bytes: 3 });
    expect(decode('00', 'hex')).toEqual({ hex: '00', bytes: 1 });
  });

  it('refuses what is not encoded so, in a sentence', () => {
    expect(() => decode('a!b', 'base64')).toThrow(/“!”/);
    expect(() => decode('abcde', 'base64')).toThrow(ToolError);
    expect(() => decode('6g', 'hex')).toThrow(/“g”/);
    expect(() => decode('123', 'hex')).toThrow(/odd/);
    expect(() => decode('100%', 'url')).toThrow(ToolError);
  });

  it('guesses an encoding only where the text supports it', () => {
    const texts = ['aGVsbG8=', '68656c6c6f', 'a%20b', '&lt;b&gt;', 'hello', 'not encoded!'];
    expect(texts.map(guessTextEncoding)).toEqual(['base64', 'hex', 'url', 'html', null, null]);
  });

  it('encodes a lone surrogate as the replacement character', () => {
    expect(encode('\ud800', 'url')).toBe('%EF%BF%BD');
  });
});

describe('hashing', () => {
  it('knows the published hashes of "abc" and which ones are broken', () => {
    const hash = (algorithm: 'sha-256' | 'sha-1' | 'md5') => run(hashTextTool, { text: 'abc', algorithm });
    expect(hash('sha-256')).toEqual({
      hash: 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
      algorithm: 'sha-256',
      secure: true,
    });
    expect(hash('sha-1')).toMatchObject({ hash: 'a9993e364706816aba3e25717850c26c9cd0d89d', secure: false });
    expect(hash('md5')).toMatchObject({ hash: '900150983cd24fb0d6963f7d28e17f72', secure: false });
    expect(run(hashTextTool, { text: 'abc' }).algorithm).toBe('sha-256');
  });
});

describe('tokens', () => {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

  it('shows claims and when they expire', () => {
    const token = `${part({ alg: 'none' })}.${part({ sub: 'ana', exp: 1_600_000_000 })}.x`;
    const result = run(decodeJwtTool, { token: `Bearer ${token}` });
    expect(result).toMatchObject({ expired: true, expiresAt: '2020-09-13T12:26:40.000Z' });
    expect(JSON.parse(result.text)).toEqual({ sub: 'ana', exp: 1_600_000_000 });
  });

  it('refuses what is no token', () => {
    for (const token of ['a.b', 'a.b.c', `${part(1)}.${part(2)}.x`, '']) {
      expect(() => run(decodeJwtTool, { token })).toThrow(ToolError);
    }
  });
});

describe('random values', () => {
  it('makes as many different UUIDs as asked for', () => {
    const { items } = run(generateUuidTool, { count: 50 });
    expect(new Set(items).size).toBe(50);
    expect(
      items.every((item) => /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/.test(item)),
    ).toBe(true);
  });

  it('makes passwords with each kind of character and no look-alikes', () => {
    const { items, entropyBits } = run(generatePasswordTool, { length: 8, count: 100 });
    for (const item of items) {
      expect(item).toMatch(/^(?=.*[a-z])(?=.*[A-Z])(?=.*\d)(?=.*[^a-zA-Z\d]).{8}$/);
      expect(item).not.toMatch(/[0OoIl1|5S8B2Z]/);
    }
    expect(entropyBits).toBe(48);
  });

  it('leaves out symbols and digits on request', () => {
    const { items } = run(generatePasswordTool, { symbols: false, digits: false, count: 50 });
    expect(items.every((item) => /^[a-zA-Z]{20}$/.test(item))).toBe(true);
  });

  it('draws within the bounds, both included', () => {
    const { numbers, sum } = run(randomNumbersTool, { minimum: -1, maximum: 1, count: 100 });
    expect(new Set(numbers)).toEqual(new Set([-1, 0, 1]));
    expect(sum).toBe(numbers.reduce((total, one) => total + one, 0));
    expect(() => run(randomNumbersTool, { minimum: 2, maximum: 1 })).toThrow(ToolError);
  });

  it('can pick any of the options', () => {
    const { items } = run(randomChoiceTool, { options: ['a', 'b'], count: 100, repeat: true });
    expect(new Set(items)).toEqual(new Set(['a', 'b']));
  });

  it('picks each option once unless it may come again', () => {
    const options = ['a', 'b', 'c'];
    expect(run(randomChoiceTool, { options, count: 3 }).items.toSorted()).toEqual(options);
    expect(() => run(randomChoiceTool, { options, count: 4 })).toThrow(/only 3/);
    expect(run(randomChoiceTool, { options: ['x'], count: 4, repeat: true }).items).toEqual([
      'x',
      'x',
      'x',
      'x',
    ]);
  });
});
