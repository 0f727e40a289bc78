import { Type } from 'typebox';
import { defineTool, ToolError } from './tool.ts';
import { graphemeCount, graphemesOf, linesOf, paragraphsOf, sentencesOf, wordsOf } from './text-units.ts';

/** Reading speed the reading time is reckoned with: silent reading of plain prose. */
const WORDS_READ_PER_MINUTE = 238;

/** Words named as the longest, or as the most common. */
const MAX_WORDS = 20;

const LETTER = /\p{L}/u;
const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;
const NOT_WHITE_SPACE = /\S/u;

/** Counts everything there is to count in a text, and how often a word or a letter occurs in it. */
export const countTextTool = defineTool({
  name: 'count_text',
  description:
    'Counts the words, characters, letters, sentences, lines and paragraphs of a text and estimates its reading ' +
    'time. Give `find` to also count how often a word, letter or phrase occurs in it.',
  input: Type.Object({
    text: Type.String({ description: 'The text to count in.' }),
    find: Type.Optional(Type.String({ description: 'A word, letter or phrase to count, ignoring case.' })),
    wholeWords: Type.Optional(
      Type.Boolean({ description: 'Count `find` only where it stands as a word of its own. Default false.' }),
    ),
  }),
  run({ text, find, wholeWords = false }) {
    if (find === '') throw new ToolError('There is nothing to look for: the word to count is empty.');
    const characters = graphemesOf(text);
    const words = wordsOf(text);
    const occurrences = find === undefined ? {} : { occurrences: countOccurrences(text, find, wholeWords) };
    return {
      words: words.length,
      characters: characters.length,
      charactersWithoutSpaces: characters.filter((character) => NOT_WHITE_SPACE.test(character)).length,
      letters: characters.filter((character) => LETTER.test(character)).length,
      sentences: sentencesOf(text).length,
      lines: text === '' ? 0 : linesOf(text).length,
      paragraphs: paragraphsOf(text).length,
      readingSeconds: Math.ceil((words.length * 60) / WORDS_READ_PER_MINUTE),
      ...extremes(words),
      ...occurrences,
    };
  },
});

/** The words that stand out. */
function extremes(words: readonly string[]) {
  const times = Map.groupBy(words, (word) => word.toLowerCase());
  const each = [...times.keys()];
  const timesMostCommon = [...times.values()].reduce((most, { length }) => Math.max(most, length), 0);
  const ofLength = (wanted: number): string[] =>
    each.filter((word) => graphemeCount(word) === wanted).slice(0, MAX_WORDS);
  const longest = each.reduce((most, word) => Math.max(most, graphemeCount(word)), 0);
  const shortest = each.reduce((least, word) => Math.min(least, graphemeCount(word)), longest);
  return {
    longest: ofLength(longest),
    shortest: ofLength(shortest),
    mostCommon: each.filter((word) => times.get(word)?.length === timesMostCommon).slice(0, MAX_WORDS),
    timesMostCommon,
  };
}

/** How often `find` occurs in `text` without overlap, ignoring case. */
function countOccurrences(text: string, find: string, wholeWords: boolean): number {
  const haystack = text.toLowerCase();
  const needle = find.toLowerCase();
  let count = 0;
  let at = haystack.indexOf(needle);
  while (at !== -1) {
    const end = at + needle.length;
    if (!wholeWords || (!isWordCharacter(haystack, at - 1) && !isWordCharacter(haystack, end))) count += 1;
    at = haystack.indexOf(needle, end);
  }
  return count;
}

function isWordCharacter(text: string, index: number): boolean {
  return LETTER_OR_DIGIT.test(text.charAt(index));
}
