/** Formulas and pictures are copied as they were written, and the buttons of code and tables not at all. */

const APART = '.bar, .note:not(blockquote), button';
const WHOLE = '.maths, .place';
/** Part of a long paragraph: it begins a line, and is copied without one. */
const RUN = '.run';
const UNSEEN = '[hidden], details:not([open]) > :not(summary)';

/** How a formula or a picture was written. */
function sourceOf(element: Element): string {
  const address = element.querySelector('.host')?.getAttribute('href');
  if (address) return `![${element.querySelector('.name')?.textContent ?? ''}](${address})`;
  // The typesetter keeps it for readers of the page; a formula that isn't drawn stands as it was written.
  const tex = element.querySelector('annotation')?.textContent;
  const mark = element.matches('.display') ? '$$' : '$';
  return tex === undefined ? element.textContent : `${mark}${tex}${mark}`;
}

/**
 * The text of an element, or of a range in it, as it was written. Its lines are as `innerText` has them; that would lay out all of
 * it first, which takes a long reply seconds.
 */
export function writtenText(root: Element, range?: Range): { text: string; isOther: boolean } {
  let text = '';
  /** Line breaks that are due before the next text. */
  let due = 0;
  let isWithin = range === undefined;
  /** It differs from what the browser would copy. */
  let isOther = false;
  const add = (piece: string): void => {
    text += '\n'.repeat(text === '' ? 0 : due) + piece;
    due = 0;
  };
  const cross = (node: Node, offset: number): void => {
    if (node === range?.startContainer && offset === range.startOffset) isWithin = true;
    if (node === range?.endContainer && offset === range.endOffset) isWithin = false;
  };
  const readText = (node: Text): void => {
    isWithin ||= node === range?.startContainer;
    const end = node === range?.endContainer ? range.endOffset : node.length;
    const data = node.data.slice(node === range?.startContainer ? range.startOffset : 0, end);
    // Blanks between blocks are no text.
    const isGap = data.trim() === '' && (due > 0 || text === '' || isBlock(node.nextSibling));
    if (isWithin && !isGap) add(data);
    isWithin &&= node !== range?.endContainer;
  };
  const read = (node: Node): void => {
    if (node instanceof Text) readText(node);
    if (!(node instanceof HTMLElement)) return;
    const isWhole = node.matches(WHOLE);
    if (isWhole || node.matches(APART) || node.matches(UNSEEN)) {
      isWithin ||= range !== undefined && node.contains(range.startContainer);
      isOther ||= isWithin && !node.matches(UNSEEN);
      if (isWithin && isWhole) add(sourceOf(node));
      isWithin &&= range === undefined || !node.contains(range.endContainer);
      return;
    }
    isOther ||= isWithin && node.matches(RUN);
    const breaks = node.matches('p') ? 2 : isBlock(node) ? 1 : 0;
    due = Math.max(due, breaks);
    let offset = 0;
    for (let child = node.firstChild; child; child = child.nextSibling) {
      cross(node, offset);
      read(child);
      offset += 1;
    }
    cross(node, offset);
    if (isWithin && node.matches('br')) add('\n');
    due = Math.max(due, breaks);
    if (isWithin && node.matches(':is(td, th):not(:last-child)')) add('\t');
  };
  read(root);
  return { text: text.trim(), isOther };
}

const isBlock = (node: Node | null): boolean =>
  node instanceof Element &&
  node.matches(
    'article, blockquote, details, div, figure, h1, h2, h3, h4, h5, h6, hr, li, ol, p, pre, summary, table, tbody, thead, tr, ul',
  );

/** For the event `copy`: a selection that holds formulas, pictures or buttons. */
export function copyAsWritten(event: ClipboardEvent): void {
  const selection = getSelection();
  if (!selection || selection.isCollapsed || !event.clipboardData) return;
  if (event.target instanceof Element && event.target.matches('input, textarea')) return;
  const range = selection.getRangeAt(0);
  const within = range.commonAncestorContainer;
  const element = within instanceof Element ? within : within.parentElement;
  const root = element?.closest(WHOLE) ?? element;
  const { text, isOther } = root ? writtenText(root, range) : { text: '', isOther: false };
  if (!isOther || text === '') return;
  event.clipboardData.setData('text/plain', text);
  event.preventDefault();
}
