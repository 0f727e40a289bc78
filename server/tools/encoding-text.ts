import { Buffer } from 'node:buffer';
import { Type } from 'typebox';
import { decodeHTMLStrict } from 'entities/decode';
import { escapeUTF8 } from 'entities/escape';
import { choice } from '../../shared/api/common.ts';
import { attempt } from '../../shared/attempt.ts';
import { defineTool, ToolError } from './tool.ts';

/** Ways text can be encoded. */
export const TEXT_ENCODINGS = ['base64', 'base64url', 'hex', 'url', 'html'] as const;
export type TextEncoding = (typeof TEXT_ENCODINGS)[number];

/** Bytes that are shown when decoding gives no text. */
const SHOWN_BYTES = 256;

const encoding = choice(
  [...TEXT_ENCODINGS],
  'base64, base64url (for addresses, unpadded), hex, url (percent-encoding) or html (entities).',
);

/** Encodes text; its bytes are UTF-8. */
export const encodeTextTool = defineTool({
  name: 'encode_text',
  description:
    'Encodes text as Base64, hexadecimal, URL percent-encoding or HTML entities (the text is taken as UTF-8).',
  input: Type.Object({ text: Type.String({ description: 'The text to encode.' }), encoding }),
  run({ text, encoding }) {
    if (encoding === 'url') return { text: encodeURIComponent(text.toWellFormed()) };
    if (encoding === 'html') return { text: encodeHtml(text) };
    return { text: Buffer.from(text, 'utf8').toString(encoding) };
  },
});

/** Decodes what {@link encodeTextTool} and others encode. */
export const decodeTextTool = defineTool({
  name: 'decode_text',
  description:
    'Decodes Base64 (either alphabet), hexadecimal, URL percent-encoding or HTML entities to text. Bytes that are not UTF-8 text come back as hex.',
  input: Type.Object({ text: Type.String({ description: 'The encoded text.' }), encoding }),
  run({ text, encoding }) {
    if (encoding === 'html' || encoding === 'url') {
      const decoded = encoding === 'html' ? decodeHtml(text) : decodeUrl(text);
      return { text: decoded, bytes: Buffer.byteLength(decoded) };
    }
    const bytes = encoding === 'hex' ? bytesOfHex(text) : bytesOfBase64(text);
    const decoded = utf8TextOf(bytes);
    if (decoded !== null) return { text: decoded, bytes: bytes.length };
    return { hex: bytes.toString('hex', 0, SHOWN_BYTES), bytes: bytes.length };
  },
});

/** The encoding `text` is most likely in, or null when it looks like none. A guess: short words can be Base64 too. */
export function guessTextEncoding(text: string): TextEncoding | null {
  const trimmed = text.trim();
  if (/&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z]{2,8});/i.test(trimmed)) return 'html';
  if (/%[\da-f]{2}/i.test(trimmed)) return 'url';
  const bare = trimmed.replace(/\s+/g, '');
  if (
    /^(?:0x)?(?:[\da-f]{2})+$/i.test(bare) &&
    utf8TextOf(Buffer.from(bare.replace(/^0x/i, ''), 'hex')) !== null
  )
    return 'hex';
  if (
    /^[A-Za-z\d+/_-]{4,}={0,2}$/.test(bare) &&
    bare.length % 4 !== 1 &&
    utf8TextOf(Buffer.from(bare, 'base64')) !== null
  ) {
    return 'base64';
  }
  return null;
}

/** The bytes that Base64 stands for, in either alphabet, padded or not, white space ignored. Throws ToolError. */
export function bytesOfBase64(text: string): Buffer {
  const bare = text.replace(/\s+/g, '').replace(/={1,2}$/, '');
  const wrong = /[^A-Za-z\d+/_-]/.exec(bare);
  if (wrong !== null) throw new ToolError(`This is not Base64: “${wrong[0]}” does not occur in it.`);
  if (bare.length % 4 === 1)
    throw new ToolError('This is not whole Base64: a character is missing or too many.');
  return Buffer.from(bare, 'base64');
}

function bytesOfHex(text: string): Buffer {
  const bare = text.replace(/0x|[\s:,-]+/gi, '');
  const wrong = /[^\da-f]/i.exec(bare);
  if (wrong !== null) throw new ToolError(`This is not hexadecimal: “${wrong[0]}” does not occur in it.`);
  if (bare.length % 2 === 1)
    throw new ToolError('This is not whole hexadecimal: the number of digits is odd.');
  return Buffer.from(bare, 'hex');
}

/** Escapes the five characters that mean something in HTML. */
const encodeHtml = (text: string): string => escapeUTF8(text).replaceAll('&apos;', '&#39;');

/** Replaces entities, numbered and named; what is not known, or no character, stays as it is. */
function decodeHtml(text: string): string {
  return text.replace(/&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]*);/gi, (entity) => {
    const decoded = decodeHTMLStrict(entity);
    return decoded.includes('\ufffd') ? entity : decoded;
  });
}

function decodeUrl(text: string): string {
  const decoded = attempt(() => decodeURIComponent(text));
  if (decoded !== null) return decoded;
  throw new ToolError(
    'This is not valid URL encoding: after each % there must be two hex digits, of UTF-8 text.',
  );
}

/** The text that `bytes` are in UTF-8, or null. */
export function utf8TextOf(bytes: Uint8Array): string | null {
  const text = attempt(() => new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
  // Control characters other than white space speak for binary data.
  return text === null || /[\u0000-\u0008\u000e-\u001f]/.test(text) ? null : text;
}
