import { isElliptical, leansBack, looksLikeAsk, opensAsk, pointsAtMaterial } from '../reading/courtesy.ts';
import { longestQuotation, maskText, takeFences } from '../reading/marks.ts';

/**
 * Splits a message into requests and the material they are about, by its form only. The skills decide what asks anything, through
 * `knows`, which is called a bounded number of times. Linear in the message's length.
 */

/** How much of a text the skills understand, given its material: all of it, all but a part, or nothing. */
export type Knows = (text: string, material: string | null) => 'whole' | 'part' | null;

/** One request of a message. */
export interface RequestPart {
  /** The words that ask; never empty, at most {@link MAX_REQUEST_CHARACTERS}. */
  text: string;
  /** What the request is about, if the message sets it apart from the words that ask. */
  material: string | null;
  /** The number or letter it had in a list of requests, e.g. `2`; null outside numbered lists. */
  number: string | null;
}

/** A longer message counts as one request at its start or end, with the rest as its material. */
export const MAX_REQUEST_CHARACTERS = 4_000;

/** Requests answered of one message. */
export const MAX_REQUESTS = 20;

const MAX_ASK_LINE_CHARACTERS = 400;
const MAX_LINES = 40;
const MAX_SENTENCES = 24;
const MAX_SEPARATORS = 8;
const MAX_DEPTH = 8;

/** A request cut out of a message, before its quotations are read. */
type Cut = Omit<RequestPart, 'number'> & { number?: string | null };

/** Requests of a message, in order; none when it holds no words at all. */
export function splitMessage(message: string, knows: Knows): RequestPart[] {
  const { outside, code } = takeFences(message);
  const fenced = outside === '' ? null : code;
  const text = (outside === '' ? (code ?? '') : outside).trim();
  const cuts =
    text.length > MAX_REQUEST_CHARACTERS ? [cutLong(text, fenced, knows)] : cutBlock(text, fenced, knows);
  return cuts
    .filter((cut) => cut.text.trim() !== '')
    .slice(0, MAX_REQUESTS)
    .map((cut) => ({
      text: cut.text.trim().slice(0, MAX_REQUEST_CHARACTERS),
      material: cut.material ?? longestQuotation(cut.text),
      number: cut.number ?? null,
    }));
}

