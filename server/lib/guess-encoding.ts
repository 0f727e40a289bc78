/** The encodings of texts that are neither UTF-8 nor say what they are: files of older programs, and of Excel. */
import { createDecoder } from './text-decoder.ts';

/** How much of a text is looked at. */
export const SAMPLE_BYTES = 64 * 1024;

/** Names of the library's that `TextDecoder` doesn't know. */
const NAMES: Readonly<Record<string, string>> = {
  ...{ cp932: 'shift_jis', cp949: 'euc-kr', cp874: 'windows-874', cp1258: 'windows-1258' },
  ...{ 'utf-16-le': 'utf-16le', 'utf-16-be': 'utf-16be', macroman: 'macintosh' },
};
/** They share so many letters that a short text may be in any of them; Western Europe's is by far the most common. */
const LATIN = /^(?:windows-125[02478]|iso-8859-(?:2|15))$/;
/** Encodings of other scripts with a byte for each letter: their words hold few letters of ASCII. */
const OTHER_SCRIPT = /^(?:windows-(?:125[1356]|874)|iso-8859-[5-8]|koi8-|ibm866)/;
/** Hardly any file is in them, and short texts seem to be. */
const RARE = /^iso-8859-(?:[34]|1[0346])$/;
/** How sure, or how much more likely, another one must be. */
const SURE = 0.05;
const VERY_SURE = 0.2;
const [NARROWLY, FAIRLY, CLEARLY] = [1.05, 1.5, 1.7];
/** Control characters that wrong guesses hold, and no text. */
const UNUSED = /[\x80-\x9f]/;
/** ğ and ş, which are ð and þ in Iceland, and letters that Turkey lacks. */
const TURKISH = /[\xf0\xfe]/;
const NOT_TURKISH =
  /[\xe1\xe3\xe6\xe9\xed\xf3\xfa]|[b-df-hj-np-tv-z]\xf0|(?<![a-z\xc0-\xff])(?:[\xde\xfe]a|vi|me)\xf0(?![a-z\xc0-\xff])/i;

/** Words in capitals of Windows' encodings, which the library hardly knows, and no small letters. */
const CAPITALS = /^(?=[^]*[\xc0-\xdf]{3})[^\xe0-\xff]*$/;
const asSmall = (byte: number): number => (byte < 0xc0 ? byte : byte | 0x20);

/** What a style sheet says; the library knows what HTML, XML and Python say. */
const CSS_CHARSET = /^@charset "([\w-]{1,40})";/;

/** The encodings of East Asia share most of their bytes. Characters like these make up much of a text, and little of one that is read wrongly. */
const EAST_ASIAN = ['euc-kr', 'euc-jp', 'gb18030', 'big5', 'shift_jis', 'utf-16le', 'utf-16be'];
const COMMON =
  /[이가은는을를의에다고하지도로니나사시기어자서리인대라요해的一是不了在人有我他这個个們们中来來上大为為和国國地到以說说时時要就出会會可也你对對生能而子得于着下自之年过過发發后後作里用道行所然家事成方多经經么麼去法学學如都同现現没沒动動面起看定天分还還进進好小部其些主样樣理心本前但因只想实實二三四五六七八九十百千万名住所金額京県市区町村田山川郎日月電话話番號号社氏様姓城北編编商品价價格東东台文字]/g;
const KANA = /[ぁ-ヴ]/g;
/** Katakana of half the width alone, as banks have it: some with their voiced mark. */
const NARROW_KANA =
  /^(?=[^]*[\xb3\xb6-\xc4\xca-\xce]\xde)(?=[^]*[\xb1\xb3-\xb8\xba-\xbf][\xb0-\xdf])[\0-\x7f\xa6-\xdf]*$/;

/** The Western letters of the Mac and of DOS where Windows has signs, and Windows' own. */
const OLD_LETTERS = /[a-z][\x80-\x90\x98-\x9f\xa4]|[\x80-\x90\x98-\x9f\xa4][a-z]/gi;
const WINDOWS_LETTERS = /[\xd6-\xff]/g;
const DOS = /^cp(?:437|85[08])$/;

/** The text of these bytes, by the name of an encoding as `TextDecoder` or the library has it; null: they can't be in it. */
function readAs(name: string, bytes: Buffer): { name: string; text: string } | null {
  const lower = name.toLowerCase();
  try {
    const decoder = createDecoder(NAMES[lower] ?? lower.replace(/^iso(?=\d)/, 'iso-'));
    const text = decoder.decode(bytes, { stream: bytes.length === SAMPLE_BYTES });
    return UNUSED.test(text) ? null : { name: decoder.encoding, text };
  } catch {
    return null;
  }
}

/** Words of ASCII letters and others; Windows' quotation marks, dashes and hard blanks are no letters. */
const WORDS = /[a-z\x80-\x90\x98-\x9f\xa1-\xaa\xac-\xba\xbc-\xff]{2,}/gi;

