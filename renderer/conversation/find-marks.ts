/**
 * Marks search matches with the browser's highlights, without changing the page. What counts as
 * one run of text must match message-text.ts.
 */
import { normaliseText, findMatches } from './normalise-text.ts';

const ALL = 'found';
const CURRENT = 'found-current';
/** The elements with the text of a message. Between messages there are also summaries. */
const TEXTS = '.bubble > .text, .markdown:not(.nested, .summary .markdown), [data-searched]';
const APART = 'button, .host, .maths, .bar, .note:not(blockquote), [role="status"]';
const WITHIN_RUN =
  /^(?:A|ABBR|B|BIG|CITE|CODE|DEL|DFN|EM|FONT|I|INS|KBD|MARK|Q|R[BPT]|RUBY|S|SAMP|SMALL|SPAN|STRIKE|STRONG|SU[BP]|TIME|TT|U|VAR)$/;

/** Where a normalised query occurs in the drawn text of a message, run by run, in reading order. */
export function* rangesIn(row: Element, query: string): Generator<StaticRange[]> {
  for (const text of row.querySelectorAll(TEXTS)) {
    for (const run of runsIn(text)) yield rangesInRun(run, query);
  }
}

/** Highlights these matches, and one of them as the current one. */
export function mark(ranges: readonly StaticRange[], current: StaticRange | null): void {
  const all = new Highlight();
  for (const range of ranges) all.add(range);
  CSS.highlights.set(ALL, all);
  const here = new Highlight(...(current === null ? [] : [current]));
  here.priority = 1;
  CSS.highlights.set(CURRENT, here);
}

/** Removes all highlights. */
export function unmark(): void {
  CSS.highlights.delete(ALL);
  CSS.highlights.delete(CURRENT);
}

function* runsIn(root: Element): Generator<Text[]> {
  let open: Text[] = [];
  function* end(): Generator<Text[]> {
    if (open.length > 0) yield open;
    open = [];
  }
  function* visit(node: Node): Generator<Text[]> {
    if (node instanceof Text) {
      if (node.data !== '') open.push(node);
      return;
    }
    if (!(node instanceof Element)) return;
    const isApart = node.matches(APART);
    const isWithin = !isApart && WITHIN_RUN.test(node.tagName);
    if (!isWithin) yield* end();
    if (!isApart) yield* visitAll(node);
    if (!isWithin) yield* end();
  }
  // Going through a live list of thousands of nodes takes more than twice as long.
  function* visitAll({ firstChild }: Element): Generator<Text[]> {
    for (let child = firstChild; child; child = child.nextSibling) yield* visit(child);
  }
  yield* visitAll(root);
  yield* end();
}

/** Static: of thousands of live ranges, the browser would adjust each with every change of the page, for minutes after the search. */
function rangesInRun(run: readonly Text[], query: string): StaticRange[] {
  const bounds = findMatches(query, normaliseText(run.map(({ data }) => data).join('')));
  const pointAt = pointFinder(run);
  const ranges: StaticRange[] = [];
  for (let index = 0; index < bounds.length; index += 2) {
    const [startContainer, startOffset] = pointAt(bounds[index] ?? 0);
    const [endContainer, endOffset] = pointAt(bounds[index + 1] ?? 0);
    ranges.push(new StaticRange({ startContainer, startOffset, endContainer, endOffset }));
  }
  return ranges;
}

/** Finds where in a run its characters are; call it in ascending order, so that no match begins at the first of thousands of nodes. */
function pointFinder(run: readonly Text[]): (offset: number) => [Text, number] {
  let [index, before] = [0, 0];
  return (offset) => {
    for (;;) {
      const node = run[index];
      if (!node) throw new Error('The offset is behind the run.');
      if (offset <= before + node.data.length) return [node, offset - before];
      before += node.data.length;
      index += 1;
    }
  };
}
