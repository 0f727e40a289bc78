import { Type } from 'typebox';
import { defineTool, ToolError } from './tool.ts';
import { sentencesOf, wordsOf } from './text-units.ts';

/** Most sentences a summary may have. */
export const MAX_SUMMARY_SENTENCES = 50;

/** Sentences of a summary when nobody says: a quarter of the text's, but at most this many. */
const USUAL_SENTENCES = 5;

/** Words that say little about what a text is about. */
const COMMON_WORDS = new Set(
  (
    'a about above after again against all also am an and any are as at be because been before being below between both but ' +
    'by can could did do does doing down during each even few for from further get had has have having he her here hers ' +
    'him his how i if in into is it its just like many may me might more most much must my no nor not now of off on ' +
    'once one only or other our out over own said same she should so some such than that the their them then there ' +
    'these they this those through to too under until up upon us very was we were what when where which while who ' +
    'whom why will with would you your'
  ).split(' '),
);

/** How much more the first sentence counts, since it often says what follows. */
const FIRST_SENTENCE_WEIGHT = 1.3;

/** Sentences shorter than this many telling words are not preferred for being dense. */
const SHORT_SENTENCE_WORDS = 6;

interface Sentence {
  text: string;
  index: number;
  terms: string[];
}

/** Picks the sentences of a text that say most about it; nothing is reworded. */
export const summariseTextTool = defineTool({
  name: 'summarise_text',
  description:
    'Summarises a text by picking its most telling sentences, word for word and in their order. Best for articles, ' +
    'letters and reports of several paragraphs.',
  input: Type.Object({
    text: Type.String({ description: 'The text to summarise.' }),
    sentences: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_SUMMARY_SENTENCES,
        description: `How many sentences to keep. Default a quarter of them, ${USUAL_SENTENCES} at most.`,
      }),
    ),
  }),
  run({ text, sentences: wanted }) {
    const sentences = sentencesOf(text);
    if (sentences.length === 0) throw new ToolError('There is no text to summarise.');
    const count = wanted ?? Math.min(USUAL_SENTENCES, Math.max(1, Math.round(sentences.length / 4)));
    const items = pickSentences(sentences, count);
    return {
      items,
      sentencesInText: sentences.length,
      shortened: items.length < sentences.length,
    };
  },
});

/** The sentences that say most about the text that they make up, at most so many, in their order. */
export function pickSentences(texts: string[], count: number): string[] {
  if (texts.length <= count) return texts;
  const sentences = texts.map((text, index): Sentence => ({ text, index, terms: termsOf(text) }));
  const frequency = new Map<string, number>();
  for (const { terms } of sentences) {
    for (const term of terms) frequency.set(term, (frequency.get(term) ?? 0) + 1);
  }
  // Of sentences with the same words, the first one.
  const distinct = new Map(sentences.toReversed().map((sentence) => [sentence.text.toLowerCase(), sentence]));
  return [...distinct.values()]
    .map((sentence) => ({ ...sentence, score: scoreOf(sentence, frequency) }))
    .sort((a, b) => b.score - a.score || a.index - b.index)
    .slice(0, count)
    .sort((a, b) => a.index - b.index)
    .map(({ text }) => text);
}

/** The words of a sentence that may tell what it is about. */
function termsOf(text: string): string[] {
  return wordsOf(text.toLowerCase()).filter((word) => word.length > 1 && !COMMON_WORDS.has(word));
}

/** The mean weight of a sentence's different terms: terms that recur in the text weigh more. */
function scoreOf({ index, terms }: Sentence, frequency: Map<string, number>): number {
  const different = new Set(terms);
  if (different.size === 0) return 0;
  let weight = 0;
  for (const term of different) weight += Math.log(1 + (frequency.get(term) ?? 0));
  const mean = weight / Math.max(different.size, SHORT_SENTENCE_WORDS);
  return index === 0 ? mean * FIRST_SENTENCE_WEIGHT : mean;
}
