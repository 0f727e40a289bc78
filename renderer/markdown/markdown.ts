/**
 * Markdown as a tree. Components draw it with their own elements, so no HTML from a message ever reaches the
 * page: tags are shown as text, and there is nothing to sanitise.
 */
import {
  Lexer,
  Marked,
  Tokenizer,
  type Links,
  type MarkedExtension,
  type MarkedOptions,
  type MarkedToken,
  type Token,
  type Tokens,
} from 'marked';
import { extendMarkdownRules } from '../../shared/markdown-rules.ts';
import { mathsExtension, mayHoldMaths, type MathsToken } from './maths-syntax.ts';
import {
  piecesExtension,
  showSources,
  type DetailsToken,
  type ElementToken,
  type FootnoteToken,
  type QuoteToken,
  type ReferenceToken,
} from './pieces-syntax.ts';

/** One node of parsed Markdown. */
export type MarkdownNode =
  | Exclude<MarkedToken, Tokens.Blockquote>
  | QuoteToken
  | MathsToken
  | ElementToken
  | DetailsToken
  | FootnoteToken
  | ReferenceToken;

/** A longer text is shown unparsed, so that one huge reply can't block the page. */
export const LONGEST_PARSED_CHARACTERS = 200_000;

/** How deep lists and quotes may nest before the rest is shown as it is. */
export const DEEPEST_NESTING = 24;

/** Drawing more nodes than this would block the page: a text has one for about every 20 characters. */
const MOST_NODES = 25_000;

/** A text as it was written, line by line. */
export const asPlainText = (text: string): MarkdownNode[] =>
  text === '' ? [] : [{ type: 'html', raw: text, text, pre: false, block: true }];

/** More marks of emphasis than this in one run of text are an attack or a slip; pairing them takes quadratic time. */
const MOST_EMPHASIS_MARKS = 600;

/** What holds marks that are no emphasis: products and powers (`2*3*4`, `x**2`), patterns of file names, ends of comments, names in Python. */
const NO_EMPHASIS = new RegExp(
  String.raw`(?<![\w*])(?=(?:\w+\*{1,2})*(?:\w+\*{1,2}\d|(?:\d+|[a-zA-Z])\*))\w+(?:\*{1,2}\w+)+(?![\w*])` +
    String.raw`|(?<=/)(?:\*(?![\w*])|\*\*(?=/|\{|\.[a-z{]))|(?<![\w*)\]])\*(?=\.[a-z]|/(?:\s|$))` +
    String.raw`|(?<!\w)__[a-z]+(?:_[a-z]+)*__(?=\(|\.[a-z])|(?<=[\w)]\.)__[a-z]+__(?!\w)` +
    String.raw`|(?<!\w)__(?:dict|doc|file|init|main|mocks|name|pycache|repr|str|tests)__(?!\w)`,
  'g',
);

/** A text with letters in place of such marks. */
export const withoutOtherMarks = (text: string): string =>
  text.replace(NO_EMPHASIS, (part) => part.replace(/[*_]/g, 'a'));

/** For `marked`: a run with too many marks has no emphasis. */
const boundedEmphasis: MarkedExtension = {
  hooks: { emStrongMask: withoutOtherMarks },
  tokenizer: {
    emStrong: (source, masked) =>
      isOverMarked(masked) || masked.at(-source.length) === 'a' ? undefined : false,
    del: (_source, masked) => (isOverMarked(masked) ? undefined : false),
  },
};

let countedRun = '';
let countedOver = false;
function isOverMarked(run: string): boolean {
  if (run !== countedRun)
    [countedRun, countedOver] = [run, (run.match(/[*_~]/g) ?? []).length > MOST_EMPHASIS_MARKS];
  return countedOver;
}

/** A larger table isn't parsed as one: each row gets as many cells as the head has, so short rows can make millions of them. */
const MOST_CELLS = 10_000;
const TABLE_START = /^[^\n]*\n( {0,3}[|:-][-|: \t]*)(?:\n|$)/;

