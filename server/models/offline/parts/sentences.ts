import { looksLikeAsk, pointsAtMaterial } from '../reading/courtesy.ts';
import { cutSentence, TAKES_THE_REST, type Cut, type Knows } from './joined.ts';
import { maskText } from '../reading/marks.ts';

const MAX_SENTENCES = 24;

/** Words before a full stop that do not end a sentence. */
const ABBREVIATION = /(?:^|[\s(])(?:e\.g|i\.e|etc|vs|mr|mrs|ms|dr|st|no|approx|a\.m|p\.m|[a-z])\.$/i;
/** "5! plus 3" goes on. */
const FACTORIAL = /^[\d)]!\s(?:plus|minus|times|over|divided|multiplied|to the|and|[-+*/×÷^=−])/i;
/** An order whose object may be several sentences, with nothing but a space before them. */
const TAKES_A_TEXT =
  /^(?:please\s+|can you\s+|could you\s+)?(?:tl;?dr|summari[sz]e|sum up|shorten|condense)\b/i;

/** Sentences of a line, cut after `.`, `!`, `?`, and at `;`, outside quotations and brackets. */
export function splitSentences(line: string): string[] {
  const masked = maskText(line);
  const sentences: string[] = [];
  let start = 0;
  for (const match of masked.matchAll(/[.!?…]\s|;\s/g)) {
    if (sentences.length === MAX_SENTENCES - 1) break;
    const end = match.index + 1;
    const sentence = line.slice(start, end);
    if (match[0].startsWith('!') && FACTORIAL.test(line.slice(end - 2))) continue;
    if (/&#?\w{2,8};$/.test(sentence.slice(-10))) continue;
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
  if (colon) return colon;
  const announced = mayAnnounce ? cutAnnounced(line, material, knows) : null;
  if (announced) return announced;
  const sentences = splitSentences(line);
  const [first = line, ...others] = sentences;
  if (others.length === 0) return cutSentence(first, material, knows);
  const last = sentences.at(-1) ?? first;
  if (material === null) {
    if (isOneAsk(line, sentences, knows)) return [{ text: line, material: null }];
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

/** "tl;dr It rained. It stopped.", "I'm to be in Tokyo at 9am. What time is that here?": one request in several sentences. */
function isOneAsk(line: string, sentences: string[], knows: Knows): boolean {
  const [first = '', ...others] = sentences;
  if (TAKES_A_TEXT.test(first) && !others.some((sentence) => looksLikeAsk(sentence) && knows(sentence, null)))
    return knows(line, null);
  const last = sentences.at(-1) ?? '';
  return sentences.length === 2 && looksLikeAsk(last) && !knows(first, null) && knows(line, null, true);
}

/** "sort: b, a", "count the words in this: …": one piece of material, however many sentences follow. */
function cutAtColon(line: string, material: string | null, knows: Knows): Cut[] | null {
  const match = /^([^:\n]{1,120}):\s+(?=\S)/.exec(maskText(line.slice(0, 200)));
  if (!match || material !== null) return null;
  const head = line.slice(0, match[1]?.length ?? 0).trim();
  const tail = line.slice(match[0].length);
  if (head === '') return null;
  if (knows(head, tail))
    return [knows(line, null) ? { text: line, material: null } : { text: head, material: tail }];
  // "trim and uppercase this: …"
  const cuts = cutSentence(head, tail, knows);
  return cuts.length > 1 && cuts.every((cut) => knows(cut.text, tail)) ? cuts : null;
}

/** "Do two things for me: sort … and tell me …": the words before the colon ask nothing. */
function cutAnnounced(line: string, material: string | null, knows: Knows): Cut[] | null {
  const head = /^[^:\n"“]{1,80}:\s+(?=\S)/.exec(line)?.[0];
  if (head === undefined || material !== null || knows(line, null)) return null;
  const cuts = cutLine(line.slice(head.length), null, knows, false);
  return cuts.every((cut) => looksLikeAsk(cut.text) && knows(cut.text, cut.material)) ? cuts : null;
}
