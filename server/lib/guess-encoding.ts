/** The encodings of texts that are neither UTF-8 nor say what they are: files of older programs, and of Excel. */

/** How much of a text is looked at. */
export const SAMPLE_BYTES = 64 * 1024;

/** Names of the library's that `TextDecoder` doesn't know. */
const NAMES: Readonly<Record<string, string>> = {
  ...{ cp932: 'shift_jis', cp949: 'euc-kr', cp874: 'windows-874', cp1258: 'windows-1258' },
  ...{ 'utf-16-le': 'utf-16le', 'utf-16-be': 'utf-16be' },
};
/** They share so many letters that a short text may be in any of them; Western Europe's is by far the most common. */
const LATIN = /^(?:windows-125[02478]|iso-8859-(?:[1-4]|9|1[0-6]))$/;
/** Encodings of other scripts with a byte for each letter: their words hold few letters of ASCII. */
const OTHER_SCRIPT = /^(?:windows-(?:125[1356]|874)|iso-8859-[5-8]|koi8-|ibm866)/;
/** How many ASCII letters there are for each other byte, at least, in a text in Latin letters. */
const LATIN_SHARE = 2;
const MOST_COMMON = 'windows-1252';
/** How sure, or how much more likely, another one must be. */
const SURE = 0.05;
const CLEARLY = 1.7;

function decoderName(name: string): string | null {
  const lower = name.toLowerCase();
  // Nobody has texts of old Macintoshes.
  if (lower.includes('mac')) return null;
  try {
    return new TextDecoder(NAMES[lower] ?? lower.replace(/^iso(?=\d)/, 'iso-')).encoding;
  } catch {
    return null;
  }
}

const lettersIn = (bytes: Buffer): number => bytes.toString('latin1').match(/[a-z]/gi)?.length ?? 0;

/** The most likely encoding of a text that begins so, as `TextDecoder` names it; null: it's no text, or can't be told. */
export async function guessEncoding(beginning: Uint8Array): Promise<string | null> {
  // Large, and rarely needed.
  const { detectAll } = await import('jschardet');
  const sample = Buffer.from(beginning.subarray(0, SAMPLE_BYTES));
  const isLatin = lettersIn(sample) > LATIN_SHARE * sample.reduce((sum, byte) => sum + (byte >> 7), 0);
  const likely = detectAll(sample, { minimumThreshold: 0 }).flatMap(({ encoding, confidence }) => {
    const name = encoding === null ? null : decoderName(encoding);
    return name === null || (isLatin && OTHER_SCRIPT.test(name)) ? [] : [{ name, confidence }];
  });
  const [best] = likely;
  if (best === undefined || best.confidence >= SURE || !LATIN.test(best.name)) return best?.name ?? null;
  const common = likely.find(({ name }) => name === MOST_COMMON)?.confidence ?? 0;
  return common * CLEARLY >= best.confidence ? MOST_COMMON : best.name;
}
