/**
 * Words as the search index takes them (the tokenizer unicode61): runs of letters and digits, in lower case and without
 * diacritics. Writing without spaces between words has no such runs; there, any run of characters is looked for.
 */
const MARKS = /\p{M}/gu;
const WORDS = /[\p{L}\p{N}\p{Co}\p{M}]+/gu;
const HAS_WORD = /[\p{L}\p{N}\p{Co}]/u;
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const ASCII = /^[\x00-\x7f]*$/;

/** Lower case and without diacritics; the length may change. */
export function fold(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  return text.normalize('NFD').replace(MARKS, '').toLowerCase();
}

/** The words of a text, folded. */
export const foldedWords = (text: string): string[] => fold(text).match(WORDS) ?? [];

/** What a person typed, as the pieces to look for: without white space, each holding a letter or digit. */
export const queryPieces = (query: string): string[] =>
  query
    .toWellFormed()
    .normalize('NFC')
    .split(/[\s\p{Cc}]+/u)
    .filter((piece) => HAS_WORD.test(piece));

/**
 * The pieces for the search index (FTS4): each a phrase of its words, so that "don't" is looked for as it stands. Nothing a
 * person types is an operator; the last word may be the start of one.
 */
export const matchExpression = (pieces: readonly string[]): string =>
  pieces
    .map((piece, index) => {
      const words = piece.match(WORDS)?.join(' ') ?? '';
      return index === pieces.length - 1 ? `"${words}*"` : `"${words}"`;
    })
    .join(' ');

/** Whether the text holds writing that has no spaces between words. */
export const isUnspaced = (text: string): boolean => UNSPACED.test(text);

/** Whether a title holds all the words of the pieces; the last may be the start of a word. */
export function titleMatcher(pieces: readonly string[]): (title: string) => boolean {
  if (pieces.some(isUnspaced)) {
    const wanted = pieces.map(fold);
    return (title) => {
      const folded = fold(title);
      return wanted.every((piece) => folded.includes(piece));
    };
  }
  const wanted = pieces.flatMap(foldedWords);
  const last = wanted.pop();
  if (last === undefined) return () => false;
  return (title) => {
    const words = foldedWords(title);
    return wanted.every((word) => words.includes(word)) && words.some((word) => word.startsWith(last));
  };
}
