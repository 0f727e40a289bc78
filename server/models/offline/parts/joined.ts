/** Requests within one sentence: where "and", "then" and commas part them, and what the parts share. */
import { leansBack, looksLikeAsk, opensAsk, opensOrder, pointsAtMaterial } from '../reading/courtesy.ts';
import { findQuotations, longestQuotation, maskText } from '../reading/marks.ts';

/** Whether some skill knows what a text asks, by itself, given the material beside it. `surely`: a guess doesn't count. */
export type Knows = (text: string, material: string | null, surely?: boolean) => boolean;

/** A request cut out of a message, before its quotations are looked at. */
export interface Cut {
  text: string;
  material: string | null;
}

type KnowsText = (text: string, surely?: boolean, material?: string) => boolean;

const MAX_SEPARATORS = 8;
const MAX_DEPTH = 8;

/** An order that takes all that follows as what it is about. */
export const TAKES_THE_REST =
  /^(?:please\s+|also\s+|and\s+)?(?:remember|memori[sz]e|note\b|note to self|don['’]?t forget|keep in mind|make a note|take a note|write down|jot down)/i;

/** Cuts a sentence at "and", "then" and commas where requests stand on both sides. */
export function cutSentence(sentence: string, material: string | null, knows: Knows): Cut[] {
  const quoted = material === null ? longestQuotation(sentence) : null;
  /** A part such as "and encode it" is about the quotation in another part. */
  const materialOf = (text: string): string | null => {
    if (quoted === null || text === sentence) return material;
    return findQuotations(text).length === 0 && pointsAtMaterial(text) ? quoted : null;
  };
  if (material !== null && knows(sentence, material, true)) return [{ text: sentence, material }];
  const parts = cutJoined(
    sentence,
    (text, surely, other) => knows(text, other ?? materialOf(text), surely),
    MAX_DEPTH,
  );
  return parts.map((text) => ({ text, material: materialOf(text) }));
}

/** What an earlier part may bring forth. */
const SOME_RESULT = 'b, a';

/** Knows "reverse it" too, as it stands after another request. */
function afterAnother(knows: KnowsText): KnowsText {
  return (text, surely, material) =>
    knows(text, surely, material) ||
    (material === undefined && leansBack(text) && opensOrder(text) && knows(text, surely, SOME_RESULT));
}

/** "… in Tokyo and in New York": the same ask again, for a skill to read as a follow-up. */
const SAME_AGAIN = /^(?:in|to|into|for|from|at|on)\s\S.{0,60}$/i;

function cutJoined(text: string, knows: KnowsText, depth: number): string[] {
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
    if (!/\s|\d/.test(left) && !knows(left)) continue;
    // "3, 9, 27 in roman numerals" goes on with a list.
    if (
      match[0].startsWith(',') &&
      /(?:,|\bof)\s*-?[\d.]+$/i.test(left) &&
      /^(?:and )?-?[\d.]+(?:[,\s]|$)/.test(right)
    )
      continue;
    const isAgain = SAME_AGAIN.test(right);
    const opens = TAKES_THE_REST.test(left) ? opensOrder : opensAsk;
    if (!isAgain && !opens(right)) {
      const shared = cutShared(left, right, text, knows, depth);
      if (shared) return shared;
      continue;
    }
    const leftKnown = knows(left);
    // "20% of 50 plus 10% of 30" is one sum.
    const isOrder = opensOrder(right);
    if (!isAgain && !isOrder && /plus/i.test(match[0])) continue;
    if (isAgain && leftKnown && !knows(text)) return [left, right];
    // "3 feet and 6 inches in cm" is one quantity.
    const first = leftKnown ? left : knows(text, true) ? null : withSharedEnd(left, right, knows);
    // "The average of 4 and 6 plus 3" asks nothing of "6 plus 3".
    if (first === null && !(isOrder && looksLikeAsk(left) && !knows(text))) continue;
    const following = first === null ? knows : afterAnother(knows);
    const rest = cutJoined(right, following, depth - 1);
    if (rest[0] !== undefined && following(rest[0])) return [first ?? left, ...rest];
    if (leftKnown && looksLikeAsk(right) && !knows(text)) return [left, ...rest];
  }
  return [text];
}

/** "sha256 and md5 of x": the left part with what stands after both, where that makes a request of it. */
function withSharedEnd(left: string, right: string, knows: KnowsText): string | null {
  const end = /\s(?:of|from|in|to|into)\s.+$/is.exec(right)?.[0];
  const whole = end === undefined || left.length > MAX_SHARED_CHARACTERS ? null : `${left}${end}`;
  return whole !== null && knows(whole, true) ? whole : null;
}

const MAX_SHARED_CHARACTERS = 300;
const MAX_TARGET_WORDS = 6;
const LIMITS = /^(?:but|except|not|only|without|excluding|ignoring)\b/i;
/** The words up to what an ask is about: "what time is it in", "days until". */
const UP_TO_TARGET = /^(.*\b(?:in|to|into|as|of|for|from|until|till|since|on|at|before))\s+\S/is;
const VERB = /^(?:give|make|get|show|tell) me\b|^\S+/i;
const FROM_THERE = /\s+(?:from|in|out of|within)(?:\s+\S.*|:?)$/is;

/**
 * One order with two targets: "what time is it in New York and Tokyo", "extract emails and links from …". Both requests
 * in full, or null. Only where the whole is not well known, and each of them is.
 */
function cutShared(
  left: string,
  right: string,
  text: string,
  knows: KnowsText,
  depth: number,
): string[] | null {
  if (left.length > MAX_SHARED_CHARACTERS || right === '' || TAKES_THE_REST.test(left) || LIMITS.test(right))
    return null;
  const tail = FROM_THERE.exec(right)?.[0] ?? '';
  const target = tail === '' ? right : right.slice(0, right.length - tail.length);
  if (target.split(/\s+/).length > MAX_TARGET_WORDS || knows(text, true)) return null;
  // "The square root of 2 and the cube root of 27": the right part is a question by itself.
  if (knows(left, true) && knows(right)) return [left, ...cutJoined(right, knows, depth - 1)];
  const lead = UP_TO_TARGET.exec(left)?.[1] ?? VERB.exec(left)?.[0] ?? '';
  for (const [one, other] of [
    [left, `${lead} ${right}`],
    [`${left}${tail}`, `${VERB.exec(left)?.[0] ?? ''} ${right}`],
  ] as const) {
    if (!knows(one, true)) continue;
    const rest = cutJoined(other, knows, depth - 1);
    if (rest.every((each) => knows(each, true))) return [one, ...rest];
  }
  return null;
}
