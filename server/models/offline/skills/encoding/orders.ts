/** Orders to encode, decode and hash, and to make something at random; the rest is for the tools' forms. */
import { MAX_DRAWS } from '../../../../tools/encoding-random.ts';
import { guessTextEncoding } from '../../../../tools/encoding-text.ts';
import { isList, isPhrase, type Order } from '../../reading/orders.ts';
import { anyPattern, COUNT, countIn, nameFor, type Words } from '../../reading/words.ts';
import { figures } from '../maths/number-words.ts';
import { isCalculation } from '../maths/shape.ts';
import { translate } from '../maths/translate.ts';
import { itemsOf } from '../text/orders.ts';

/** Names that stand for an encoding by themselves. "URL" and "HTML" do not: other things are turned into those. */
const BARE_CODES = {
  base64url: 'base[- ]?64[- ]?url|url[- ]?safe base[- ]?64',
  base64: 'base[- ]?64',
  hex: 'hex(?:adecimal)?',
};
const CODES = { ...BARE_CODES, url: 'ur[li]', html: 'html' };
const CODE = `(?<code>${anyPattern(CODES)})`;
const HASHES = {
  md5: 'md5',
  'sha-1': 'sha[-_ ]?1',
  'sha-256': 'sha[-_ ]?256',
  'sha-384': 'sha[-_ ]?384',
  'sha-512': 'sha[-_ ]?512',
};
const ENCODING = '(?:encode|escape|encoding|encoded)';
const DECODING = '(?:decode|decoding|un-?escape|decoded)';
const TOKEN = /^eyJ[\w-]{5,}\.[\w-]{2,}\.[\w-]*$/;
/** Figures and signs only, in any notation, or a sum. */
function isNumber(text: string): boolean {
  const plain = figures(text).replace(/^\s*rgba?\b|0x[\da-f]+|(?<=\d)e(?=[-+]?\d)/gi, '0');
  return (/\d/.test(plain) && !/\p{L}/u.test(plain)) || isCalculation(translate(plain));
}
/** "MM" is 2000, or two letters. */
const ROMAN = /^[MDCLXVI]{2,15}$/;

/** In the order in which they are tried. */
export const ENCODE: readonly Order[] = [
  {
    tool: 'decode_jwt',
    named: '(?:decode|read)(?: (?:this|the))?(?: (?:jwt|token))?',
    bare: (text) => TOKEN.test(text),
    input: (text) => (TOKEN.test(text.trim()) ? { token: text.trim() } : null),
  },
  {
    tool: 'hash_text',
    named: `(?:hash )?(?<algorithm>${anyPattern(HASHES)})(?:[- ]?(?:hash|sum|checksum))?`,
    again: `(?<algorithm>${anyPattern(HASHES)})`,
    bare: isPhrase,
    how(asked, { algorithm }) {
      asked.takeAll('hash|checksum|calculate|generate|with|using');
      return { algorithm: nameFor(HASHES, algorithm) };
    },
  },
  {
    tool: 'decode_text',
    named: `${DECODING}(?: (?:this|the|following))*(?: ${CODE}(?: string)?)?|${CODE}[- ]?${DECODING}`,
    bare: (text) => isPhrase(text) || /&\w+;/.test(text),
    how(asked, { code }) {
      const name = code ?? asked.take(`(?:from|as|with|in) ${CODE}`)?.['code'];
      return name === undefined ? {} : { encoding: nameFor(CODES, name) };
    },
    input(text, { encoding = guessTextEncoding(text) }) {
      return typeof encoding === 'string' ? { text, encoding } : null;
    },
  },
  {
    tool: 'encode_text',
    named: `${CODE}[- ]?${ENCODING}|${ENCODING}(?: (?:as|in))? ${CODE}|(?<code>${anyPattern(BARE_CODES)})(?: encoding)?|${ENCODING}`,
    again: `(?<code>${anyPattern(BARE_CODES)})`,
    bare: (text) => (isPhrase(text) || /[&%=<>]/.test(text)) && !/\b(?:sha|md5|hash)/i.test(text),
    how(asked, { code }) {
      const name = code ?? asked.take(`(?:in|as|to|into|with|for|using) (?:an? )?${CODE}`)?.['code'];
      asked.take(ENCODING);
      return name === undefined ? null : { encoding: nameFor(CODES, name) };
    },
    // A number in another base is arithmetic.
    input: (text, how) =>
      how['encoding'] === 'hex' && (ROMAN.test(text) || isNumber(text)) ? null : { text, ...how },
  },
];

const [MIN_LENGTH, MAX_LENGTH] = [6, 256];
const NUMBER = '-?\\d{1,12}';
const TIMES = '(?<times>\\d{1,4}|twice|two|three|four|five|ten)(?: times)?';
const NONE = '(?:digits|numbers|symbols|special characters|punctuation)';

