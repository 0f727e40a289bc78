/**
 * Parses a text that grows. Blocks that can't change any more are kept, with their identity, and only what follows them is
 * parsed anew, so that a long reply costs what its last block costs and components redraw nothing else. Whatever the
 * steps in which a text came, the tree is the one that parsing it whole gives: the tests hold it to that.
 */
import type { Links, Tokens } from 'marked';
import { asNodes, asPlainText, lexBlocks, LONGEST_PARSED_CHARACTERS, type MarkdownNode } from './markdown.ts';

export class IncrementalMarkdown {
  #text = '';
  #nodes: MarkdownNode[] = [];
  #links: Links = {};
  /** The node from which on all must be parsed again when text is added, and where it begins in the text. */
  #from = 0;
  #fromOffset = 0;

  /** The tree of `text`; cheap where it only adds to the text before. Never throws. */
  update(text: string): MarkdownNode[] {
    const source = text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
    if (source === this.#text) return this.#nodes;
    if (source.length > LONGEST_PARSED_CHARACTERS) return this.#keep(source, asPlainText(source), {}, true);
    try {
      return this.#parse(source);
    } catch {
      return this.#keep(source, asPlainText(source), {}, true);
    }
  }

  #parse(source: string): MarkdownNode[] {
    const offset = this.#fromOffset;
    // Definitions count for all that stands before them, so a text that has any is parsed whole.
    if (offset > 0 && source.startsWith(this.#text.slice(0, offset))) {
      const { nodes, links } = lexBlocks(source.slice(offset));
      if (isEmpty(links)) {
        const kept = this.#nodes.slice(0, this.#from);
        return this.#keep(source, [...kept, ...reuse(this.#nodes.slice(this.#from), nodes, true)], links);
      }
    }
    const { nodes, links } = lexBlocks(source);
    const sameLinks = JSON.stringify(links) === JSON.stringify(this.#links);
    return this.#keep(source, reuse(this.#nodes, nodes, sameLinks), links);
  }

  #keep(source: string, nodes: MarkdownNode[], links: Links, isPlain = false): MarkdownNode[] {
    this.#text = source;
    this.#nodes = nodes;
    this.#links = links;
    const [from, offset] = isPlain || !isEmpty(links) ? [0, 0] : firstUnsettled(source, nodes);
    this.#from = from;
    this.#fromOffset = offset;
    return nodes;
  }
}

const isEmpty = (links: Links): boolean => Object.keys(links).length === 0;

/** Blocks that end for good at a blank line. Lists, indented code, HTML and definitions may go on after one. */
const ENDS_AT_BLANK_LINE: readonly MarkdownNode['type'][] = [
  'paragraph',
  'heading',
  'hr',
  'blockquote',
  'table',
  'maths',
];

const isOpenDefinition = (node: MarkdownNode): boolean =>
  /^ {0,3}\[(?:[\s\S]*?\]:|[\s\S]*\\\n*$)/.test(node.raw);

const endsForGood = (node: MarkdownNode): boolean =>
  node.type === 'code' ? node.codeBlockStyle !== 'indented' : ENDS_AT_BLANK_LINE.includes(node.type);

/** The last node that begins after a blank line behind a block that has ended for good, and its place in the text. */
function firstUnsettled(source: string, nodes: MarkdownNode[]): [index: number, offset: number] {
  let found: [number, number] = [0, 0];
  let offset = 0;
  for (const [index, node] of nodes.entries()) {
    const [block, space] = [nodes[index - 2], nodes[index - 1]];
    if (node.type !== 'space' && space?.type === 'space' && block && endsForGood(block)) {
      found = [index, offset];
    }
    // A definition's title may run over blank lines, and turn out to be one only when it closes.
    if (isOpenDefinition(node)) return found;
    offset += node.raw.length;
  }
  // Where the library says otherwise than the text how long a node is, nothing can be cut at it.
  return offset === source.length ? found : [0, 0];
}

/** The same source can still be another text: how much of a line's start is left out depends on what is around it. */
const isSame = (one: MarkdownNode, other: MarkdownNode): boolean =>
  one.raw === other.raw && ('text' in one ? one.text : '') === ('text' in other ? other.text : '');

/** `fresh` with each node that is as before replaced by the one from before. */
function reuse(before: MarkdownNode[], fresh: MarkdownNode[], sameLinks: boolean): MarkdownNode[] {
  return fresh.map((node, index) => {
    const old = before[index];
    if (old?.type !== node.type) return node;
    const unchanged = isSame(old, node) && (sameLinks || !node.raw.includes('['));
    if (old.type === 'list' && node.type === 'list') {
      if (old.loose !== node.loose || old.ordered !== node.ordered) return node;
      if (unchanged && old.start === node.start) return old;
      return { ...node, items: reuseItems(old.items, node.items, sameLinks) };
    }
    if (old.type === 'blockquote' && node.type === 'blockquote') {
      const inside = asNodes(old.tokens);
      const tokens = reuse(inside, asNodes(node.tokens), sameLinks);
      const allKept = tokens.length === inside.length && tokens.every((token, at) => token === inside[at]);
      return unchanged && allKept ? old : { ...node, tokens: tokens };
    }
    if (old.type === 'table' && node.type === 'table' && !unchanged) {
      return { ...node, rows: reuseRows(old.rows, node.rows, sameLinks) };
    }
    return unchanged ? old : node;
  });
}

function reuseItems(
  before: Tokens.ListItem[],
  fresh: Tokens.ListItem[],
  sameLinks: boolean,
): Tokens.ListItem[] {
  return fresh.map((item, index) => {
    const old = before[index];
    const unchanged =
      old?.raw === item.raw &&
      old.text === item.text &&
      old.loose === item.loose &&
      old.task === item.task &&
      (sameLinks || !item.raw.includes('['));
    return unchanged ? old : item;
  });
}

function reuseRows(
  before: Tokens.TableCell[][],
  fresh: Tokens.TableCell[][],
  sameLinks: boolean,
): Tokens.TableCell[][] {
  return fresh.map((row, index) => {
    const old = before[index];
    const unchanged =
      old?.length === row.length &&
      row.every((cell, column) => {
        const other = old[column];
        return (
          other?.text === cell.text && other.align === cell.align && (sameLinks || !cell.text.includes('['))
        );
      });
    return unchanged ? old : row;
  });
}
