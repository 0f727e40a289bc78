/**
 * How texts are compared in searches: by the index, for queries and for marks alike. Case, width, accents, other optional marks, the shape
 * of quotes and dashes, the kind of kana and the script of digits don't matter. When the words of a text change, a migration has to have
 * the index made anew (see search-index-repository.ts).
 */
import { UNSPACED_LETTER } from './scripts.ts';

/**
 * Marks that change no letter where they stand: accents, points and vowel signs of Arabic and Hebrew, dots below Indic letters, variations of
 * emoji. Not the ones that make other letters: those of й, of kana, and vowels of Indic scripts.
 */
const OPTIONAL =
  /(?<!и)\u0306|[\u00ad\u0300-\u0305\u0307-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06ed\u093c\u09bc\u0a3c\u0abc\u0b3c\u0cbc\u1ab0-\u1aff\u1dc0-\u1dff\u200b-\u200f\u20d0-\u20ff\u2060\ufe00-\ufe0f\ufeff]/gu;
/** Letters and punctuation that are also written as others, which Unicode doesn't say. */
const OTHERS: Record<string, string> = {
  ...{ ø: 'o', đ: 'd', ð: 'd', ł: 'l', ħ: 'h', ŧ: 't', ı: 'i', ß: 'ss', æ: 'ae', œ: 'oe', þ: 'th' },
  ...{ ς: 'σ', ٱ: 'ا', ى: 'ي', ی: 'ي', ک: 'ك', ڪ: 'ك', ة: 'ه', ە: 'ه', ہ: 'ه', ۃ: 'ه' },
  ...{ '‘': "'", '’': "'", '‚': "'", '‛': "'", '′': "'", '‹': "'", '›': "'" },
  ...{ '“': '"', '”': '"', '„': '"', '‟': '"', '«': '"', '»': '"' },
  ...{ '‐': '-', '‒': '-', '–': '-', '—': '-', '―': '-', '−': '-', '⁄': '/' },
};
// Katakana as hiragana, and digits of other scripts, by their zeros, as those of ASCII.
for (let code = 0x30a1; code <= 0x30f6; code += 1)
  OTHERS[String.fromCharCode(code)] = String.fromCharCode(code - 0x60);
for (const zero of '٠۰०০੦૦୦௦౦೦൦๐໐༠၀០')
  for (let digit = 0; digit < 10; digit += 1)
    OTHERS[String.fromCharCode(zero.charCodeAt(0) + digit)] = String(digit);
const OTHER = new RegExp(`[${Object.keys(OTHERS).join('')}]`, 'gu');
const ASCII = /^[\x00-\x7f]*$/;

/** A text as it is compared. Its length may differ. */
export function normalise(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(OPTIONAL, '')
    .replace(OTHER, (other) => OTHERS[other] ?? other)
    .normalize('NFC');
}

/** What can only be normalised together: a letter and its marks, a syllable in parts, or a flag. */
export const CLUSTER =
  /\p{RI}{2}|[\u1100-\u115f][\u1160-\u11a7]*[\u11a8-\u11ff]*|\P{M}[\p{M}\uff9e\uff9f]*|\p{M}+/gu;

/** Signs of code that are searched for as such: of `C++` and `C#`, arrows, and operators of two signs. */
const SIGNS =
  '(?<=[a-zA-Z])(?:\\+\\+|#)(?![+#])|(?<![-+*/%=<>!&|:.])(?:[-=]>|<-|[-+*/%=!<>]=|&&|\\|\\||::)(?![-=<>&|:])';
/** Bold letters within a word: its marks part no words, as the power in `base**exp` does. */
const BOLD = '\\*\\*(?:(?<=\\p{L}\\*\\*)(?=\\p{L}+\\*\\*)|(?<=\\*\\*\\p{L}+\\*\\*)(?=\\p{L}))';
/** In `v1.2` and `0xdeadbeef`, so that what follows is found. */
const SIGIL = '(?:[vV](?=\\d)|0[xX](?=[\\da-fA-F]))';

/** A word of a text, normalised, and what of the text it stands for. A letter or sign that stands alone is a word of its own. */
export interface SearchWord {
  word: string;
  start: number;
  end: number;
}

