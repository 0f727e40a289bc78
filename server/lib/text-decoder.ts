/** Texts' encodings as the standard, and so the window, has them. */
import iconv from 'iconv-lite';

/** What reads a text piece by piece, as `TextDecoder` does. */
export interface Decoder {
  readonly encoding: string;
  decode(bytes?: Uint8Array, options?: { stream?: boolean }): string;
}

/** Names of those that Node's `TextDecoder` lacks much of: what Windows added for Korean, and Hong Kong for Chinese. */
const ADDED_TO: Readonly<Record<string, string>> = { 'euc-kr': 'cp949', big5: 'big5-hkscs' };

/** The standard has none of it. */
const UTF_32 = /^utf-32[bl]e$/;

/** A decoder of that encoding by any of its names, which keeps a byte order mark. Throws RangeError if there is none. */
export function createDecoder(label: string, fatal = true): Decoder {
  const decoder = UTF_32.test(label)
    ? { encoding: label }
    : new TextDecoder(label, { fatal, ignoreBOM: true });
  const { encoding } = decoder;
  if ('decode' in decoder && !(encoding in ADDED_TO)) return decoder;
  const reader = iconv.getDecoder(ADDED_TO[encoding] ?? encoding, { stripBOM: false });
  return {
    encoding,
    decode(bytes = new Uint8Array(), { stream = false } = {}) {
      const text = reader.write(Buffer.from(bytes)) + (stream ? '' : (reader.end() ?? ''));
      if (fatal && text.includes('\ufffd')) throw new TypeError(`The text is not in ${encoding}.`);
      return text;
    },
  };
}

/** The text in that encoding, as `TextDecoder` names it; null: it has characters that the encoding lacks. */
export function encodeText(text: string, encoding: string): Buffer | null {
  if (encoding === 'utf-8') return Buffer.from(text);
  const name = ADDED_TO[encoding] ?? encoding.replace(/^x-/, '');
  if (!iconv.encodingExists(name)) return null;
  const bytes = iconv.encode(text, name);
  return iconv.decode(bytes, name, { stripBOM: false }) === text ? bytes : null;
}
