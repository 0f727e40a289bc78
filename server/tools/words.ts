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

const WORDS = /[\p{L}\p{N}\p{M}]+/gu;
const POSSESSIVE = /['’](?:s|re|m|ll|ve|d|t)\b/gi;

/** The words of a text that carry its subject, as they are written, each once. */
export function contentWords(text: string): string[] {
  const words = text.replace(POSSESSIVE, '').match(WORDS) ?? [];
  return [...new Set(words.filter((word) => !STOP_WORDS.has(word.toLowerCase())))];
}

/** {@link contentWords} in lower case, without accents and the endings of plurals and of the past: for comparing. */
export function subjectWords(text: string): string[] {
  return [...new Set(contentWords(text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()).map(stem))];
}

function stem(word: string): string {
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  if (word.length > 5 && word.endsWith('ed')) return word.slice(0, -2);
  if (word.length > 3 && word.endsWith('s') && !/(?:ss|us|is)$/.test(word)) return word.slice(0, -1);
  return word;
}
