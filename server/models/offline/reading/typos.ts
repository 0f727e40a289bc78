/** Slips of the keyboard in the words that ask: "waht is 12*7", "days untill Christmas". */
import { wordSet } from './rules.ts';

/** Words that requests use, long enough to recognise when misspelt. */
const WORDS = wordSet(`
  what how many much when the time date today tomorrow yesterday days weeks months years until since between
  christmas easter convert calculate percent percentage square root average times plus minus divided sort count
  words characters letters lines summarise summarize uppercase lowercase encode decode remember forget notes extract
  remove duplicates reverse replace generate password random number search messages kilometres kilometers metres
  meters miles celsius fahrenheit hello thanks thank please help does can you
`);
/** Words close to those above that are not typos. */
const OTHERS = wordSet(`
  that hat want chat whatever who now hot hoe man any may most tame dime dame mine mike mile data dates day dad week
  weak month mouth year yeas sine lime line likes yard mouse moth note noted notices sorts sport short counts county
  court worlds swords word letter latter decoded encoded numbers passwords hell hallo yell cello then them they
  these she he than plan pleas met meter metre miler smiles roots room hoot boot shoot squares plug doe dose dows
`);
/** Common misspellings with more than one wrong letter. */
const MISSPELT = new Map(Object.entries({
  wats: "what's", whats: "what's", rember: 'remember', tommorow: 'tomorrow', adresses: 'addresses',
})); // oxfmt-ignore
const MAX_CHARACTERS = 120;
const MAX_WORDS = 20;

/** A short text with its misspelt request words corrected; null when there are none. Quoted texts stay as they are. */
export function fixTypos(text: string): string | null {
  if (text.length > MAX_CHARACTERS || /["“”«»`\n]/.test(text)) return null;
  let words = 0;
  const fixed = text.replace(/(?<![\p{L}\p{N}@./_-])[a-z]{3,12}(?![\p{L}\p{N}@/_-])/giu, (word) => {
    words += 1;
    return words > MAX_WORDS ? word : (meant(word.toLowerCase()) ?? word);
  });
  return fixed === text ? null : fixed;
}

/** The one request word that a word is a typo of; null if it is such a word itself, or if none or several are close. */
function meant(word: string): string | null {
  const misspelt = MISSPELT.get(word);
  if (misspelt !== undefined || WORDS.has(word) || OTHERS.has(word)) return misspelt ?? null;
  const near = [...WORDS].filter((other) => isSlip(word, other));
  return near.length === 1 ? (near[0] ?? null) : null;
}

/** Whether two letters changed places, or, in longer words, one letter is missing, too many or wrong. */
function isSlip(word: string, other: string): boolean {
  if (Math.abs(word.length - other.length) > 1) return false;
  let start = 0;
  while (start < word.length && word[start] === other[start]) start += 1;
  const rest = word.slice(start);
  const wanted = other.slice(start);
  const isSwap =
    rest.length === wanted.length &&
    rest[0] === wanted[1] &&
    rest[1] === wanted[0] &&
    rest.slice(2) === wanted.slice(2);
  if (isSwap || other.length < 5) return isSwap;
  return rest.slice(1) === wanted.slice(1) || rest.slice(1) === wanted || rest === wanted.slice(1);
}
