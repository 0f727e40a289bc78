/** Where words, sentences and characters begin and end, in any language the platform knows, and how words are put in order. */

/** Puts words and lines in order; numbers in them count by value. */
export const collator = new Intl.Collator('en', { numeric: true });

const graphemeSegmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });
const wordSegmenter = new Intl.Segmenter('en', { granularity: 'word' });
const sentenceSegmenter = new Intl.Segmenter('en', { granularity: 'sentence' });

/** A full stop after one of these does not end a sentence. */
const ABBREVIATION_AT_END =
  /(?:^|[\s(])(?:mr|mrs|ms|dr|prof|st|vs|e\.g|i\.e|etc|approx|fig|no|jr|sr|inc|ltd|[a-z])\.$/i;

/** Length of the end of a sentence that is looked at for an abbreviation. */
const ABBREVIATION_WINDOW = 12;

/** The characters of `text` as a reader sees them: an emoji with its modifiers is one. */
export function graphemesOf(text: string): string[] {
  return Array.from(graphemeSegmenter.segment(text), ({ segment }) => segment);
}

/** How many characters a reader sees in `text`. */
export function graphemeCount(text: string): number {
  // Plain ASCII without control characters has one for each unit; that spares the segmenter on most text.
  return /^[\x20-\x7e]*$/.test(text) ? text.length : graphemesOf(text).length;
}

/** The words of `text` in order, without punctuation and white space. */
export function wordsOf(text: string): string[] {
  const words: string[] = [];
  let end = -1;
  for (const { segment, index, isWordLike } of wordSegmenter.segment(text)) {
    if (isWordLike !== true) continue;
    // Parts joined by a hyphen are one word.
    const isJoined = end === index - 1 && /[-\u2010\u2011]/.test(text[end] ?? '');
    words.push(isJoined ? `${words.pop() ?? ''}${text[end] ?? ''}${segment}` : segment);
    end = index + segment.length;
  }
  return words;
}

/** The lines of `text`; any of the usual line ends counts. An end at the very end of the text begins no further line. */
export function linesOf(text: string): string[] {
  const lines = text.split(/\r\n|\r|\n/);
  if (lines.length > 1 && lines.at(-1) === '') lines.pop();
  return lines;
}

/** The parts of `text` between blank lines; parts without anything visible are left out. */
export function paragraphsOf(text: string): string[] {
  return linesOf(text)
    .join('\n')
    .split(/\n(?:[^\S\n]*\n)+/)
    .filter((paragraph) => paragraph.trim() !== '');
}

/** The sentences of `text`, trimmed, white space inside them as it stands. A blank line always ends one. */
export function sentencesOf(text: string): string[] {
  return paragraphsOf(text).flatMap(sentencesOfParagraph);
}

function sentencesOfParagraph(paragraph: string): string[] {
  const sentences: string[] = [];
  let open = '';
  // Single line ends are only where a text was wrapped; the segmenter would end a sentence there.
  for (const { segment } of sentenceSegmenter.segment(paragraph.replaceAll('\n', ' '))) {
    open += segment;
    if (ABBREVIATION_AT_END.test(open.slice(-ABBREVIATION_WINDOW).trimEnd())) continue;
    if (open.trim() !== '') sentences.push(open.trim());
    open = '';
  }
  if (open.trim() !== '') sentences.push(open.trim());
  return sentences;
}
