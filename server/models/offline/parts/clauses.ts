/** Requests within one line: its sentences, and where "and", "then" and commas part them. */
import type { Knows } from './requests.ts';
import { leansBack, looksLikeAsk, opensAsk, pointsAtMaterial } from '../reading/courtesy.ts';
import { longestQuotation, maskText } from '../reading/marks.ts';

/** A request cut out of a message, before its quotations are looked at. */
export interface Cut {
  text: string;
  material: string | null;
}

/** Words before material that say what it is. */
const HEADING = /^(?:i have|here(?:['’]s| is| are)|this is)\b[^:\n]{0,60}:\s+/i;
const MAX_SENTENCES = 24;
const MAX_SEPARATORS = 8;
const MAX_DEPTH = 8;

/** An order that takes all that follows as what it is about. */
const TAKES_THE_REST =
  /^(?:please\s+|also\s+|and\s+)?(?:remember|memori[sz]e|note\b|don['’]?t forget|keep in mind|make a note|take a note|write down|jot down)/i;
/** Words before a full stop that do not end a sentence. */
const ABBREVIATION = /(?:^|[\s(])(?:e\.g|i\.e|etc|vs|mr|mrs|ms|dr|st|no|approx|a\.m|p\.m|[a-z])\.$/i;
/** "5! plus 3" goes on. */
const FACTORIAL = /^[\d)]!\s(?:plus|minus|times|over|divided|and|[-+*/×÷^=−])/i;

/** Requests of one line. `material`, when there is some, goes to each of them. */
export function cutLine(line: string, material: string | null, knows: Knows): Cut[] {
  if (material === null) {
    const apart = cutAtColon(line, knows) ?? cutText(line, knows);
    if (apart !== null) return apart;
    if (!TAKES_THE_REST.test(line) && knows(line, null) === 'whole') return [{ text: line, material: null }];
  }
  const cuts: Cut[] = [];
  for (const sentence of splitSentences(line)) {
    const previous = cuts.at(-1);
    if (previous && TAKES_THE_REST.test(previous.text) && !looksLikeAsk(sentence))
      previous.text += ` ${sentence}`;
    else cuts.push(...cutSentence(sentence, material, knows));
  }
  return cuts;
}

/** Sentences of a line, cut after `.`, `!`, `?`, and at `;`, outside quotations and brackets. */
function splitSentences(line: string): string[] {
  const sentences: string[] = [];
  let start = 0;
  for (const match of maskText(line).matchAll(/[.!?…]\s|;\s/g)) {
    if (sentences.length === MAX_SENTENCES - 1) break;
    const end = match.index + 1;
    const sentence = line.slice(start, end);
    if (match[0].startsWith('!') && FACTORIAL.test(line.slice(end - 2))) continue;
    if (match[0].startsWith('.') && ABBREVIATION.test(sentence.slice(-8))) continue;
    // "3. March" is one expression, "… was 3. What is …" is not.
    if (/(?:^|\s)\d{1,2}\.$/.test(sentence.slice(-4)) && !looksLikeAsk(line.slice(end, end + 80).trim()))
      continue;
    sentences.push((match[0].startsWith(';') ? sentence.slice(0, -1) : sentence).trim());
    start = end;
  }
  return [...sentences, line.slice(start).trim()].filter((sentence) => sentence !== '');
}

/** "sort: b, a", "count the words in this: …": one piece of material, however many sentences follow. */
function cutAtColon(line: string, knows: Knows): Cut[] | null {
  const match = /^([^:\n]{1,120}):\s+(?=\S)/.exec(maskText(line.slice(0, 200)));
  if (match === null) return null;
  const head = line.slice(0, match[1]?.length ?? 0).trim();
  const tail = line.slice(match[0].length);
  if (head === '') return null;
  if (knows(head, tail) !== null) {
    const cuts = cutSentence(head, tail, knows);
    return cuts.length > 1 ? cuts : [{ text: line, material: null }];
  }
  const cuts = cutSentence(head, tail, knows);
  return cuts.length > 1 ? cuts : null;
}

/** "Summarise this. It rained. …", and "It rained. … Summarise that." */
function cutText(line: string, knows: Knows): Cut[] | null {
  const sentences = splitSentences(line);
  const [first = '', ...others] = sentences;
  const last = sentences.at(-1) ?? first;
  const isAsk = (sentence: string): boolean => looksLikeAsk(sentence) && knows(sentence, null) === 'whole';
  if (others.length === 0 || TAKES_THE_REST.test(first)) return null;
  const rest = others.join(' ');
  if (pointsAtMaterial(first) && !others.some(isAsk) && knows(first, rest) !== null)
    return cutSentence(first, rest, knows);
  const before = sentences.slice(0, -1);
  const told = before.join(' ').replace(HEADING, '');
  if (pointsAtMaterial(last) && looksLikeAsk(last) && !before.some(isAsk) && knows(last, told) !== null)
    return cutSentence(last, told, knows);
  return null;
}

/** Cuts a sentence at "and", "then" and commas where requests stand on both sides. */
function cutSentence(sentence: string, material: string | null, knows: Knows): Cut[] {
  const quoted = material === null ? longestQuotation(sentence) : null;
  /** A part such as "and encode it" is about the quotation in another part. */
  const materialOf = (text: string): string | null =>
    quoted !== null && text !== sentence && longestQuotation(text) === null && pointsAtMaterial(text)
      ? quoted
      : material;
  const isWhole = (text: string): boolean => knows(text, materialOf(text)) === 'whole';
  return cutJoined(sentence, isWhole, MAX_DEPTH).map((text) => ({ text, material: materialOf(text) }));
}

const JOIN = /,?\s(?:and|then|as well as)\s(?:(?:then|also)\s)?|,\s(?:(?:and|also|then)\s)*/gi;
/** The words up to what an ask is about: "what time is it in", "days until". */
const UP_TO_TARGET = /^(.*\b(?:in|to|into|as|of|for|from|until|till|since|on|at|before))\s+\S/is;
/** What stands after both of two asks: "sha256 and md5 of x". */
const SHARED_END = /\s(?:of|from|in|to|into)\s.+$/is;
const PREPOSITION = /^(?:in|to|into|for|from|until|on|at|of)\s/i;
/** Opens both of two orders: "extract emails and links". */
const VERB = /^(?:extract|pull|find|get|generate|give me|convert)\b/i;
const MAX_TARGET_WORDS = 5;
const OF_THAT = /^(?:\d[\d.,]*(?:%| percent)|half|a (?:third|quarter)) of (?:that|it)\W*$/i;

/** The requests of a sentence, each of which is known; the sentence itself where it isn't several. */
function cutJoined(text: string, isWhole: (text: string) => boolean, depth: number): string[] {
  if (depth === 0 || TAKES_THE_REST.test(text) || isWhole(text)) return [text];
  let half: string[] | null = null;
  for (const { index, 0: separator } of [...maskText(text).matchAll(JOIN)].slice(0, MAX_SEPARATORS)) {
    const left = text.slice(0, index).trim();
    const right = text.slice(index + separator.length).trim();
    // "3, 9, 27 in roman numerals" goes on with a list.
    if (separator.startsWith(',') && /\d$/.test(left) && /^(?:and )?-?[\d.]+(?:[,\s]|$)/.test(right))
      continue;
    // "3,5 and 4,5" may be two numbers or four.
    if (/\d,\d{1,2}$/.test(left) && /^[\d.,]+\W*$/.test(right)) continue;
    // "15% of 200 and 10% of that": the second works on what the first comes to.
    if (OF_THAT.test(right) && isWhole(left)) return [left, right];
    const end = SHARED_END.exec(right)?.[0] ?? '';
    const first = [left, ...(end === '' ? [] : [left + end])].find((each) => each !== '' && isWhole(each));
    if (first === undefined || right === '') continue;
    const lead = UP_TO_TARGET.exec(first)?.[1];
    const isTarget = lead !== undefined && right.split(/\s+/).length <= MAX_TARGET_WORDS;
    const again = isTarget ? [`${lead} ${right.replace(PREPOSITION, '')}`] : [];
    const verb = VERB.exec(left)?.[0];
    // "The total of price and quantity" asks for two totals.
    const isName = right.split(/\s+/).length <= 2 && !opensAsk(right);
    const others = isName ? [...again, right] : [right, ...again];
    for (const other of [...others, ...(verb === undefined ? [] : [`${verb} ${right}`])]) {
      const rest = cutJoined(other, isWhole, depth - 1);
      if (rest.every(isWhole)) return [first, ...rest];
      // What isn't understood after an "and" is told beside the answer, where it asks something of its own.
      const isList = /\d$/.test(left) && /^\d/.test(right);
      const asksMore = other === right && opensAsk(other) && !leansBack(other) && !isList;
      if (asksMore && !/then/i.test(separator)) half ??= [first, ...rest];
    }
  }
  return half ?? [text];
}