/** Whether more of its words have ASCII letters beside others, as in Latin scripts, than have others alone. */
function isLatin(text: string): boolean {
  let share = 0;
  for (const [word] of text.matchAll(WORDS)) {
    if (!/[a-z]/i.test(word)) share -= 1;
    else if (/[\x80-\xff]/.test(word)) share += 1;
  }
  return share > 0 || (share === 0 && /[a-z]/i.test(text));
}

/** The encoding of East Asia in which most characters are common ones; null: there are too few in each. */
function eastAsianOf(sample: Buffer): string | null {
  const shareIn = (encoding: string): number => {
    const text = readAs(encoding, sample)?.text ?? '';
    const count = (pattern: RegExp): number => text.match(pattern)?.length ?? 0;
    const common = count(COMMON) + (/jp|jis|utf/.test(encoding) ? count(KANA) : 0);
    return common < 2 ? 0 : common / count(/\P{ASCII}/gu);
  };
  const shares = new Map(EAST_ASIAN.map((encoding) => [encoding, shareIn(encoding)]));
  const best = Math.max(...shares.values());
  return best < VERY_SURE ? null : (EAST_ASIAN.find((encoding) => shares.get(encoding) === best) ?? null);
}

/** Counts in a text that was decoded as UTF-8, piece by piece, to tell whether it is, in spite of broken places: in other encodings, most are. */
export function createUtf8Check() {
  let valid = 0;
  let broken = 0;
  return {
    add(piece: string): void {
      valid += piece.match(/[^\0-\x7f\ufffd]/gu)?.length ?? 0;
      // Half of a character, as it may stand at the beginning and the end.
      broken += piece === '\ufffd' ? 0.5 : piece.replace(/^\ufffd+/, '\ufffd').split('\ufffd').length - 1;
    },
    isUtf8: (): boolean => valid > 0 && valid >= 3 * broken,
  };
}

/** The most likely encoding of a text that begins so, as `TextDecoder` names it; null: it's no text, or can't be told. */
export async function guessEncoding(beginning: Uint8Array): Promise<string | null> {
  // Large, and rarely needed.
  const { detectAll } = await import('jschardet');
  const sample = Buffer.from(beginning.subarray(0, SAMPLE_BYTES));
  const signs = sample.toString('latin1');
  const declared = CSS_CHARSET.exec(signs)?.[1];
  if (declared !== undefined) return readAs(declared, sample)?.name ?? null;
  const countOf = (pattern: RegExp): number => signs.match(pattern)?.length ?? 0;
  if (signs.includes('\0')) {
    const [little = 0, big = 0] = ['utf-16le', 'utf-16be'].map(
      (name) => readAs(name, sample)?.text.match(/[\t\n\r ]/g)?.length,
    );
    if (little !== big) return little > big ? 'utf-16le' : 'utf-16be';
  }
  if (NARROW_KANA.test(signs) && eastAsianOf(sample) === null) return 'shift_jis';
  const latin = isLatin(signs);
  const all = detectAll(sample, { minimumThreshold: 0 });
  const likelyIn = (found: typeof all) =>
    found.flatMap(({ encoding, confidence }) => {
      const name = encoding === null ? null : (readAs(encoding, sample)?.name ?? null);
      if (name === null || RARE.test(name) || (latin && OTHER_SCRIPT.test(name))) return [];
      return [{ name, confidence }];
    });
  let likely = likelyIn(all);
  if (!latin && CAPITALS.test(signs)) {
    const small = likelyIn(detectAll(Buffer.from(sample.map(asSmall)), { minimumThreshold: 0 }));
    if ((small[0]?.confidence ?? 0) > (likely[0]?.confidence ?? 0)) likely = small;
  }
  const sureOf = (pattern: RegExp): number => likely.find(({ name }) => pattern.test(name))?.confidence ?? 0;
  if ((likely[0]?.confidence ?? 0) < VERY_SURE) {
    const eastAsian = eastAsianOf(sample);
    if (eastAsian !== null) return eastAsian;
    if (countOf(OLD_LETTERS) > countOf(WINDOWS_LETTERS)) {
      const [mac, windows] = [sureOf(/^macintosh$/), sureOf(LATIN)];
      const dos = all.find(({ encoding }) => DOS.test(encoding ?? ''))?.confidence ?? 0;
      if (mac > windows * NARROWLY && mac >= dos) return 'macintosh';
      if (dos > windows * FAIRLY) return null;
    }
  }
  const best = likely.find(
    ({ name, confidence }) =>
      name !== 'macintosh' && !(latin && confidence < SURE && EAST_ASIAN.includes(name)),
  );
  if (best === undefined) return null;
  const isUnsure = best.confidence < SURE && LATIN.test(best.name);
  const isWestern = isUnsure && sureOf(/^windows-1252$/) * CLEARLY >= best.confidence;
  const name = isWestern ? 'windows-1252' : best.name;
  return name !== 'windows-1252' || !TURKISH.test(signs) || NOT_TURKISH.test(signs) ? name : 'windows-1254';
}
