/** English words that carry no subject: left out when things are looked for by their words. */
const STOP_WORDS = new Set(
  (
    'a an the this that these those my your our his her its their me i you we he she it they mine ours us them ' +
    'is are was were be been am do does did have has had will would can could should shall may might must ' +
    'of in on at to for from with by about as into over and or but not so if than then too also just ' +
    'what which who whom whose when where why how there here any some all every something anything everything ' +
    'please tell know thing things noted note notes remember said say'
  ).split(' '),
);

/**
 * The words of a text that say what it is about: lower case, without accents, plural endings and words such as "the".
 * In the order they stand, each once.
 */
export function subjectWords(text: string): string[] {
  const words = foldText(text).match(/[\p{L}\p{N}]+/gu) ?? [];
  return [...new Set(words.filter((word) => !STOP_WORDS.has(word)).map(stem))];
}

/** Lower case without accents, the typographic apostrophes made plain and possessive endings dropped. */
function foldText(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/['’](?:s|re|m|ll|ve|d|t)\b/gi, '')
    .toLowerCase();
}

function stem(word: string): string {
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  if (word.length > 3 && word.endsWith('s') && !/(?:ss|us|is)$/.test(word)) return word.slice(0, -1);
  return word;
}

/** A query that finds the words of {@link subjectWords} where only whole words are matched: each in both numbers. */
export function bothNumbers(words: readonly string[]): string {
  return words
    .flatMap((word) => [word, /[^aeiou]y$/.test(word) ? `${word.slice(0, -1)}ies` : `${word}s`])
    .join(' ');
}
