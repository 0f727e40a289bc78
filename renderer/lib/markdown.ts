/**
 * Markdown as a tree. Components draw the tree with elements of their own, so no HTML from a message ever reaches the
 * page: tags in it are shown as the text they are, and there is nothing to sanitise.
 */
import {
  Lexer,
  Marked,
  type Links,
  type MarkedExtension,
  type MarkedOptions,
  type MarkedToken,
  type Token,
} from 'marked';
import { mathsExtension, mayHoldMaths, type MathsToken } from './maths-syntax.ts';

/** One node of parsed Markdown. */
export type MarkdownNode = MarkedToken | MathsToken;

/** Beyond this many characters a text is shown as it is, so that one huge reply can't hold up the page. */
export const LONGEST_PARSED_CHARACTERS = 200_000;

/** How deep lists and quotes may nest before the rest is shown as it is. */
export const DEEPEST_NESTING = 24;

/** A text as one plain paragraph. */
export const asPlainText = (text: string): MarkdownNode[] => [
  { type: 'paragraph', raw: text, text, tokens: [{ type: 'text', raw: text, text, escaped: true }] },
];

/** So many marks of emphasis in one run of text are an attack or a slip; pairing them takes time squared. */
const MOST_EMPHASIS_MARKS = 600;
const marksIn = (text: string): number => text.match(/[*_~]/g)?.length ?? 0;

/** For `marked`: a run with too many marks has no emphasis. */
const boundedEmphasis: MarkedExtension = {
  tokenizer: {
    emStrong: (_source, masked) => (isOverMarked(masked) ? undefined : false),
    del: (_source, masked) => (isOverMarked(masked) ? undefined : false),
  },
};

let countedRun = '';
let countedOver = false;
function isOverMarked(run: string): boolean {
  if (run !== countedRun) [countedRun, countedOver] = [run, marksIn(run) > MOST_EMPHASIS_MARKS];
  return countedOver;
}

const plain: MarkedOptions = new Marked().defaults;
const withMaths: MarkedOptions = new Marked(mathsExtension).defaults;
const guarded: MarkedOptions = new Marked(mathsExtension, boundedEmphasis).defaults;

/**
 * Blocks of a Markdown text (GitHub's flavour, with maths), and where its reference definitions lead. Throws where the
 * library does.
 */
export function lexBlocks(text: string): { nodes: MarkdownNode[]; links: Links } {
  const options = marksIn(text) > MOST_EMPHASIS_MARKS ? guarded : mayHoldMaths(text) ? withMaths : plain;
  const tokens = new Lexer(options).lex(text);
  return { nodes: [...asNodes(tokens)], links: tokens.links };
}

/** The library's tokens as the closed set that they are with the extensions that are registered here. */
export const asNodes = (tokens: Token[] | undefined): MarkdownNode[] => (tokens ?? []) as MarkdownNode[];

/** Where a link may lead: the address to use, or null when it must stay plain text. */
export function safeAddress(href: string): string | null {
  try {
    const url = new URL(decodeEntities(href).trim());
    return ['http:', 'https:', 'mailto:'].includes(url.protocol) ? url.href : null;
  } catch {
    return null;
  }
}

const ENTITY = /&(?:#\d{1,7}|#[xX][\da-fA-F]{1,6}|[A-Za-z][A-Za-z\d]{1,31});/g;
let decoder: HTMLTextAreaElement | undefined;

/** `&amp;` and the like as the characters they stand for. A textarea's content is text, so nothing in it can run. */
export function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(ENTITY, (entity) => {
    decoder ??= document.createElement('textarea');
    decoder.innerHTML = entity;
    return decoder.value;
  });
}
