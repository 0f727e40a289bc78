/** The encodings of texts that are neither UTF-8 nor say what they are: files of older programs, and of Excel. */

/** How much of a text is looked at. */
export const SAMPLE_BYTES = 64 * 1024;

/** Names of the library's that `TextDecoder` doesn't know. */
const NAMES: Readonly<Record<string, string>> = {
  ...{ cp932: 'shift_jis', cp949: 'euc-kr', cp874: 'windows-874', cp1258: 'windows-1258' },
  ...{ 'utf-16-le': 'utf-16le', 'utf-16-be': 'utf-16be' },
};
/** They share so many letters that a short text may be in any of them; Western Europe's is by far the most common. */
const LATIN = /^(?:windows-125[02478]|iso-8859-(?:2|15))$/;
/** Encodings of other scripts with a byte for each letter: their words hold few letters of ASCII. */
const OTHER_SCRIPT = /^(?:windows-(?:125[1356]|874)|iso-8859-[5-8]|koi8-|ibm866)/;
/** Hardly any file is in them, and short texts seem to be. */
const RARE = /^iso-8859-(?:[34]|1[0346])$/;
const MOST_COMMON = 'windows-1252';
/** How sure, or how much more likely, another one must be. */
const SURE = 0.05;
const CLEARLY = 1.7;

/** The decoder's name of an encoding that these bytes may be in; null: they can't. */
function decoderName(name: string, bytes: Buffer): string | null {
  const lower = name.toLowerCase();
  try {
    const decoder = new TextDecoder(NAMES[lower] ?? lower.replace(/^iso(?=\d)/, 'iso-'), { fatal: true });
    decoder.decode(bytes, { stream: bytes.length === SAMPLE_BYTES });
    return decoder.encoding;
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

/** The most likely encoding of a text that begins so, as `TextDecoder` names it; null: it's no text, or can't be told. */
export async function guessEncoding(beginning: Uint8Array): Promise<string | null> {
  // Large, and rarely needed.
  const { detectAll } = await import('jschardet');
  const sample = Buffer.from(beginning.subarray(0, SAMPLE_BYTES));
  const latin = isLatin(sample.toString('latin1'));
  const likely = detectAll(sample, { minimumThreshold: 0 }).flatMap(({ encoding, confidence }) => {
    const name = encoding === null ? null : decoderName(encoding, sample);
    if (name === null || RARE.test(name) || (latin && OTHER_SCRIPT.test(name))) return [];
    return [{ name, confidence }];
  });
  const [best] = likely;
  if (best === undefined || best.confidence >= SURE || !LATIN.test(best.name)) return best?.name ?? null;
  const common = likely.find(({ name }) => name === MOST_COMMON)?.confidence ?? 0;
  return common * CLEARLY >= best.confidence ? MOST_COMMON : best.name;
}
