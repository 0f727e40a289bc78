/** Sorting, removing duplicates and reversing. */
import { listItemsOf } from '../../../../tools/text-format.ts';
import type { SORT_KEYS } from '../../../../tools/text-lists.ts';
import { linesOf } from '../../../../tools/text-units.ts';
import type { Wish } from '../../skill.ts';
import {
  matchFirst,
  soundsLikeProse,
  subjectOf,
  withoutQuotes,
  type Ask,
  templates,
  workOn,
} from '../../reading/ask.ts';
import * as orders from '../../reading/order-words.ts';
import { lastTool, previousCall } from '../../reading/history.ts';

const [DESCENDING, ASCENDING] = [orders.DESCENDING, orders.ASCENDING].map(
  (order) => new RegExp(`(?:,|\\bfrom)?\\s*\\b${order}\\b`, 'gi'),
) as [RegExp, RegExp];
const BY_NUMBER =
  /(?:,|\bin)?\s*\b(?:numeric(?:al)?(?:ly)?(?: order)?|as numbers|by (?:the )?(?:number|value|size|amount)s?)\b/gi;
const BY_LENGTH = /\s*\bby (?:the )?(?:(?:word |line |their )?length|number of (?:letters|characters))\b/gi;
const BY_LAST_NAME =
  /\s*\b(?:alphabetically )?by (?:the |their )?(?:last names?|surnames?|family names?)\b/gi;
const BY_ALPHABET =
  /(?:,|\bin|\binto)?\s*\b(?:alphabetic(?:al)?(?:ly)?(?: order)?|by (?:the )?(?:alphabet|name)|abc order)\b/gi;
const UNIQUE =
  /(?:,|\band)?\s*\b(?:(?:remove|drop|delete|without|no) (?:the |all |any )?(?:duplicates?|repeats|dupes)(?: (?:lines?|items?|entries|ones))?|de-?dup(?:e|licate)?(?: (?:it|them))?|uniquely)\b/gi;
const AFTER_UNIQUE = /^(?:,|and|then|\s)+/i;
const LENGTH_FIRST = /\b(?:longest|shortest)\b/i;

const SORT = templates(`
  (?:sort|order|re-?order|arrange|rank|sorted) {}
  alphabeti[sz]e {}
  (?:put|get|bring|list|show|give me|return) {}(?: (?:in|into))?(?: the)?(?: (?:right|correct|proper))?(?: order)?
`);

const DEDUPLICATE = templates(`
  (?:remove|delete|drop|get rid of|eliminate|filter out|strip|take out|find and remove) (?:(?:the|any|all|every) ){0,2}(?:duplicated?s?|repeat(?:s|ed)?|dupes?|repetitions?|doubles?)(?: (?:lines?|items?|words?|entries|values?|names?|numbers?|rows?|ones))?(?: (?:from|in|of|out of|within))? {}
  (?:de-?dupe|de-?dup|de-?duplicate|uniq) {}
  (?:(?:get|list|show|keep|give|keep only|find|return|what are|extract)(?: me)?(?: only)?(?: the)? )?(?:unique|distinct)(?: (?:lines?|items?|words?|entries|values?|names?|numbers?|ones))?(?: (?:from|in|of|out of))? {}
  (?:find|show|list|spot|identify|what are|which are|are there(?: any)?|check for)(?: me)?(?: (?:the|all|any)){0,2} (?:duplicate[ds]?|repeat(?:s|ed)?|dupes)(?: (?:lines?|items?|words?|entries|values?|names?|numbers?))?(?: (?:from|in|of|within))? {}
  make {} unique
  {} without (?:the |any )?(?:duplicates|repeats)
`);
const IGNORING_CASE =
  /(?:,|\band)?\s*\b(?:ignoring (?:the )?case|ignore (?:the )?case|case[- ]insensitive(?:ly)?|regardless of case)\b/gi;

const UNIT = '(?<unit>words?|lines?|items?|letters?|characters?|list|entries)';
const REVERSE = templates(`
  (?:reverse|invert) (?:the )?(?:order of )?(?:the |these |those |this |that )?${UNIT}(?: order)?(?: (?:in|of|from))? {}
  (?:reverse|invert) (?:the )?(?<order>order)(?: of)? {}
  reverse {}
  (?:spell|write|say|put|read|turn|show|give me) {} (?:backwards?|in reverse(?: order)?|the other way (?:a)?round)
  {} (?:backwards?|in reverse(?: order)?|reversed)
`);

/** Recognises "sort 3, 1, 2 descending". */
export function recogniseSort(ask: Ask): Wish | null {
  const order = readOrder(ask.words);
  const groups = matchFirst(order.words, SORT);
  if (groups === null) return resorted(ask, order);
  const isNamed = /^(?:sort|alphabeti)/i.test(order.words);
  if (!isNamed && !order.isNamed && !/\border$/i.test(ask.words)) return null;
  const subject = subjectOf(groups['rest'], ask, {
    accepts: (rest) =>
      isList(rest) && (isNamed || order.isNamed || /\d/.test(rest)) && !soundsLikeProse(rest),
  });
  if (subject === null || (subject.from === 'history' && isTable(ask))) return null;
  const items = itemsOf(subject.text, ask.words);
  if (items.length < 2) return null;
  const by = order.by ?? (items.every(isNumber) ? 'number' : 'alphabet');
  return { tool: 'sort_list', input: { items, by, ...order.flags }, isGuess: subject.isGuess };
}

