/**
 * Parses a text that grows. Blocks that can't change any more are kept, with their identity, and only what follows them is
 * parsed again, so that a long reply costs what its last block costs and components redraw nothing else. Whatever the
 * steps in which a text came, the tree equals that of parsing it whole: the tests check that.
 */
import type { Links } from 'marked';
import { keepSame } from '../lib/keep-same.ts';
import {
  asPlainText,
  lexBlocks,
  LONGEST_PARSED_CHARACTERS,
  type LexedBlocks,
  type MarkdownNode,
} from './markdown.ts';
import { mayOpenMaths } from './maths-syntax.ts';

/** A part that is parsed at once, in characters: at worst it costs a few frames. Most replies consist of such parts. */
const AT_ONCE_CHARACTERS = 4_000;
/** What the beginning of a formula is taken for until it closes: a line of signs below it makes it a heading or a table. */
const BEGUN_AS_MATHS: ReadonlySet<string> = new Set(['paragraph', 'heading', 'table']);
/** After this many milliseconds the rest is parsed in the drawing thread. */
const AT_ONCE_MS = 40;
/** The newest text, up to this many characters, is left out for a moment rather than drawn unparsed. */
const MISSING_CHARACTERS = 1_000;

/** A text's blocks if known already; null: parsing it takes too long; undefined: not known. */
export type KnownBlocks = (text: string) => LexedBlocks | null | undefined;

export class IncrementalMarkdown {
  readonly #known: KnownBlocks;
  #text = '';
  #nodes: MarkdownNode[] = [];
  /** The first node that must be parsed again when text is added, and where it begins in the text. */
  #from = 0;
  #fromOffset = 0;
  /** The text whose end couldn't be parsed in time; no text that begins with it is tried. */
  #stuckOn: string | null = null;

  constructor(known: KnownBlocks = () => undefined) {
    this.#known = known;
  }

