/**
 * Parses a text that grows. Blocks that can't change any more are kept, with their identity, and only what follows them is
 * parsed anew, so that a long reply costs what its last block costs and components redraw nothing else. Whatever the
 * steps in which a text came, the tree is the one that parsing it whole gives: the tests hold it to that.
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

/** So much is taken apart at once: at worst it costs a few frames. Most replies consist of such parts. */
const AT_ONCE_CHARACTERS = 4_000;
/** After so many milliseconds of such parts the rest is for elsewhere. */
const AT_ONCE_MS = 40;
/** What is missing of a text that grows is left out for a moment, rather than drawn as it was written, up to so many characters. */
const MISSING_CHARACTERS = 1_000;

/** What a text consists of, if that is known already; null: it takes too long to find out; undefined: it isn't known. */
export type KnownBlocks = (text: string) => LexedBlocks | null | undefined;

export class IncrementalMarkdown {
  readonly #known: KnownBlocks;
  #text = '';
  #nodes: MarkdownNode[] = [];
  /** The node from which on all must be parsed again when text is added, and where it begins in the text. */
  #from = 0;
  #fromOffset = 0;
  /** The text whose end couldn't be parsed in time; nothing that begins with it is tried. */
  #stuckOn: string | null = null;

  constructor(known: KnownBlocks = () => undefined) {
    this.#known = known;
  }

  /** The tree of `text`; cheap where it only adds to the text before. Null: it takes too long here. Never throws. */
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

  /** As {@link update}, for what takes too long here. Nothing else may be asked until it resolves, but {@link soFar}. */
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

  /** What is known of `text`: the tree so far, or what is settled and the rest as it was written. */
  soFar(text: string): MarkdownNode[] {
    const source = withUnixLines(text);
    if (!source.startsWith(this.#text)) return asPlainText(source);
    if (this.#text !== '' && source.length - this.#text.length < MISSING_CHARACTERS) return this.#nodes;
    return [...this.#nodes.slice(0, this.#from), ...asPlainText(source.slice(this.#fromOffset))];
  }

  /** Forgets what is settled where the text is another one. */
  #leaveOther(source: string): void {
    if (!source.startsWith(this.#text.slice(0, this.#fromOffset))) [this.#from, this.#fromOffset] = [0, 0];
    if (this.#stuckOn !== null && !source.startsWith(this.#stuckOn)) this.#stuckOn = null;
  }

  /** Parses a part after the other, as long as that is quick. */
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

  /** Asks for what the rest of the text consists of. */
  *#parseRest(source: string): Generator<string, MarkdownNode[], LexedBlocks | null> {
    if (this.#fromOffset > 0) {
      const rest = yield source.slice(this.#fromOffset);
      if (rest === null) return this.#keepStuck(source, this.#fromOffset);
      if (this.#take(source, rest)) return this.#nodes;
    }
    const whole = yield source;
    return whole === null ? this.#keepStuck(source, 0) : this.#takeWhole(source, whole);
  }

  /** Appends newly parsed blocks to the settled ones. False: they define links, which also count before them, so everything has to be parsed again. */
  #take(source: string, { nodes, links }: LexedBlocks): boolean {
    if (this.#fromOffset > 0 && !isEmpty(links)) return false;
    if (this.#fromOffset === 0) {
      this.#takeWhole(source, { nodes, links });
    } else {
      const kept = this.#nodes.slice(0, this.#from);
      this.#keep(source, [...kept, ...keepSame(this.#nodes.slice(this.#from), nodes)], links);
    }
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

  /** Keeps what comes before `offset`, where something settled ends, and the rest as it was written. */
  #keepPlain(source: string, offset: number): MarkdownNode[] {
    this.#from = offset === 0 ? 0 : this.#from;
    this.#fromOffset = offset;
    this.#text = source;
    this.#nodes = [...this.#nodes.slice(0, this.#from), ...asPlainText(source.slice(offset))];
    return this.#nodes;
  }
}

const withUnixLines = (text: string): string => (text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text);

/** Where a part ends that begins there: where a block begins behind a blank line that isn't too far, else with the text. */
function endOfPart(source: string, start: number): number {
  if (source.length - start <= AT_ONCE_CHARACTERS) return source.length;
  const blank = source.lastIndexOf('\n\n', start + AT_ONCE_CHARACTERS - 3);
  return blank > start ? blank + 3 : source.length;
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
