/**
 * Markdown as a tree. Components draw it with their own elements, so no HTML from a message ever reaches the
 * page: tags are shown as text, and there is nothing to sanitise.
 */
import {
  Lexer,
  Marked,
  type Links,
  type MarkedOptions,
  type MarkedToken,
  type Token,
  type Tokens,
} from 'marked';
import { extendMarkdownRules, ownRules } from '../../shared/markdown-rules.ts';
import type { AroundToken, DetailsToken } from './html-blocks.ts';
import type { ElementToken } from './html-syntax.ts';
import { mathsExtension, mayHoldMaths, type MathsToken } from './maths-syntax.ts';
import { piecesExtension, showSources, type FootnoteToken, type QuoteToken } from './pieces-syntax.ts';

/** One node of parsed Markdown. */
export type MarkdownNode =
  | Exclude<MarkedToken, Tokens.Blockquote>
  | QuoteToken
  | MathsToken
  | ElementToken
  | AroundToken
  | DetailsToken
  | FootnoteToken;

/** Whether what stands in running text is drawn in lines of its own: what was written in HTML. */
export const isBlock = ({ type }: MarkdownNode): boolean =>
  ['list', 'table', 'details', 'code', 'blockquote', 'around'].includes(type);

/** A longer text is shown unparsed, so that one huge reply can't block the page. */
export const LONGEST_PARSED_CHARACTERS = 200_000;

/** How deep lists and quotes may nest before the rest is shown as it is. */
export const DEEPEST_NESTING = 24;

/** Drawing more nodes than this would block the page: a text has one for about every 20 characters. */
const MOST_NODES = 25_000;

/** A text as it was written, line by line. */
export const asPlainText = (text: string): MarkdownNode[] =>
  text === '' ? [] : [{ type: 'html', raw: text, text, pre: false, block: true }];

extendMarkdownRules();
const plain: MarkedOptions = new Marked(ownRules, piecesExtension).defaults;
const withMaths: MarkedOptions = new Marked(ownRules, piecesExtension, mathsExtension).defaults;

/** The blocks of a Markdown text, and its reference definitions. */
export interface LexedBlocks {
  nodes: MarkdownNode[];
  links: Links;
}

/** Parses a Markdown text (GitHub's flavour, with maths). Throws if the library does. */
export function lexBlocks(text: string): LexedBlocks {
  const tokens = new Lexer(mayHoldMaths(text) ? withMaths : plain).lex(text);
  const nodes = showSources([...tokens], text, (raw) => new Lexer(plain).inlineTokens(raw));
  return { nodes: asNodes(nodes), links: tokens.links };
}

/** What may hold tokens: a token, an item or a cell. */
export interface Holder {
  type?: string;
  raw?: string;
  text?: string;
  tokens?: Token[] | undefined;
}

/** What holds tokens in it: its items or cells, and itself. */
export const holdersIn = (token: Holder): Holder[] => [
  ...('items' in token ? (token as Tokens.List).items : []),
  ...('rows' in token ? [(token as Tokens.Table).header, ...(token as Tokens.Table).rows].flat() : []),
  token,
];

/** The same, with everything nested too deep drawn as text; null: there is too much to draw. */
export function withinBounds({ nodes, links }: LexedBlocks): LexedBlocks | null {
  let count = 0;
  const visit = (tokens: readonly Token[], depth: number): void => {
    count += tokens.length;
    for (const token of tokens) {
      for (const part of holdersIn(token)) {
        if (!Array.isArray(part.tokens)) continue;
        if (depth > 2 * DEEPEST_NESTING) part.tokens = [];
        else if (count <= MOST_NODES) visit(part.tokens, depth + 1);
      }
    }
  };
  visit(nodes, 0);
  return count > MOST_NODES ? null : { nodes, links: { ...links } };
}

/** The library's tokens as the closed set that they are, given the extensions registered here. */
export const asNodes = (tokens: Token[] | undefined): MarkdownNode[] => (tokens ?? []) as MarkdownNode[];

/** The address a link may use, or null when it must stay plain text. */
export function safeAddress(href: string): string | null {
  const address = decodeEntities(href).trim();
  const url = URL.parse(address.replace(/^www\./i, 'https://$&'));
  return url !== null && ['http:', 'https:', 'mailto:'].includes(url.protocol) ? url.href : null;
}

/** Whether an address is a web address on another server, so that a picture there can be fetched when a person asks. */
export function isOtherOrigin(address: string, origin: string = location.origin): boolean {
  const url = URL.parse(address);
  return url !== null && /^https?:$/.test(url.protocol) && url.origin !== origin;
}

const ENTITY = /&(?:#\d{1,7}|#[xX][\da-fA-F]{1,6}|[A-Za-z][A-Za-z\d]{1,31});/g;
let decoder: HTMLTextAreaElement | undefined;

/** `&amp;` and the like as the characters they stand for. A textarea's content is text, so nothing in it can run. */
export function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(ENTITY, (entity) => {
    decoder ??= document.createElement('textarea');
    decoder.innerHTML = entity;
    // Longer: the start of the name is another's.
    return decoder.value.length > 2 ? entity : decoder.value;
  });
}

/** Marks of sources that only the program they were written for can show, as in 【4†source】. */
const SOURCE_MARKS =
  / ?(?:\ue200[^\ue200\ue201]{0,1000}\ue201|【\d+(?::\d+)?†[^【】\n]{0,200}】|:contentReference\[oaicite:\d+\]\{index=\d+\}|(?<!=)\[(?:oaicite|citation):\d+\]|\[cite(?:_start|: ?\d[\d, ]{0,80})\])/g;

/** Running text as it is shown: without such marks, and with the characters that entities stand for. */
export const shownText = (text: string): string =>
  decodeEntities(/†|oaicite|\[cit|\ue200/.test(text) ? text.replace(SOURCE_MARKS, '') : text);
