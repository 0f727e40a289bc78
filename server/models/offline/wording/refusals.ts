import { shorten } from '../../../lib/plain-text.ts';
import { formatSuggestion } from '../../../../shared/suggestion.ts';
import { looksLikeAsk } from '../reading/courtesy.ts';
import { refusalIn } from './languages.ts';
import { listed, quoteLine } from './formatting.ts';

/** How a person gets more than the offline assistant; true whether or not a model is connected, which it doesn't know. */
export const CONNECT_A_MODEL =
  'For open questions and writing, choose a connected model, or connect a language model in the settings, under Models.';

const ABILITIES =
  'I do sums, units, dates, text, lists, tables, JSON, encoding and notes: “what can you do?” shows examples.';

const WORK_ON_TEXT =
  'summarise it, count its words, sort its lines, pull out links, dates or numbers, or turn CSV and JSON into a table';
const MIN_MATERIAL_CHARACTERS = 300;
const MIN_MATERIAL_LINES = 3;

const I_AM = 'I’m the offline assistant';
const CANNOT_ANSWER = 'I can’t answer that';
const DO_NOT_KNOW = 'I don’t know what to do with that';

/** The refusal of a message that was not understood. `suggested`: one that may have been meant. */
export function formatNotUnderstood(text: string, suggested: string | null): string {
  if (looksForeign(text)) {
    const own = refusalIn(text);
    const english = `${CANNOT_ANSWER}: ${I_AM}, and I only understand English.`;
    return own === null ? `${english} ${ABILITIES} ${CONNECT_A_MODEL}` : `${own}\n\n${english}`;
  }
  const isAsk = looksLikeAsk(text);
  if (!isAsk && isMaterial(text))
    return `What shall I do with this? ${I_AM}, so I can’t discuss it, but I can ${WORK_ON_TEXT}.`;
  if (suggested !== null)
    return `${formatSuggestion(suggested)} ${I_AM}, and ${quoteLine(text, 60)} says more than I can read.`;
  return `${isAsk ? CANNOT_ANSWER : DO_NOT_KNOW}: ${I_AM}, and ${quoteLine(text, 60)} is nothing I have rules for. ${ABILITIES} ${CONNECT_A_MODEL}`;
}

const DID_NOTHING = 'so I did nothing rather than something else';
/** The refusal of a request that was understood except for this part. */
export const formatUnused = (phrase: string): string =>
  `I can’t do the part ${quoteLine(phrase, 80)}, ${DID_NOTHING}. Put it another way, or leave it out.`;

/** The same beside an answer to another request. */
export const besideAnswer = (refusal: string): string =>
  refusal.replace(DID_NOTHING, 'so I did only the rest');

/** Added to answers: the parts that were not understood. */
export const formatPartsNotUnderstood = (texts: readonly string[]): string =>
  `I couldn’t make out ${listed(texts.map((text) => quoteLine(text, 80)))}.`;

/** The refusal of a request whose tool is not offered. */
export function formatNeedsTool(needs: readonly string[], hasTools: boolean): string {
  const needed = listed([...new Set(needs)]);
  return hasTools
    ? `I’d need ${needed} for that, which this agent may not use.`
    : `I’d need ${needed} for that; send it in agent mode and I’ll do it.`;
}

/** Of calls that could not be made (turns/thread/run-turn.ts): the assistant made them, so the faults are ours. */
const FAULT = /^(?:\w+Error: |The input for “|There is no tool called “)|\n[ \t]+at /;

/** The answer when a tool failed. `error` is the tool's own sentence for the person, or why there was no call. */
export function formatFailure(error: string, ask: string | null): string {
  const sentence = error.trim();
  const isFault = sentence === '' || FAULT.test(sentence);
  const words = isFault ? 'Something went wrong inside me while I worked on that.' : shorten(sentence, 400);
  return ask === null ? words : `${quoteLine(ask, 60)}: ${words}`;
}

/** Whether a message is a pasted text rather than a remark. */
const isMaterial = (text: string): boolean =>
  text.length >= MIN_MATERIAL_CHARACTERS ||
  text.trim().split('\n', MIN_MATERIAL_LINES).length === MIN_MATERIAL_LINES;

const ENGLISH_WORDS =
  /(?:^|\s)(?:the|is|are|what|how|and|of|to|my|you|i|a|it|this|that|in|for|with|do|can|please)(?=[\s?,.!'’]|$)/gi;

/** Whether a text is likely not English: mostly letters of another script, or the small words of a language that is known. */
function looksForeign(text: string): boolean {
  const start = text.slice(0, 400);
  const letters = start.match(/\p{L}/gu)?.length ?? 0;
  const latin = start.match(/\p{Script=Latin}/gu)?.length ?? 0;
  return latin < letters / 2 || refusalIn(start, start.match(ENGLISH_WORDS)?.length ?? 0) !== null;
}