const UNSPACED = `(?!\\p{Nd})(?=[\\p{L}\\p{N}\\p{M}])${UNSPACED_LETTER}`;
const FRACTION = '[¼-¾⅐-⅟↉]';
const WORD = new RegExp(
  `[\\u1100-\\u11ff]+|${FRACTION}|${UNSPACED}[\\u3099\\u309a\\uff9e\\uff9f]*` +
    `|(?<!(?!${UNSPACED})[\\p{L}\\p{N}\\p{Co}\\p{M}])${SIGIL}` +
    `|(?:(?:${BOLD})?(?!${UNSPACED}|${FRACTION})[\\p{L}\\p{N}\\p{Co}][\\p{M}\\u00ad\\u200b\\u200c\\u200d\\u2060\\ufeff]*)+` +
    `|${SIGNS}` +
    // Flags, and signs that ASCII lacks, but no minus or stroke of a fraction: they join words as a dash does.
    `|\\p{RI}{2}|(?![\\0-\\x7f\\u2044\\u2212])[\\p{So}\\p{Sc}\\p{Sm}]`,
  'gu',
);

const WORD_ASCII = new RegExp(`(?<![a-z\\d])${SIGIL}|[a-z\\d]+|${SIGNS}`, 'g');
const BOLD_ASCII = new RegExp(BOLD, 'gu');
const STARTS_UNSPACED = new RegExp(`^${UNSPACED}`, 'u');

/** The index takes ASCII signs for blanks, but not their wide forms. */
const wide = (signs: string): string =>
  signs.replace(/[!-~]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) + 0xfee0));

/** What a part of a text that matches {@link WORD} is as words: mostly one. None: a sign of ASCII, such as a wide `+`. */
function wordsOf(written: string): string[] {
  if (/^[!-/:-@|]/.test(written)) return [wide(written)];
  const word = normalise(written.replaceAll('**', ''));
  if (STARTS_UNSPACED.test(word)) return Array.from(word);
  // `½` and `℃` are several.
  if (word.length > written.length) return word.match(WORD) ?? [];
  return /[^\x00-\x7f]|[a-z\d]/.test(word) ? [word] : [];
}

/** Whether a word may be the start of another: no letter or sign that stands alone. */
export const mayBeStart = (word: string): boolean =>
  /^[\p{L}\p{N}]/u.test(word) && !STARTS_UNSPACED.test(word);

/** The words of a text. Of scripts without blanks each letter is one, and so is each emoji. */
export function* searchWords(text: string): Generator<SearchWord> {
  for (const { 0: written, index } of text.matchAll(WORD))
    for (const word of wordsOf(written)) yield { word, start: index, end: index + written.length };
}

/** Of letters that stand alone. */
const known = new Map<string, string>();
function joined(written: string): string {
  if (written.length > 2) return wordsOf(written).join(' ');
  let words = known.get(written);
  if (words === undefined) known.set(written, (words = wordsOf(written).join(' ')));
  return words;
}

/** What joins letters to a word that others write without it: `Wi-Fi`, `don’t`, `Node.js`, `file_name`. */
export const JOINT = "[-‐‑._'’]";
const JOINTS = new RegExp(JOINT, 'g');
const SPACED_LETTER = '[\\p{scx=Latin}\\p{scx=Greek}\\p{scx=Cyrillic}\\p{scx=Hebrew}\\p{scx=Arabic}]';
const JOINED = new RegExp(`(?<!${SPACED_LETTER})${SPACED_LETTER}+(?:${JOINT}${SPACED_LETTER}+)+`, 'gu');
const JOINED_ASCII = /(?<![a-z])[a-z]+(?:[-._'][a-z]+)+/g;

/** The words of a text, as they are indexed; after them, in one word, those that are joined. */
export function joinedWords(text: string): string {
  const isAscii = ASCII.test(text);
  const lower = isAscii ? text.toLowerCase().replace(BOLD_ASCII, '') : text;
  const parts = lower.match(isAscii ? WORD_ASCII : WORD) ?? [];
  const whole = lower.match(isAscii ? JOINED_ASCII : JOINED) ?? [];
  return [
    ...parts.map((part) => (!isAscii ? joined(part) : /^[a-z\d]/.test(part) ? part : wide(part))),
    ...whole.map((word) => normalise(word.replace(JOINTS, ''))),
  ].join(' ');
}