/** "Descending", "and by length": the last list anew. */
function resorted(ask: Ask, order: Order): Wish | null {
  if (!order.isNamed || !/^(?:and|now|but|then|or|instead|too|please|,|\s)*$/i.test(order.words)) return null;
  const previous = previousCall(ask.request.history, ['sort_list']);
  return previous === null
    ? null
    : {
        tool: 'sort_list',
        input: {
          ...previous.input,
          ...(order.by && { by: order.by }),
          descending: order.flags.descending === true,
        },
      };
}

interface Order {
  words: string;
  by: (typeof SORT_KEYS)[number] | null;
  flags: { descending?: boolean; removeDuplicates?: boolean };
  /** Whether any order was named. */
  isNamed: boolean;
}

/** Takes the words for an order out of an ask. */
function readOrder(words: string): Order {
  const isAscending = ASCENDING.test(words);
  const flags: Order['flags'] = {};
  let left = words;
  const take = (pattern: RegExp): boolean => {
    pattern.lastIndex = 0;
    const before = left;
    left = left.replace(pattern, ' ');
    return left !== before;
  };
  if (take(UNIQUE)) {
    flags.removeDuplicates = true;
    left = left.replace(AFTER_UNIQUE, '');
  }
  const length = take(BY_LENGTH) || (LENGTH_FIRST.test(words) && /first|to/i.test(words));
  const named = { length, number: take(BY_NUMBER), last_name: take(BY_LAST_NAME) };
  if (take(DESCENDING)) flags.descending = true;
  take(ASCENDING);
  const keys = { ...named, alphabet: take(BY_ALPHABET) || /^alphabeti/i.test(words) };
  const by = (Object.entries(keys).find(([, isAsked]) => isAsked)?.[0] ?? null) as Order['by'];
  const isNamed = by !== null || isAscending || flags.descending === true;
  return { words: left.replace(/\s{2,}/g, ' ').trim(), by, flags, isNamed };
}

/** Recognises "remove duplicates from: a, b, a". */
export function recogniseDeduplicate(ask: Ask): Wish | null {
  const words = ask.words.replace(IGNORING_CASE, '').trim();
  const groups = matchFirst(words, DEDUPLICATE);
  if (groups === null) return null;
  const subject = subjectOf(groups['rest'], ask, { accepts: isList });
  if (subject === null) return null;
  const items = itemsOf(subject.text, ask.words);
  if (items.length < 2) return null;
  const ignoreCase = words === ask.words ? {} : { ignoreCase: true };
  return { tool: 'remove_duplicates', input: { items, ...ignoreCase }, isGuess: subject.isGuess };
}

/** Recognises 'reverse "abc"'. */
export function recogniseReverse(ask: Ask): Wish | null {
  const groups = matchFirst(ask.words, REVERSE);
  // Each word by itself is more than the tool does.
  if (groups === null || /\b(?:each|every|individual)(?: single)? words?\b/i.test(ask.words)) return null;
  const subject = subjectOf(groups['rest'], ask, {
    accepts: (rest) =>
      (isList(rest) || !/\s/.test(rest) || groups['unit'] !== undefined) && !soundsLikeProse(rest),
    isGuess: true,
  });
  if (subject === null) return null;
  return workOn(subject, 'reverse_text', { unit: unitOf(groups['unit'], subject.text, ask) });
}

function unitOf(
  named: string | undefined,
  text: string,
  ask: Ask,
): 'characters' | 'words' | 'lines' | 'items' {
  const name = (named ?? '').toLowerCase();
  if (name.startsWith('word')) return /\s/.test(text.trim()) ? 'words' : 'characters';
  if (/^(?:letter|character)/.test(name)) return 'characters';
  const isLines = text.trim().includes('\n');
  if (isLines) return 'lines';
  const isListed = name !== '' || /\b(?:list|items|order|numbers|names|entries)\b/i.test(ask.words);
  if (isList(text) && (isListed || !/[.!?]\s/.test(text))) return 'items';
  return 'characters';
}

/** The items of a list in a text: its lines, the parts between commas, or its words where there are neither. */
export function itemsOf(text: string, words: string): string[] {
  const lines = linesOf(text).filter((line) => line.trim() !== '');
  const isWords = /\bwords\b/i.test(words) && !/[,;]/.test(text);
  const items =
    lines.length === 1 && (isWords || isNumbers(text) || !/[,;]/.test(text))
      ? text.trim().split(/\s+/)
      : listItemsOf(text);
  const plain = items.map((item) => withoutQuotes(item.trim()));
  // The full stop of "milk, eggs, bread." is the sentence's.
  const last = plain.at(-1) ?? '';
  const isStop =
    lines.length === 1 &&
    plain.length > 1 &&
    /[^.]\.$/.test(last) &&
    !plain.slice(0, -1).join('').includes('.');
  return isStop ? [...plain.slice(0, -1), last.slice(0, -1)] : plain;
}

/** True when a text reads as a list: several lines, parts between commas, or nothing but numbers. */
function isList(text: string): boolean {
  if (isNumbers(text)) return true;
  if (/\n\s*\S/.test(text)) return true;
  const items = listItemsOf(text);
  return items.length >= 2 && items.every((item) => item.length <= 60);
}

function isNumbers(text: string): boolean {
  const parts = text.trim().split(/\s+/);
  return parts.length >= 2 && parts.every((part) => /^-?\d+(?:\.\d+)?$/.test(part));
}

function isNumber(item: string): boolean {
  return /^[-+\u2212]?(?:\d{1,3}(?:,\d{3})+|\d+)?(?:\.\d+)?%?$/.test(item) && /\d/.test(item);
}

/** True when a table was told last: to sort that is the data skill's. */
function isTable(ask: Ask): boolean {
  const { history } = ask.request;
  return lastTool(history) === 'convert_table' && previousCall(history, ['convert_table']) !== null;
}
