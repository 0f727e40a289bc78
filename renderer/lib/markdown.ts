/**
 * Markdown as a tree. Components draw the tree with elements of their own, so no HTML from a message ever reaches the
 * page: tags in it are shown as the text they are, and there is nothing to sanitise.
 */
import { lexer, type MarkedToken, type Token } from 'marked';

/** One node of parsed Markdown. */
export type MarkdownNode = MarkedToken;

/** Beyond this many characters a text is shown as it is, so that one huge reply can't hold up the page. */
const LONGEST_PARSED_CHARACTERS = 200_000;

/** How deep lists and quotes may nest before the rest is shown as it is. */
export const DEEPEST_NESTING = 24;

const asPlainText = (text: string): MarkdownNode[] => [
  { type: 'paragraph', raw: text, text, tokens: [{ type: 'text', raw: text, text, escaped: true }] },
];

/** Parses Markdown (GitHub's flavour). Never throws: what can't be parsed comes back as one plain paragraph. */
export function parseMarkdown(text: string): MarkdownNode[] {
  if (text.length > LONGEST_PARSED_CHARACTERS) return asPlainText(text);
  try {
    return asNodes(lexer(text));
  } catch {
    return asPlainText(text);
  }
}

/** The library's tokens as the closed set that they are when no extension is registered. */
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
  return text.replace(ENTITY, (entity) => {
    decoder ??= document.createElement('textarea');
    decoder.innerHTML = entity;
    return decoder.value;
  });
}