const bareAsk = (line: string): string => line.trim().replace(/(?<!"):$/, '');

/** The request at either end of a long text; if there is none, its first words, with all of it as material. */
function cutLong(text: string, fenced: string | null, knows: Knows): Cut {
  const head = text.slice(0, MAX_ASK_LINE_CHARACTERS);
  const tail = text.slice(-MAX_ASK_LINE_CHARACTERS);
  const heads = [head.indexOf('\n'), head.indexOf(': ') + 1, head.search(/(?<=[.!?])\s/)].filter(
    (end) => end > 0,
  );
  const tails = [tail.lastIndexOf('\n'), tail.search(/(?<=[.!?])\s+\S[^.!?]*[.!?]*$/)].filter(
    (start) => start >= 0,
  );
  const cuts = [
    ...heads.map((end) => [text.slice(0, end), text.slice(end)] as const),
    ...tails.map((start) => [tail.slice(start), text.slice(0, start - tail.length)] as const),
  ].map(([ask, rest]) => ({ text: bareAsk(ask), material: fenced ?? rest.trim() }));
  const found = cuts.find((cut) => cut.text !== '' && knows(cut.text, cut.material) !== null);
  return found ?? { text: head.trim(), material: fenced ?? text };
}

const LIST_ITEM = /^\s{0,8}(?:(\d{1,2}|[a-h])[.)]|[-*•–])\s+(?=\S)/i;
const bareItem = (line: string): string => line.replace(LIST_ITEM, '').trim();

function cutBlock(text: string, fenced: string | null, knows: Knows): Cut[] {
  const lines = text.split('\n', MAX_LINES + 1).filter((line) => line.trim() !== '');
  const [first = text, ...others] = lines;
  if (others.length === 0) return cutLine(first.trim(), fenced, knows);
  if (fenced !== null) return lines.slice(0, MAX_LINES).flatMap((line) => cutItem(line, fenced, knows));

  const isWhole = (line: string): boolean => knows(bareItem(line), null) === 'whole';
  const isAsk = (line: string): boolean => looksLikeAsk(bareItem(line)) && isWhole(line);
  // A last paragraph of one line may ask something by itself, apart from the block before it.
  const gap = text.lastIndexOf('\n\n');
  const paragraph = gap < 0 ? '' : text.slice(gap).trim();
  const tail = paragraph.includes('\n') || !isAsk(paragraph) ? '' : paragraph;
  const body = tail === '' ? text : text.slice(0, gap);
  const after = tail === '' ? [] : cutLine(tail, null, knows);
  if (!LIST_ITEM.test(first)) {
    const rest = body
      .slice(body.indexOf(first) + first.length)
      .replace(/^\s*\n/, '')
      .trimEnd();
    const asks = rest === '' ? [] : cutLine(bareAsk(first), rest, knows);
    const known = asks.map((one) => knows(one.text, one.material));
    // A greeting isn't about what stands below it.
    const isAlone = !looksLikeAsk(first) && isWhole(first) && !known.includes('part');
    const isAboutRest = !isAlone && asks.length > 0 && !known.includes(null);
    const allAsk = others.every((line) => line.trim() === tail || isAsk(line));
    if (isAboutRest && (first.trim().endsWith(':') || !allAsk)) return [...asks, ...after];
    // "Make a table from: name, age", and its rows in the lines below.
    const [lead = '', order = ''] = COLON.exec(maskText(body.slice(0, MAX_ASK_LINE_CHARACTERS))) ?? [];
    const below = body.slice(lead.length);
    if (order !== '' && knows(order, below) !== null) return [...cutLine(order, below, knows), ...after];
    if (lines.length > MAX_LINES) return [{ text: first.trim(), material: rest }];
  }
  const last = lines.at(-1)?.trim() ?? first;
  const before = text.slice(0, text.lastIndexOf(last)).trim();
  // A paragraph of its own needs no verb: "top 2 by price".
  const known = lines.slice(0, -1).some(isAsk) ? null : knows(last, before);
  const isAskLast = looksLikeAsk(last) || isElliptical(last);
  if (known !== null && (isAskLast || (known === 'whole' && text.endsWith(`\n\n${last}`))))
    return cutLine(bareAsk(last), before, knows);
  const isList = lines.filter((line) => LIST_ITEM.test(line)).length >= 2;
  // A sum among lines that ask nothing is a part of what was pasted.
  const isPaste = !isList && lines.some((line) => !isWhole(line) && !looksLikeAsk(bareItem(line)));
  const items = lines.filter((line) =>
    isList ? LIST_ITEM.test(line) || isAsk(line) : !isPaste || (looksLikeAsk(line) && /\p{L}/u.test(line)),
  );
  if (!items.some(isWhole)) return [{ text, material: null }];
  return items.flatMap((line) => cutItem(line, null, knows));
}

function cutItem(line: string, material: string | null, knows: Knows): Cut[] {
  const number = LIST_ITEM.exec(line)?.[1] ?? null;
  const [first, ...others] = cutLine(bareItem(line), material, knows);
  return first === undefined ? [] : [{ ...first, number }, ...others];
}

/** Orders about all the text that follows them. */
const TAKES_THE_REST =
  /^(?:please\s+|also\s+|and\s+)?(?:remember|memori[sz]e|note\b|don['’]?t forget|keep in mind|make a note|take a note|write down|jot down)/i;
const COLON = /^([^:\n]{1,120}):\s+(?=\S)/;

/** Requests of one line. `material`, when there is some, goes to each of them. */
function cutLine(line: string, material: string | null, knows: Knows): Cut[] {
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

/** Words before a full stop that do not end a sentence. */
const ABBREVIATION = /(?:^|[\s(])(?:e\.g|i\.e|etc|vs|mr|mrs|ms|dr|st|no|approx|a\.m|p\.m|[a-z])\.$/i;
/** "5! plus 3" goes on. */
const FACTORIAL = /^[\d)]!\s(?:plus|minus|times|over|divided|and|in|[-+*/×÷^=−])/i;

/** Sentences of a line, cut after `.`, `!`, `?`, and at `;`, outside quotations and brackets. */
function splitSentences(line: string): string[] {
  const sentences: string[] = [];
  let start = 0;
  for (const { index, 0: mark } of maskText(line).matchAll(/[.!?…]\s|;\s/g)) {
    if (sentences.length === MAX_SENTENCES - 1) break;
    const sentence = line.slice(start, index + 1);
    if (mark.startsWith('!') && FACTORIAL.test(line.slice(index - 1))) continue;
    if (mark.startsWith('.') && ABBREVIATION.test(sentence.slice(-8))) continue;
    // "3. March" is one expression, "… was 3. What is …" is not.
    const isDay = /(?:^|\s)\d{1,2}\.$/.test(sentence.slice(-4));
    if (isDay && !looksLikeAsk(line.slice(index + 1, index + 81).trim())) continue;
    sentences.push(sentence.replace(/;$/, '').trim());
    start = index + 1;
  }
  return [...sentences, line.slice(start).trim()].filter((sentence) => sentence !== '');
}

/** "sort: b, a", "count the words in this: …": one piece of material, however many sentences follow. */
function cutAtColon(line: string, knows: Knows): Cut[] | null {
  const [lead = '', head = ''] = COLON.exec(maskText(line.slice(0, 200))) ?? [];
  const ask = line.slice(0, head.length).trim();
  if (ask === '') return null;
  const cuts = cutSentence(ask, line.slice(lead.length), knows);
  if (cuts.length > 1) return cuts;
  return knows(ask, line.slice(lead.length)) === null ? null : [{ text: line, material: null }];
}

/** Words before material that say what it is. */
const HEADING = /^(?:i have|here(?:['’]s| is| are)|this is)\b[^:\n]{0,60}:\s+/i;

/** "Summarise this. It rained. …", and "It rained. … Summarise that." */
function cutText(line: string, knows: Knows): Cut[] | null {
  const sentences = splitSentences(line);
  if (sentences.length < 2 || TAKES_THE_REST.test(line)) return null;
  const [first = '', last = ''] = [sentences[0], sentences.at(-1)];
  const asksAbout = (ask: string, others: string[], material: string): Cut[] | null => {
    const isAlone = !others.some((other) => looksLikeAsk(other) && knows(other, null) === 'whole');
    return pointsAtMaterial(ask) && isAlone && knows(ask, material) !== null
      ? cutSentence(ask, material, knows)
      : null;
  };
  const [rest, before] = [sentences.slice(1), sentences.slice(0, -1)];
  return (
    asksAbout(first, rest, rest.join(' ')) ??
    (looksLikeAsk(last) ? asksAbout(last, before, before.join(' ').replace(HEADING, '')) : null)
  );
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
/** The words before the object of a request: "what time is it in", "days until". */
const UP_TO_TARGET = /^(.*\b(?:in|to|into|as|of|for|from|until|till|since|on|at|before))\s+\S/is;
/** The object that two requests share: "sha256 and md5 of x". */
const SHARED_END = /\s(?:of|from|in|to|into)\s.+$/is;
const PREPOSITION = /^(?:in|to|into|for|from|until|on|at|of)\s/i;
/** The verb that two orders share: "extract emails and links". */
const VERB = /^(?:extract|pull|find|get|generate|give me|convert)\b/i;
const MAX_TARGET_WORDS = 5;
const BARE = /^(?:what|which) (?:day|date|weekday|time|week|month|year)$/i;
const OF_THAT = /^(?:\d[\d.,]*(?:%| percent)|half|a (?:third|quarter)) of (?:that|it)\W*$/i;
/** "Per item and month" are groups of both. */
const isGroup = (before: string, after: string): boolean =>
  /\b(?:per|by|(?:for|in) (?:each|every)) [^\s,]+$/i.test(before) &&
  /^\w+\W*$/.test(after) &&
  !opensAsk(after);
/** "3, 9, 27 in roman numerals" and "20m, 0:50" go on with a list, and "3,5 and 4,5" may be two numbers or four. */
const isNumbers = (before: string, after: string): boolean =>
  (/\d[a-z]{0,3}$/i.test(before) && /^,\s(?:and )?-?[\d.:]+(?:[a-z]{0,3})(?:[,\s]|$)/i.test(after)) ||
  (/\d,\d{1,3}$/.test(before) && /^[\d.,]+[^\w.,]*$/.test(after.split(/\s/).at(-1) ?? ''));

/** The requests of a sentence, if all of them are understood; else the sentence itself. */
function cutJoined(text: string, isWhole: (text: string) => boolean, depth: number): string[] {
  if (depth === 0 || TAKES_THE_REST.test(text) || isWhole(text)) return [text];
  let half: string[] | null = null;
  for (const { index, 0: separator } of [...maskText(text).matchAll(JOIN)].slice(0, MAX_SEPARATORS)) {
    const left = text.slice(0, index).trim();
    const right = text.slice(index + separator.length).trim();
    if (right === '' || isNumbers(left, separator + right) || isGroup(left, right)) continue;
    // "15% of 200 and 10% of that": the second works on what the first comes to.
    if (OF_THAT.test(right) && isWhole(left)) return [left, right];
    const end = SHARED_END.exec(right)?.[0] ?? '';
    // "What day and time is it in Paris?": both halves ask about what the second says.
    const about = BARE.test(left) ? right.replace(/^(?:what |which )?\S+/, '') : '';
    const halves = /\w/.test(about) ? [left + about] : [left, left + end];
    const first = halves.find((each) => each !== '' && isWhole(each));
    if (first === undefined) continue;
    const words = right.split(/\s+/).length;
    // What takes its object from the right is no request that a further object could follow.
    const isTarget = words <= MAX_TARGET_WORDS && first === left;
    const lead = isTarget ? UP_TO_TARGET.exec(first)?.[1] : undefined;
    const again = lead === undefined ? [] : [`${lead} ${right.replace(PREPOSITION, '')}`];
    const verb = VERB.exec(left)?.[0];
    // "The total of price and quantity" asks for two totals.
    const others = words <= 2 && !opensAsk(right) ? [...again, right] : [right, ...again];
    for (const other of [...others, ...(verb === undefined ? [] : [`${verb} ${right}`])]) {
      const rest = cutJoined(other, isWhole, depth - 1);
      if (rest.every(isWhole)) return [first, ...rest];
      // A part after "and" that isn't understood is named beside the answer, if it asks something of its own.
      const isList = /\d$/.test(left) && /^\d/.test(right);
      const asksMore = other === right && opensAsk(other) && !leansBack(other) && !isList;
      if (asksMore && !/then/i.test(separator)) half ??= [first, ...rest];
    }
  }
  return half ?? [text];
}
