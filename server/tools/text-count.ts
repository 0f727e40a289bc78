import { Type } from 'typebox';
import { defineTool, ToolError } from './tool.ts';
import { graphemesOf, linesOf, paragraphsOf, sentencesOf, wordsOf } from './text-units.ts';

/** Reading speed the reading time is reckoned with: silent reading of plain prose. */
const WORDS_READ_PER_MINUTE = 238;

const LETTER = /\p{L}/u;
const NOT_WHITE_SPACE = /\S/u;

/** Counts what a text consists of, and how often a word or a letter occurs in it. */
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
      ...occurrences,
    };
  },
});

/** How often `find` occurs in `text` without overlap, ignoring case. */
function countOccurrences(text: string, find: string, wholeWords: boolean): number {
  const needle = RegExp.escape(find.toLowerCase());
  const pattern = wholeWords ? `(?<![\\p{L}\\p{N}])${needle}(?![\\p{L}\\p{N}])` : needle;
  return text.toLowerCase().match(new RegExp(pattern, 'gu'))?.length ?? 0;
}