/** How many to make, where it isn't one, once the words around an order are taken out; more than a tool makes is refused. */
function making(asked: Words, count: number): { count?: number } {
  asked.takeAll(
    'generate|new|random(?:ly)?|strong|secure|safe|good|another|pick|choose|think|at random|for me|roll|throw|flip|toss',
  );
  if (count < 1 || count > MAX_DRAWS) asked.refuse(String(count));
  return count === 1 ? {} : { count };
}

/** What is made out of nothing. */
export const RANDOM: readonly Order[] = [
  {
    tool: 'generate_uuid',
    bare: 'nothing',
    named: `(?:(?<count>${COUNT}) )?(?:(?:new|random|v4) )*(?:uu|gu)id(?<many>s)?`,
    how: (asked, { count, many }) => making(asked, countIn(count, many ? 3 : 1)),
  },
  {
    tool: 'generate_password',
    bare: 'nothing',
    named: `(?:(?<count>${COUNT}) )?(?:(?:new|random|strong|secure|(?<size>\\d{1,3})[- ](?:characters?|chars?)) )*password(?<many>s)?`,
    how(asked, { count, many, size }) {
      const named = asked.take(
        '(?:of |with |at )?(?<long>\\d{1,3})[- ](?:characters?|chars?|long)(?: long)?|of length (?<of>\\d{1,3})',
      );
      const without = asked.take(
        `,? ?(?:without|with no|no) (?<none>${NONE}(?:,? (?:or|and|nor) (?:no )?${NONE})*)`,
      );
      // They are in it anyway.
      asked.take(`,? ?(?:with|including) (?:${NONE}|letters)(?:,? (?:and )?(?:${NONE}|letters))*`);
      const length = size ?? named?.['long'] ?? named?.['of'];
      if (length !== undefined && (Number(length) < MIN_LENGTH || Number(length) > MAX_LENGTH))
        asked.refuse(length);
      return {
        ...(length !== undefined && { length: Number(length) }),
        ...(/symbol|special|punct/i.test(without?.['none'] ?? '') && { symbols: false }),
        ...(/digit|number/i.test(without?.['none'] ?? '') && { digits: false }),
        ...making(asked, countIn(count, many ? 3 : 1)),
      };
    },
  },
  {
    tool: 'random_choice',
    bare: 'nothing',
    named: `(?:flip|toss) (?:(?<count>${COUNT}) )?coins?(?: ${TIMES})?|heads or tails`,
    how: (asked, { count, times }) => ({
      options: ['heads', 'tails'],
      ...making(asked, countIn(times ?? count, 1)),
      repeat: true,
    }),
  },
  {
    tool: 'random_numbers',
    bare: 'nothing',
    named: `(?:roll|throw) (?:the )?(?:(?<count>${COUNT}) )?(?:(?<sides>\\d{1,4})[- ]sided )?(?<what>dice|die)(?: ${TIMES})?|(?:roll|throw) (?:an? )?(?<count>\\d{1,3})?d(?<sides>\\d{1,4})`,
    how(asked, { count, sides, what, times }) {
      const usual = what?.toLowerCase() === 'dice' && times === undefined ? 2 : 1;
      const maximum = Math.max(2, Number(sides ?? 6));
      return { minimum: 1, maximum, ...making(asked, countIn(times ?? count, usual)) };
    },
  },
  {
    tool: 'random_numbers',
    bare: 'nothing',
    // Without "random", "pick" or the like, "numbers from 1 to 10" are a list.
    named: `(?:pick|choose) (?<count>${COUNT}) (?:random )?numbers?(?<many>s)?(?: (?:between|from) (?<low>${NUMBER}) (?:and|to) (?<high>${NUMBER}))|(?:(?<count>${COUNT}) )?random (?:whole )?(?:number|integer)(?<many>s)?(?:,? (?:between|from|in) (?<low>${NUMBER}) ?(?:and|to|-|–) ?(?<high>${NUMBER})| up to (?<high>\\d{1,12}))?`,
    how(asked, { count, many, low = '1', high = '100' }) {
      const bounds = [Number(low), Number(high)].sort((one, other) => one - other);
      return { minimum: bounds[0], maximum: bounds[1], ...making(asked, countIn(count, many ? 5 : 1)) };
    },
  },
  {
    tool: 'random_choice',
    named: `(?:randomly )?(?:pick|choose)(?: (?<count>${COUNT}))?(?: (?:items?|names?|at random|randomly))*(?: (?:of|from|between|among|out of))?`,
    bare: (text) => isList(text) || /\S (?:or|and) \S/.test(text),
    how: (_asked, { count }) => ({ count: countIn(count, 1) }),
    input(text, { count }) {
      const options = itemsOf(text.replace(/(?<![?.!])[?.!]+$/, '').replace(/,? (?:or|and) /gi, ', '));
      const isTooFew = options.length < 2 || options.length > 10_000 || Number(count) > options.length;
      return isTooFew ? null : { options, ...(count !== 1 && { count }) };
    },
  },
];
