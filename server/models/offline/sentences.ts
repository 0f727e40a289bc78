import { looksLikeAsk, opensAsk, opensOrder, pointsAtMaterial } from './asks.ts';
import { findQuotations, longestQuotation, maskText } from './marks.ts';

/** Whether some skill knows what a text asks, by itself, given the material beside it. */
export type Knows = (text: string, material: string | null) => boolean;

/** A request cut out of a message, before its quotations are looked at. */
export interface Cut {
  text: string;
  material: string | null;
}

const MAX_SENTENCES = 24;
const MAX_SEPARATORS = 8;
const MAX_DEPTH = 8;

/** Words before a full stop that do not end a sentence. */
const ABBREVIATION = /(?:^|[\s(])(?:e\.g|i\.e|etc|vs|mr|mrs|ms|dr|st|no|approx|a\.m|p\.m|[a-z])\.$/i;
/** An order that takes all that follows as what it is about. */
const TAKES_THE_REST =
  /^(?:please\s+|also\s+|and\s+)?(?:remember|memori[sz]e|note\b|note to self|don['’]t forget|keep in mind|make a note|take a note|write down|jot down)/i;

/** Sentences of a line, cut after `.`, `!`, `?`, and at `;`, outside quotations and brackets. */
export function splitSentences(line: string): string[] {
  const masked = maskText(line);
  const sentences: string[] = [];
  let start = 0;
  for (const match of masked.matchAll(/[.!?…]\s|;\s/g)) {
    if (sentences.length === MAX_SENTENCES - 1) break;
    const end = match.index + 1;
    const sentence = line.slice(start, end);
    if (match[0].startsWith('.') && ABBREVIATION.test(sentence.slice(-8))) continue;
    // "3. March" is one expression, "… was 3. What is …" is not.
    if (/(?:^|\s)\d{1,2}\.$/.test(sentence.slice(-4)) && !looksLikeAsk(line.slice(end, end + 80).trim()))
      continue;
    const trimmed = (match[0].startsWith(';') ? sentence.slice(0, -1) : sentence).trim();
    if (trimmed !== '') sentences.push(trimmed);
    start = end;
  }
  const last = line.slice(start).trim();
  if (last !== '') sentences.push(last);
  return sentences;
}

/**
 * Requests of one line. `material`, when there is some, goes to each of them. `mayAnnounce`: whether words before a
 * colon may be dropped that only announce requests.
 */
export function cutLine(line: string, material: string | null, knows: Knows, mayAnnounce = true): Cut[] {
  const colon = cutAtColon(line, material, knows);
  if (colon) return [colon];
  const announced = mayAnnounce ? cutAnnounced(line, material, knows) : null;
  if (announced) return announced;
  const sentences = splitSentences(line);
  const [first = line, ...others] = sentences;
  if (others.length === 0) return cutSentence(first, material, knows);
  const last = sentences.at(-1) ?? first;
  if (material === null) {
    const rest = others.join(' ');
    const restAsks = others.some((sentence) => looksLikeAsk(sentence) && knows(sentence, null));
    if (!restAsks && !TAKES_THE_REST.test(first) && pointsAtMaterial(first) && knows(first, rest))
      return cutSentence(first, rest, knows);
    const before = sentences.slice(0, -1);
    const beforeAsks = before.some((sentence) => knows(sentence, null));
    if (!beforeAsks && pointsAtMaterial(last) && looksLikeAsk(last) && knows(last, before.join(' '))) {
      return cutSentence(last, before.join(' '), knows);
    }
  }
  const cuts: Cut[] = [];
  for (const sentence of sentences) {
    const previous = cuts.at(-1);
    const isAsk = looksLikeAsk(sentence);
    if (previous && !isAsk && TAKES_THE_REST.test(previous.text)) previous.text += ` ${sentence}`;
    else cuts.push(...cutSentence(sentence, material, knows));
  }
  return cuts;
}

/** "sort: b, a", "count the words in this: …": one request, however many sentences follow. */
function cutAtColon(line: string, material: string | null, knows: Knows): Cut | null {
  const match = /^([^:\n]{1,120}):\s+(?=\S)/.exec(maskText(line.slice(0, 200)));
  if (!match || material !== null) return null;
  const head = line.slice(0, match[1]?.length ?? 0).trim();
  const tail = line.slice(match[0].length);
  if (head === '' || !knows(head, tail)) return null;
  return knows(line, null) ? { text: line, material: null } : { text: head, material: tail };
}

/** "Do two things for me: sort … and tell me …": the words before the colon ask nothing. */
function cutAnnounced(line: string, material: string | null, knows: Knows): Cut[] | null {
  const head = /^[^:\n"“]{1,80}:\s+(?=\S)/.exec(line)?.[0];
  if (head === undefined || material !== null || knows(line, null)) return null;
  const cuts = cutLine(line.slice(head.length), null, knows, false);
  return cuts.every((cut) => knows(cut.text, cut.material)) ? cuts : null;
}

/** Cuts a sentence at "and", "then" and commas where requests stand on both sides. */
export function cutSentence(sentence: string, material: string | null, knows: Knows): Cut[] {
  const quoted = material === null ? longestQuotation(sentence) : null;
  /** A part such as "and encode it" is about the quotation in another part. */
  const materialOf = (text: string): string | null => {
    if (quoted === null || text === sentence) return material;
    return findQuotations(text).length === 0 && pointsAtMaterial(text) ? quoted : null;
  };
  const parts = cutJoined(sentence, (text) => knows(text, materialOf(text)), MAX_DEPTH);
  return parts.map((text) => ({ text, material: materialOf(text) }));
}

/** "… in Tokyo and in New York": the same ask again, for a skill to read as a follow-up. */
const SAME_AGAIN = /^(?:in|to|into|for|from|at|on)\s\S.{0,60}$/i;

function cutJoined(text: string, knows: (text: string) => boolean, depth: number): string[] {
  if (depth === 0) return [text];
  const masked = maskText(text);
  let tried = 0;
  for (const match of masked.matchAll(
    /,?\s(?:and|then|plus|as well as)\s(?:(?:then|also)\s)?|,\s(?:also\s)?/gi,
  )) {
    tried += 1;
    if (tried > MAX_SEPARATORS) break;
    const left = text.slice(0, match.index).trim();
    const right = text.slice(match.index + match[0].length).trim();
    if (!/\s|\d/.test(left)) continue;
    const isAgain = SAME_AGAIN.test(right);
    const opens = TAKES_THE_REST.test(left) ? opensOrder : opensAsk;
    if (!isAgain && !opens(right)) continue;
    const leftKnown = knows(left);
    if (isAgain && leftKnown && !knows(text)) return [left, right];
    if (!leftKnown && !(looksLikeAsk(left) && !knows(text))) continue;
    const rest = cutJoined(right, knows, depth - 1);
    if (rest[0] !== undefined && knows(rest[0])) return [left, ...rest];
    if (leftKnown && looksLikeAsk(right) && !knows(text)) return [left, ...rest];
  }
  return [text];
}
