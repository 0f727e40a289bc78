/**
 * Decoders of texts' encodings. Node's differ from the standard's, and so from the window's: its `euc-kr` lacks the
 * 8,822 syllables that Windows added, and its `big5` turns Hong Kong's characters into private ones.
 */

/** What reads a text piece by piece, as `TextDecoder` does. */
export interface Decoder {
  readonly encoding: string;
  decode(bytes?: Uint8Array, options?: { stream?: boolean }): string;
}

/** A decoder of that encoding by any of its names, which keeps a byte order mark. Throws RangeError if there is none. */
export function createDecoder(label: string, fatal = true): Decoder {
  const decoder = new TextDecoder(label, { fatal, ignoreBOM: true });
  const { encoding } = decoder;
  if (encoding === 'euc-kr') return createKoreanDecoder(fatal);
  if (encoding !== 'big5') return decoder;
  const decode: Decoder['decode'] = (...piece) =>
    decoder.decode(...piece).replaceAll(/[\ue000-\uf8ff]/g, '\ufffd');
  return { encoding, decode };
}

/** A character of one byte or two. */
const PAIR = /[\x81-\xfe][A-Za-z\x81-\xfe]|[^]/g;
/** The characters that Node lacks, and others that were read before, by their two bytes. */
let pairs: Map<string, string> | undefined;

function createKoreanDecoder(fatal: boolean): Decoder {
  const known = (pairs ??= addedPairs());
  const plain = new TextDecoder('euc-kr', { fatal });
  const meaningOf = (pair: string): string => {
    if (pair < '\x80') return pair;
    const meaning = known.get(pair) ?? plain.decode(Buffer.from(pair, 'latin1'));
    if (meaning !== '\ufffd') known.set(pair, meaning);
    return meaning;
  };
  let open = '';
  return {
    encoding: 'euc-kr',
    decode(bytes, { stream = false } = {}) {
      const read = `${open}${Buffer.from(bytes ?? []).toString('latin1')}`.match(PAIR) ?? [];
      open = stream && /^[\x81-\xfe]$/.test(read.at(-1) ?? '') ? (read.pop() ?? '') : '';
      return read.map(meaningOf).join('');
    },
  };
}

/** Windows put the syllables that the standard of 1987 lacks into the gaps of its table, in their order. */
function addedPairs(): Map<string, string> {
  const latin = (byte: number): string => String.fromCharCode(byte);
  const old = new TextDecoder('euc-kr');
  const isOld = new Set<string>();
  for (let first = 0xb0; first <= 0xc8; first += 1)
    for (let second = 0xa1; second <= 0xfe; second += 1) isOld.add(old.decode(Uint8Array.of(first, second)));
  const added = new Map([
    ['\xa2\xe6', '€'],
    ['\xa2\xe7', '®'],
  ]);
  let next = 0xac00;
  for (let first = 0x81; first <= 0xc6; first += 1)
    for (let second = 0x41; second <= (first < 0xa1 ? 0xfe : 0xa0); second += 1) {
      if (!/[A-Za-z\x81-\xfe]/.test(latin(second))) continue;
      while (isOld.has(latin(next))) next += 1;
      if (next <= 0xd7a3) added.set(latin(first) + latin(second), latin(next));
      next += 1;
    }
  return added;
}
