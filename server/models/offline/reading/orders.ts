/**
 * How the skills for text and encoding parse an order. The words for the tool and its options are taken out; if any meaningful word is
 * left, the order is refused. Its material is set apart (a block, a quotation, the text after a colon), is a bare word or list
 * beside the tool's name, or comes from earlier in the chat.
 */
import type { Request, ToolRequest } from '../skill.ts';
import { isElliptical } from './courtesy.ts';
import { previousCall, previousText, textIn, type PreviousCall } from './history.ts';
import { findQuotations, maskText } from './marks.ts';
import type { Groups } from './rules.ts';
import { saysNothing, Words } from './words.ts';

/** An order that a tool carries out. */
export interface Order {
  tool: string;
  /** A pattern for its name; the text of its group `kept` is also read as an option. */
  named: string;
  /** Names it after a call of the same tool: "and in two sentences". */
  again?: string;
  /** Which words it accepts as material without quotation marks or a colon. `nothing`: it needs no material. */
  bare?: Accepts | 'nothing';
  /** Words that would change what it does, and can’t be heeded; elsewhere they may have no meaning of their own. */
  unless?: string;
  /** Takes out the words for options and returns them as tool input; null: something else is meant. */
  how?(asked: Words, named: Groups): Record<string, unknown> | null;
  /** The tool's input, if it isn't the text and the options. Null: it doesn't work on such a text. */
  input?(text: string, how: Record<string, unknown>): Record<string, unknown> | null;
}

type Accepts = (words: string) => boolean;
type Apart = Pick<Request, 'material'> & { words: string };

/** Words that may limit an order whose material is bare words. */
const LIMITS =
  /(?:,? and)?(?<!\s)\s*\b(?:with|without|but|except|excluding|ignoring|only|then|where|if|using|per|instead|salted|leave|take|keep|skip|drop|in|as|into|from|to|by)\b.*$/isu;
