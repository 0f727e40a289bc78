/** Encoding, decoding, hashing and tokens. */
import type { HashAlgorithm } from '../../../../tools/encoding-hash.ts';
import { guessEncoding, type TextEncoding } from '../../../../tools/encoding-text.ts';
import { isPhrase, type Order } from '../../reading/orders.ts';

const BASE64URL = 'base[- ]?64[- ]?url|url[- ]?safe base[- ]?64';
/** Names that stand for a form by themselves. "URL" and "HTML" do not: other things are turned into those. */
const FORM = `${BASE64URL}|base[- ]?64|hex(?:adecimal)?`;
const CODE = `(?<code>${FORM}|url|uri|html)`;
const ENCODE = '(?:encode|escape|encoding|encoded)';
const DECODE = '(?:decode|decoding|un-?escape|decoded)';

const encodingOf = (name: string): TextEncoding =>
  new RegExp(`^(?:${BASE64URL})$`, 'i').test(name)
    ? 'base64url'
    : /^base/i.test(name)
      ? 'base64'
      : /^hex/i.test(name)
        ? 'hex'
        : /^html/i.test(name)
          ? 'html'
          : 'url';
const isNumber = (text: string): boolean => /^(?:rgba?\b)?[\s(]*[-+]?\d[\d.,%\s]*\)?$/i.test(text.trim());
const TOKEN = /^eyJ[\w-]{5,}\.[\w-]{2,}\.[\w-]*$/;

/** In the order in which they are tried. */
export const ORDERS: readonly Order[] = [
  {
    tool: 'decode_jwt',
    named: '(?:decode|parse|read|inspect)(?: (?:this|the))?(?: (?:jwt|token))?|jwt',
    bare: (text) => TOKEN.test(text),
    input: (text) => (TOKEN.test(text.trim()) ? { token: text.trim() } : null),
  },
  {
    tool: 'hash_text',
    named: '(?:hash )?(?<algorithm>md5|sha[-_ ]?(?:1|256|384|512))(?:[- ]?(?:hash|sum|digest|checksum))?',
    again: '(?<algorithm>md5|sha[-_ ]?(?:1|256|384|512))',
    bare: isPhrase,
    how(asked, { algorithm = '' }) {
      asked.take('hash|checksum|digest|calculate|compute|generate|with|using|by');
      asked.take('with|using');
      return { algorithm: algorithmOf(algorithm) };
    },
  },
  {
    tool: 'decode_text',
    named: `${DECODE}(?: (?:this|the|following))*(?: ${CODE}(?: string)?)?|${CODE}[- ]?${DECODE}|what does`,
    bare: (text) => isPhrase(text) || /&\w+;/.test(text),
    how(asked, { code }) {
      const isAsked = asked.take('decode to') !== null;
      if (!isAsked && /what does/i.test(asked.said)) return null;
      asked.take('encoded|decoding');
      const name = code ?? asked.take(`(?:from|as|with|in) ${CODE}`)?.['code'];
      return name === undefined ? {} : { encoding: encodingOf(name) };
    },
    input(text, { encoding = guessEncoding(text) }) {
      return typeof encoding === 'string' ? { text, encoding } : null;
    },
  },
  {
    tool: 'encode_text',
    named: `${CODE}[- ]?${ENCODE}|${ENCODE}(?: (?:as|in))? ${CODE}|(?<code>${FORM})(?: encoding)?|${ENCODE}`,
    again: `(?<code>${FORM})`,
    bare: (text) => (isPhrase(text) || /[&%=<>]/.test(text)) && !/\b(?:sha|md5|hash)/i.test(text),
    how(asked, { code }) {
      const name = code ?? asked.take(`(?:in|as|to|into|with|for|using) (?:an? )?${CODE}`)?.['code'];
      asked.take(ENCODE);
      return name === undefined ? null : { encoding: encodingOf(name) };
    },
    // A number in another base is arithmetic.
    input: (text, how) => (how['encoding'] === 'hex' && isNumber(text) ? null : { text, ...how }),
  },
];

function algorithmOf(name: string): HashAlgorithm {
  const bits = /\d+$/.exec(name)?.[0];
  if (bits === '5') return 'md5';
  return bits === '1' ? 'sha-1' : bits === '384' ? 'sha-384' : bits === '512' ? 'sha-512' : 'sha-256';
}