  /** The tree of `text`; cheap if it only extends the previous text. Null: parsing takes too long here. Never throws. */
  update(text: string): MarkdownNode[] | null {
    const source = withUnixLines(text);
    if (source === this.#text) return this.#nodes;
    if (source.length > LONGEST_PARSED_CHARACTERS) return this.#keepPlain(source, 0);
    this.#leaveOther(source);
    if (this.#stuckOn !== null) return this.#keepPlain(source, this.#fromOffset);
    try {
      return this.#parseParts(source);
    } catch {
      return this.#keepPlain(source, 0);
    }
  }

  /** Like {@link update}, for texts that take too long here. Until it resolves, call only {@link soFar}. */
  async updateElsewhere(
    text: string,
    lex: (text: string) => Promise<LexedBlocks | null>,
  ): Promise<MarkdownNode[]> {
    const source = withUnixLines(text);
    this.#leaveOther(source);
    const steps = this.#parseRest(source);
    let step = steps.next();
    while (!step.done) step = steps.next(await lex(step.value));
    return step.value;
  }

  /** What is known of `text`: the tree so far, or the settled part with the rest unparsed. */
  soFar(text: string): MarkdownNode[] {
    const source = withUnixLines(text);
    if (!source.startsWith(this.#text)) return asPlainText(source);
    if (this.#text !== '' && source.length - this.#text.length < MISSING_CHARACTERS) return this.#nodes;
    return [...this.#nodes.slice(0, this.#from), ...asPlainText(source.slice(this.#fromOffset))];
  }

  /** Drops the settled part if the text is a different one. */
  #leaveOther(source: string): void {
    if (!source.startsWith(this.#text.slice(0, this.#fromOffset))) [this.#from, this.#fromOffset] = [0, 0];
    if (this.#stuckOn !== null && !source.startsWith(this.#stuckOn)) this.#stuckOn = null;
  }

  /** Parses part by part, as long as that is quick. */
  #parseParts(source: string): MarkdownNode[] | null {
    const before = performance.now();
    let done = this.#fromOffset;
    while (performance.now() - before < AT_ONCE_MS) {
      const end = endOfPart(source, this.#fromOffset);
      if (end - this.#fromOffset > AT_ONCE_CHARACTERS || (end <= done && end < source.length)) break;
      const part = source.slice(0, end);
      if (!this.#take(part, lexBlocks(part.slice(this.#fromOffset)))) {
        if (end > AT_ONCE_CHARACTERS) break;
        this.#takeWhole(part, lexBlocks(part));
      }
      if (end === source.length) return this.#nodes;
      done = end;
    }
    const steps = this.#parseRest(source);
    let step = steps.next();
    while (!step.done) {
      const known = this.#known(step.value);
      if (known === undefined) return null;
      step = steps.next(known);
    }
    return step.value;
  }

  /** Asks for the blocks of the rest of the text. */
  *#parseRest(source: string): Generator<string, MarkdownNode[], LexedBlocks | null> {
    if (this.#fromOffset > 0) {
      const rest = yield source.slice(this.#fromOffset);
      if (rest === null) return this.#keepStuck(source, this.#fromOffset);
      if (this.#take(source, rest)) return this.#nodes;
    }
    const whole = yield source;
    return whole === null ? this.#keepStuck(source, 0) : this.#takeWhole(source, whole);
  }

  /** Appends newly parsed blocks. False: they define links, which also apply before them, so the whole text has to be parsed again. */
  #take(source: string, { nodes, links }: LexedBlocks): boolean {
    if (this.#fromOffset > 0 && !isEmpty(links)) return false;
    const kept = this.#nodes.slice(0, this.#from);
    this.#keep(source, [...kept, ...keepSame(this.#nodes.slice(this.#from), nodes)], links);
    return true;
  }

  #takeWhole(source: string, { nodes, links }: LexedBlocks): MarkdownNode[] {
    return this.#keep(source, keepSame(this.#nodes, nodes), links);
  }

  #keep(source: string, nodes: MarkdownNode[], links: Links): MarkdownNode[] {
    this.#text = source;
    this.#nodes = nodes;
    [this.#from, this.#fromOffset] = isEmpty(links) ? firstUnsettled(source, nodes) : [0, 0];
    return nodes;
  }

  #keepStuck(source: string, offset: number): MarkdownNode[] {
    this.#stuckOn = source;
    return this.#keepPlain(source, offset);
  }

  /** Keeps what comes before `offset`, where a settled block ends, and the rest unparsed. */
  #keepPlain(source: string, offset: number): MarkdownNode[] {
    this.#from = offset === 0 ? 0 : this.#from;
    this.#fromOffset = offset;
    this.#text = source;
    this.#nodes = [...this.#nodes.slice(0, this.#from), ...asPlainText(source.slice(offset))];
    return this.#nodes;
  }
}

const withUnixLines = (text: string): string => (text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text);

/** Where a part that begins there ends: at the next block after a blank line, if that isn't too far, else at the text's end. */
function endOfPart(source: string, start: number): number {
  if (source.length - start <= AT_ONCE_CHARACTERS) return source.length;
  const blank = source.lastIndexOf('\n\n', start + AT_ONCE_CHARACTERS - 3);
  return blank > start ? blank + 3 : source.length;
}

const isEmpty = (links: Links): boolean => Object.keys(links).length === 0;

/** Blocks that end for good at a blank line. Lists, indented code, HTML and definitions may continue after one. */
const ENDS_AT_BLANK_LINE: readonly MarkdownNode['type'][] = [
  'paragraph',
  'heading',
  'hr',
  'blockquote',
  'table',
  'maths',
  'details',
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
    offset += node.raw.length;
    // A definition's title and a formula may span blank lines, and are such only when they close.
    if (
      isOpenDefinition(node) ||
      (BEGUN_AS_MATHS.has(node.type) && mayOpenMaths(node.raw, source.length - offset))
    )
      return found;
  }
  // If the library's length of a node differs from the text, nothing can be cut there.
  return offset === source.length ? found : [0, 0];
}