/** Code and formulas of a cell that may hold a bar. */
const CELL_PIECE =
  /(?<!`)``(?!`)(?:[^`\n]|(?<!`)`(?!`))+``(?!`)|(?<!`)(`+)(?!`)[^`\n]+\1(?!`)|\$\$[^$\n]+\$\$|(?<!\\)\\\((?:[^\\\n]|\\[^()\n])+\\\)|(?<![\w$\\])\$(?![\s$\d])[^$\n]*[^\s$\\]\$(?![\w$])/g;

const UNESCAPED_BAR = /(?<!\\)(?:\\\\)*(?=\|)/g;

const cellsOf = (row: string): string[] =>
  row
    .trim()
    .replace(/^\||(?<!\\)\|$/g, '')
    .split(/(?<!\\)(?:\\\\)*\|/);

/** A row with more cells at its end. */
const widened = (row: string, count: number, cell: string): string =>
  count > 0 ? `${row.trimEnd().replace(/(?<!\\)\|$/, '')}|${cell.repeat(count)}` : row;

const boundedTables: MarkedExtension = {
  tokenizer: {
    table(source) {
      const columns = TABLE_START.exec(source)?.[1]?.match(/[^|\s]+/g)?.length ?? 0;
      if (columns === 0) return false;
      const end = source.search(/\n[ \t]*\n/);
      const text = end === -1 ? source : source.slice(0, end);
      if (columns * text.split('\n', MOST_CELLS).length > MOST_CELLS) return undefined;
      const escaped = text.replace(CELL_PIECE, (piece) => piece.replace(UNESCAPED_BAR, '$&\\'));
      const [whole, head = '', rule = '', body = ''] = this.rules.block.table.exec(escaped) ?? [];
      if (whole === undefined || !head.includes('|') || !rule.includes('|')) return false;
      // Rows may have more cells than the head, which the library leaves out, and the rule may have fewer or more.
      const heads = cellsOf(head).length;
      const rows = body.split('\n');
      const widths = rows.map((row) => cellsOf(row).findLastIndex((cell) => cell.trim() !== '') + 1);
      const width = Math.max(heads, columns, ...widths);
      if (width * rows.length > MOST_CELLS) return undefined;
      const first = `${widened(head, width - heads, ' |')}\n${widened(rule, width - columns, '-|')}\n`;
      const table = Tokenizer.prototype.table.call(this, first + body);
      if (table) table.raw = text.split('\n', table.raw.split('\n').length).join('\n');
      return table ?? false;
    },
  },
};

extendMarkdownRules();
const plain: MarkedOptions = new Marked(boundedTables, boundedEmphasis, piecesExtension).defaults;
const withMaths: MarkedOptions = new Marked(boundedTables, boundedEmphasis, piecesExtension, mathsExtension)
  .defaults;

/** The blocks of a Markdown text, and its reference definitions. */
export interface LexedBlocks {
  nodes: MarkdownNode[];
  links: Links;
}

/** Parses a Markdown text (GitHub's flavour, with maths). Throws if the library does. */
export function lexBlocks(text: string): LexedBlocks {
  const tokens = new Lexer(mayHoldMaths(text) ? withMaths : plain).lex(text);
  return { nodes: asNodes(showSources([...tokens], text)), links: tokens.links };
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

/** The numbers of a list's items: as they were written, unless some are the same, as in `1. 1. 1.` */
export function numbersOf({ start, items }: Tokens.List): number[] {
  const written = items.map(({ raw }) => Number.parseInt(raw, 10));
  const first = start === '' ? 1 : start;
  return new Set(written).size === items.length ? written : items.map((_, index) => first + index);
}

/** The address a link may use, or null when it must stay plain text. */
export function safeAddress(href: string): string | null {
  try {
    const address = decodeEntities(href).trim();
    const url = new URL(address.replace(/^www\./i, 'https://$&'));
    return ['http:', 'https:', 'mailto:'].includes(url.protocol) ? url.href : null;
  } catch {
    return null;
  }
}

/** Whether an address is a web address on another server, so that a picture there can be fetched when a person asks. */
export function isElsewhere(address: string, origin: string = location.origin): boolean {
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
