import { isElliptical, looksLikeAsk } from '../reading/courtesy.ts';
import { longestQuotation, maskText, takeFences } from '../reading/marks.ts';
import { cutLine, type Cut } from './clauses.ts';

/**
 * Takes a message apart into requests and the material they are about. Reads only forms: whether a piece asks anything
 * is the skills' to say, through `knows`, which is called a bounded number of times. Linear in the message's length.
 */

/** How well the skills know what a text asks, given the material beside it: whole, all but a part of it, or not at all. */
export type Knows = (text: string, material: string | null) => 'whole' | 'part' | null;

/** One request of a message. */
export interface RequestPart {
  /** The words that ask; never empty, at most {@link MAX_REQUEST_CHARACTERS}. */
  text: string;
  /** What the request is about, where the message holds it apart from the words that ask. */
  material: string | null;
  /** The number or letter it had in a list of requests, e.g. `2`; null outside numbered lists. */
  number: string | null;
}

/** A message longer than this is taken as one request at its start or end, the rest being its material. */
export const MAX_REQUEST_CHARACTERS = 4_000;

/** Requests answered of one message. */
export const MAX_REQUESTS = 20;

const MAX_ASK_LINE_CHARACTERS = 400;
const MAX_LINES = 40;
const LIST_ITEM = /^\s{0,8}(?:(\d{1,2}|[a-h])[.)]|[-*•–])\s+(?=\S)/i;

type NumberedCut = Cut & { number?: string | null };

/** Requests of a message, in order; none when it holds no words at all. */
export function splitMessage(message: string, knows: Knows): RequestPart[] {
  const { outside, code } = takeFences(message);
  const fenced = outside === '' ? null : code;
  const text = outside === '' ? (code ?? '').trim() : outside.trim();
  const cuts: NumberedCut[] =
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

/** The ask at either end of a long text; the whole text as material of its first words when there is none. */
function cutLong(text: string, fenced: string | null, knows: Knows): Cut {
  const head = text.slice(0, MAX_ASK_LINE_CHARACTERS);
  const tail = text.slice(-MAX_ASK_LINE_CHARACTERS);
  const heads = [head.indexOf('\n'), head.indexOf(': ') + 1, head.search(/(?<=[.!?])\s/)];
  const tails = [tail.lastIndexOf('\n') + 1, ([...tail.matchAll(/[.!?]\s/g)].at(-1)?.index ?? -1) + 1];
  const found = [
    ...heads.filter((end) => end > 0).map((end) => [text.slice(0, end), text.slice(end)] as const),
    ...tails
      .filter((start) => start > 0)
      .map((start) => text.length - tail.length + start)
      .map((start) => [text.slice(start), text.slice(0, start)] as const),
  ]
    .map(([ask, rest]) => ({ text: bareAsk(ask), material: fenced ?? rest.trim() }))
    .find((cut) => cut.text !== '' && knows(cut.text, cut.material) !== null);
  return found ?? { text: head.trim(), material: fenced ?? text };
}

const bareAsk = (line: string): string => line.trim().replace(/:$/, '');

function cutBlock(text: string, fenced: string | null, knows: Knows): NumberedCut[] {
  const lines = text.split('\n', MAX_LINES + 1).filter((line) => line.trim() !== '');
  const [first = text, ...others] = lines;
  if (others.length === 0) return cutLine(first.trim(), fenced, knows);
  if (fenced !== null) return lines.slice(0, MAX_LINES).flatMap((line) => cutItem(line, fenced, knows));

  const { body, tail } = takeTail(text, knows);
  const after = tail === null ? [] : cutLine(tail, null, knows);
  const rest = body
    .slice(body.indexOf(first) + first.length)
    .replace(/^\s*\n/, '')
    .trimEnd();
  if (rest !== '' && !LIST_ITEM.test(first)) {
    const asks = cutLine(bareAsk(first), rest, knows);
    const isAboutRest = asks.every((one) => knows(one.text, one.material) !== null);
    const allAsk = others.filter((line) => line.trim() !== tail).every((line) => isAskItem(line, knows));
    if (isAboutRest && (first.trim().endsWith(':') || !allAsk)) return [...asks, ...after];
  }
  // "Make a table from: name, age", and its rows in the lines below.
  const heading = /^([^:\n]{1,120}):[ \t]+(?=\S)/.exec(maskText(body.slice(0, MAX_ASK_LINE_CHARACTERS)));
  const order = body.slice(0, heading?.[1]?.length ?? 0);
  const below = body.slice(heading?.[0].length ?? body.length);
  if (order !== '' && !LIST_ITEM.test(first) && knows(order, below) !== null)
    return [...cutLine(order, below, knows), ...after];
  if (lines.length > MAX_LINES) return [{ text: first.trim(), material: rest }];
  const last = lines.at(-1)?.trim() ?? first;
  const before = text.slice(0, text.lastIndexOf(last)).trim();
  // In a paragraph of its own it needs no words that ask: "top 2 by price".
  const known = lines.slice(0, -1).some((line) => isAskItem(line, knows)) ? null : knows(last, before);
  const isAskLast = looksLikeAsk(last) || isElliptical(last);
  if (known !== null && (isAskLast || (known === 'whole' && text.endsWith(`\n\n${last}`))))
    return cutLine(bareAsk(last), before, knows);
  const items = lines.filter((line) => LIST_ITEM.test(line) || isAskItem(line, knows));
  const isList = items.filter((line) => LIST_ITEM.test(line)).length >= 2;
  if (lines.some((line) => knows(bareItem(line), null) === 'whole'))
    return (isList ? items : lines).flatMap((line) => cutItem(line, null, knows));
  return [{ text, material: null }];
}

/** A last paragraph of one line that asks something by itself, apart from the block before it. */
function takeTail(text: string, knows: Knows): { body: string; tail: string | null } {
  const gap = text.lastIndexOf('\n\n');
  const tail = gap < 0 ? '' : text.slice(gap).trim();
  const isAsk = tail !== '' && !tail.includes('\n') && looksLikeAsk(tail) && knows(tail, null) === 'whole';
  return isAsk ? { body: text.slice(0, gap), tail } : { body: text, tail: null };
}

const bareItem = (line: string): string => line.replace(LIST_ITEM, '').trim();

function isAskItem(line: string, knows: Knows): boolean {
  const bare = bareItem(line);
  return looksLikeAsk(bare) && knows(bare, null) === 'whole';
}

function cutItem(line: string, material: string | null, knows: Knows): NumberedCut[] {
  const number = LIST_ITEM.exec(line)?.[1] ?? null;
  return cutLine(bareItem(line), material, knows).map((cut, index) => ({
    ...cut,
    number: index === 0 ? number : null,
  }));
}