/** A sentence, or the end of an item, that says what to do with a list. */
const STRAY =
  /(?:[.!?;]\s+(?:(?:but|and|then|only|please|also)\s){0,3}|\s(?:(?:but|and|then)\s){1,3})(?:leave|take|keep|skip|drop|ignore|show|only|not|don['’]t|put|make|turn|use|add|remove|sort|reverse|number|count|trim|join|de-?dup\w*|upper-?case|lower-?case|capitali[sz]e)\b.*$|\s(?:but|except|without|excluding|ignoring)\s.*$|\s(?:with|by|in|from)\s[^,\n]{0,80}\b(?:first|last|order|ascending|descending)[.!]?$/is;
/** A second order after a full stop: in a text of its own "then" would have a capital. */
const THEN = /[.!?;]\s+(?:and\s+)?(?:then|also)\s.*$/s;
/** "And the characters" at the very end: a second thing to count. */
const UNITS_TOO =
  /\s(?:and|then|also)\s(?:and\s|then\s|also\s){0,3}(?:the|how many)\s(?:words|characters|letters|sentences|lines|paragraphs)[.!?]*$/i;
const PROSE =
  /^(?:the|a|an|my|your|our|his|her|their|i|you|we|he|she|they|is|are|was|were|vs\.?|or|and|can|should|what|why|when|where|who|how|always|now|too|also|instead|again|please|thanks|answer|reply|speak|algorithm|hash|function|code|colou?r|(?:de|en)cod\w*|mean(?:s|ing)?|stands?|explained|generator|checker|calculator)(?:\s|$)/i;

/** A single word. */
export const isWord = (text: string): boolean => /^\S+$/.test(text) && !saysNothing(text);
/** Signs that words may be another order, or several things. */
const UNSURE =
  /[,;:]\s|\b(?:that|it|this|them|these|those|and|or|sha-?\d+|md5|hash|base-?64|hex|reverse|sort|count|words?|letters?|lines?|first|last|each|every|twice|backwards)\b/i;

/** A few words that are no sentence. */
export const isPhrase = (text: string): boolean =>
  text.split(/\s+/, 9).length < 9 && !PROSE.test(text) && (isWord(text) || !UNSURE.test(text));
/** Several numbers, or parts between commas. */
export const isList = (text: string): boolean =>
  /^-?[\d.]+(?:[\s,]+-?[\d.]+)+$/.test(text.trim()) ||
  text.includes('\n') ||
  text.split(/[,;]\s/, 2).length === 2;

/** The first order that matches the whole request, else the refusal of one that matches a part. */
export function readOrders(orders: readonly Order[], request: Request): ToolRequest | null {
  const about = apart(request);
  if (about.words.length > 300) return null;
  let partly: ToolRequest | null = null;
  for (const order of orders) {
    const toolRequest = readOrder(order, about, request);
    if (toolRequest !== null && toolRequest.unused === undefined) return toolRequest;
    partly ??= toolRequest;
  }
  return partly;
}

/** The words that ask, without what is set apart from them; `ofQuotes`: a single quotation is. */
export function apart({ text, material }: Request, ofQuotes = true): Apart {
  const quotations = findQuotations(text);
  const [only, ...others] = quotations;
  const isQuoted = quotations.some(({ content }) => content === material);
  if (material !== null && !isQuoted) return { words: text, material };
  if (ofQuotes && only !== undefined && others.length === 0)
    return { words: `${text.slice(0, only.start)} ${text.slice(only.end)}`, material: only.content };
  const colon = /^([^:\n]{1,160}):\s+(?=\S)/.exec(maskText(text.slice(0, 400)));
  return colon === null
    ? { words: text, material: null }
    : { words: text.slice(0, colon[1]?.length), material: withoutQuotes(text.slice(colon[0].length).trim()) };
}

/** `text` without the quotation marks around it, when it is one quotation from end to end. */
export function withoutQuotes(text: string): string {
  const [only] = findQuotations(text);
  return only !== undefined && only.start === 0 && only.end === text.length ? only.content : text;
}

function readOrder(order: Order, { words, material }: Apart, request: Request): ToolRequest | null {
  const asked = new Words(words);
  const end = material !== null && request.material === null ? howAtEnd(order, material) : null;
  const previous = material === null ? previousCall(request.history, [order.tool], 3) : null;
  const named =
    asked.take(order.named, ' § ') ?? (previous && order.again ? asked.take(order.again, ' § ') : null);
  // The name may hold an option: "in alphabetical order".
  asked.left += ` ${named?.['kept'] ?? ''} ${end?.kept ?? ''} `;
  const how = named === null ? null : order.how === undefined ? {} : order.how(asked, named);
  if (how === null) return null;
  if (order.unless !== undefined) asked.refuseAny(order.unless);
  if (order.bare === 'nothing') {
    const unused = asked.unused() ?? material;
    return { tool: order.tool, input: how, ...(unused !== null && { unused }) };
  }
  const given = end?.text ?? material;
  const [text, unused] =
    given !== null
      ? [given, asked.unused() ?? strayIn(given, request)]
      : isEarlier(words) && asked.unused() === null
        ? [earlier(previous, words, request), null]
        : order.bare === undefined || TALKS.test(words)
          ? [null, null]
          : bareIn(asked.left, order.bare);
  if (text === null) return null;
  const input = order.input === undefined ? { text, ...how } : order.input(text, how);
  return input && { tool: order.tool, input, ...(unused !== null && { unused }) };
}

/** "B, a, c in reverse order": the text, and the option after it. */
function howAtEnd({ again }: Order, material: string): { text: string; kept: string } | null {
  if (again?.includes('<kept>') !== true) return null;
  const { text, kept } =
    new RegExp(`^(?<text>.*?\\S)\\s+(?:${again})[.!?]*$`, 'isu').exec(material)?.groups ?? {};
  return text === undefined || kept === undefined ? null : { text, kept };
}

/** Words after a text that say what to do with it; quotations and blocks have none. */
function strayIn(text: string, { material, message }: Request): string | null {
  const found =
    (material === null ? (STRAY.exec(text) ?? THEN.exec(text)) : null) ??
    (message.trimEnd().endsWith(text.trimEnd()) ? UNITS_TOO.exec(text) : null);
  return found?.[0].replace(/^[\s.,;!?]+|(?<![\s.!?])[\s.!?]+$/g, '') || null;
}

const POINTS = /\b(?:that|it|this|them|those|these|the (?:result|answer|list|lines|text))\b/i;
const isEarlier = (words: string): boolean => isElliptical(words) || POINTS.test(words);

/** The text that "that" stands for; a follow-up that doesn't point goes back to what the same tool worked on. */
function earlier(previous: PreviousCall | null, words: string, { history }: Request): string | null {
  const source = previous !== null && !POINTS.test(words) ? textIn(previous.input) : null;
  return source ?? previousText(history);
}

const BEFORE_BARE =
  /^(?:(?:(?:are|is) )?(?:there )?(?:of|for|from|in|on)\s+)?(?:(?:(?:the|these|my) )?(?:following )?(?:words?|phrase|string|text|names?|numbers?|list|values?|items?|lines?)\s+(?:of )?)?/i;
const VERB = /^(?:what(?:['’]s| is)|convert|turn|change|put|write|make|encode|spell|say|show)\s+/i;
const PREPOSITION = /(?<!\s)\s+(?:in|to|into|as)$/i;
/** "Is md5 safe", "what is sha256 used for": nothing to work on. */
const TALKS =
  /^(?:is|are|do|does|should|can|which|why|when|who|where|how (?!many|long|often)|what (?:do|does|are)|what(?:['’]s| is) (?!the )(?!.* (?:of|for) \S)(?!\S+ (?:in|as) ))/i;

/** "Sha256 of hello", "hello in hex", "sort 3, 1, 2 descending": the words beside the name, and what limits them. */
function bareIn(left: string, accepts: Accepts): [text: string | null, unused: string | null] {
  const [head = '', tail = ''] = left.split('§').map((part) => part.trim());
  const isBefore = saysNothing(tail) && (VERB.test(head) || PREPOSITION.test(head));
  const before = isBefore ? head.replace(VERB, '').replace(PREPOSITION, '') : '';
  const bare = saysNothing(head) ? tail.replace(BEFORE_BARE, '') : before;
  const plain = withoutQuotes(bare.trim());
  if (plain === '' || /["“”]/.test(plain)) return [null, null];
  // Several sentences are a text of their own.
  const limit =
    isWord(plain) || /[.!?]\s+\S/.test(plain) ? undefined : (LIMITS.exec(plain) ?? STRAY.exec(plain))?.[0];
  const text = limit === undefined ? plain : plain.slice(0, -limit.length);
  return accepts(text) ? [text, limit?.trim() ?? null] : [null, null];
}
