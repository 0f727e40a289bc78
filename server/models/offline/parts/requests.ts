import { looksTabular } from '../../../tools/data-table.ts';
import { isElliptical, looksLikeAsk } from '../reading/courtesy.ts';
import type { Cut, Knows } from './joined.ts';
import { longestQuotation, maskText, takeFences } from '../reading/marks.ts';
import { cutLine } from './sentences.ts';

/**
 * Takes a message apart into requests and the material they are about. Reads only forms: whether a piece asks anything
 * is the skills' to say, through `knows`, which is called a bounded number of times. Linear in the message's length.
 */

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
/** Words before a colon on whose line material begins. */
const HEADING = /^([^:\n]{1,120}):[ \t]+(?=[^\s[{])/;
const LIST_ITEM = /^\s{0,8}(?:(\d{1,2}|[a-h])[.)]|[-*•–])\s+(?=\S)/i;

/** Requests of a message, in order; none when it holds no words at all. */
export function splitMessage(message: string, knows: Knows): RequestPart[] {
  const { outside, code } = takeFences(message);
  const fenced = outside === '' ? null : code;
  const text = outside === '' ? (code ?? '').trim() : outside.trim();
  if (text === '') return [];
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

type NumberedCut = Cut & { number?: string | null };

/** The ask at either end of a long text; the whole text as material of its first words when there is none. */
function cutLong(text: string, fenced: string | null, knows: Knows): Cut {
  const candidates: Cut[] = [];
  const head = text.slice(0, MAX_ASK_LINE_CHARACTERS);
  const tail = text.slice(-MAX_ASK_LINE_CHARACTERS);
  const add = (ask: string, material: string) => {
    const bare = ask.trim().replace(/:$/, '');
    if (bare !== '' && material.trim() !== '')
      candidates.push({ text: bare, material: fenced ?? material.trim() });
  };
  const addHead = (end: number) => {
    if (end > 0) add(text.slice(0, end), text.slice(end));
  };
  const addTail = (start: number) => {
    if (start > 0)
      add(text.slice(text.length - tail.length + start), text.slice(0, text.length - tail.length + start));
  };
  addHead(head.indexOf('\n'));
  addTail(tail.lastIndexOf('\n') + 1);
  addHead(head.indexOf(': ') + 1);
  addHead((/[.!?]\s/.exec(head)?.index ?? -1) + 1);
  addTail(([...tail.matchAll(/[.!?]\s/g)].at(-1)?.index ?? -1) + 1);
  const found = candidates.find((cut) => knows(cut.text, cut.material));
  return found ?? { text: head.trim(), material: fenced ?? text };
}

function cutBlock(text: string, fenced: string | null, knows: Knows): NumberedCut[] {
  const lines = text.split('\n', MAX_LINES + 1).filter((line) => line.trim() !== '');
  const [first = text, second] = lines;
  if (second === undefined) return cutLine(first.trim(), fenced, knows);
  if (fenced !== null) return lines.slice(0, MAX_LINES).flatMap((line) => cutItem(line, fenced, knows));

  const { body, tail } = takeTail(text, knows);
  const rest = body
    .slice(body.indexOf(first) + first.length)
    .replace(/^\s*\n/, '')
    .trimEnd();
  const ask = first.trim().replace(/:$/, '');
  const items = lines.filter((line) => LIST_ITEM.test(line));
  const others = lines.slice(1).filter((line) => line.trim() !== tail);
  const after = tail === null ? [] : cutLine(tail, null, knows);

  // "Make a table from: name, age", and its rows in the lines below.
  const heading = LIST_ITEM.test(first)
    ? null
    : HEADING.exec(maskText(body.slice(0, MAX_ASK_LINE_CHARACTERS)));
  const order = body.slice(0, heading?.[1]?.length ?? 0);
  const table = body.slice(heading?.[0].length ?? body.length);
  if (looksTabular(table) && knows(order, table)) return [...cutLine(order, table, knows), ...after];

  if (rest !== '' && !LIST_ITEM.test(first)) {
    const asks = cutLine(ask, rest, knows);
    if (asks.every((one) => knows(one.text, rest))) {
      const allAsk = others.every((line) => isAskItem(line, knows));
      if (first.trim().endsWith(':') || !allAsk) return [...asks, ...after];
    }
  }
  if (lines.length > MAX_LINES) return [{ text: first.trim(), material: rest }];
  if (items.length >= 2 && items.some((line) => knows(bareItem(line), null))) {
    const listed = lines.filter((line) => LIST_ITEM.test(line) || isAskItem(line, knows));
    return listed.flatMap((line) => cutItem(line, null, knows));
  }
  const last = lines.at(-1)?.trim() ?? first;
  const before = text.slice(0, text.lastIndexOf(last)).trim();
  if (
    !lines.slice(0, -1).some((line) => isAskItem(line, knows)) &&
    (looksLikeAsk(last) || isElliptical(last)) &&
    knows(last, before)
  ) {
    return cutLine(last.replace(/:$/, ''), before, knows);
  }
  if (lines.some((line) => knows(bareItem(line), null)))
    return lines.flatMap((line) => cutItem(line, null, knows));
  return [{ text, material: null }];
}

/** A last paragraph of one line that asks something by itself, apart from the block before it. */
function takeTail(text: string, knows: Knows): { body: string; tail: string | null } {
  const gap = text.lastIndexOf('\n\n');
  const tail = gap < 0 ? '' : text.slice(gap).trim();
  const isAsk = tail !== '' && !tail.includes('\n') && looksLikeAsk(tail) && knows(tail, null);
  return isAsk ? { body: text.slice(0, gap), tail } : { body: text, tail: null };
}

function bareItem(line: string): string {
  return line.replace(LIST_ITEM, '').trim();
}

function isAskItem(line: string, knows: Knows): boolean {
  const bare = bareItem(line);
  return looksLikeAsk(bare) && knows(bare, null);
}

function cutItem(line: string, material: string | null, knows: Knows): NumberedCut[] {
  const number = LIST_ITEM.exec(line)?.[1] ?? null;
  return cutLine(bareItem(line), material, knows).map((cut, index) => ({
    ...cut,
    number: index === 0 ? number : null,
  }));
}
