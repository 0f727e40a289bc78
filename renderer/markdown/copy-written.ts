/** Formulas are copied as they were written, and the buttons of code and tables not at all. */

const APART = '.bar, .note, button';
const UNSEEN = '[hidden], details:not([open]) > :not(summary)';

/** Changes a copy of what the page shows into what was written. */
function restore(copy: ParentNode): void {
  copy.querySelectorAll(APART).forEach((element) => element.remove());
  for (const formula of copy.querySelectorAll('.maths')) {
    // The typesetter keeps it for readers of the page; one that isn't drawn stands as it was written.
    const tex = formula.querySelector('annotation')?.textContent;
    const mark = formula.matches('.display') ? '$$' : '$';
    if (tex !== undefined) formula.replaceWith(`${mark}${tex}${mark}`);
  }
}

/** The text of an element as it was written, with its line breaks. */
export function writtenText(element: Element): string {
  const copy = element.cloneNode(true) as Element;
  restore(copy);
  copy.querySelectorAll('br').forEach((end) => end.replaceWith('\n'));
  return copy.textContent.trim();
}

/** The text with its line breaks, as `innerText` has it; that would lay out all of it first, which takes a long reply seconds. */
function linesOf(holder: Element): string {
  let text = '';
  /** Line breaks that are due before the next text. */
  let due = 0;
  const add = (piece: string): void => {
    text += '\n'.repeat(text === '' ? 0 : due) + piece;
    due = 0;
  };
  const read = (node: Node): void => {
    if (node instanceof Text) {
      // Blanks between blocks are no text.
      const isGap = node.data.trim() === '' && (due > 0 || text === '' || isBlock(node.nextSibling));
      if (!isGap) add(node.data);
    } else if (node instanceof HTMLBRElement) add('\n');
    else if (node instanceof HTMLElement && !node.matches(UNSEEN)) {
      const breaks = node.matches('p') ? 2 : isBlock(node) ? 1 : 0;
      due = Math.max(due, breaks);
      node.childNodes.forEach(read);
      due = Math.max(due, breaks);
      if (node.matches(':is(td, th):not(:last-child)')) add('\t');
    }
  };
  holder.childNodes.forEach(read);
  return text.trim();
}

const isBlock = (node: Node | null): boolean =>
  node instanceof Element &&
  node.matches(
    'article, blockquote, details, div, figure, h1, h2, h3, h4, h5, h6, hr, li, ol, p, pre, summary, table, tbody, thead, tr, ul',
  );

/** For the event `copy`: a selection that holds formulas or buttons. */
export function copyAsWritten(event: ClipboardEvent): void {
  const selection = getSelection();
  if (!selection || selection.isCollapsed || !event.clipboardData) return;
  if (event.target instanceof Element && event.target.matches('input, textarea')) return;
  const range = selection.getRangeAt(0);
  const within = range.commonAncestorContainer;
  const formula = (within instanceof Element ? within : within.parentElement)?.closest('.maths');
  const holder = document.createElement('div');
  if (formula) holder.append(formula.cloneNode(true));
  else holder.append(range.cloneContents());
  if (holder.querySelector(`.maths, ${APART}`) === null) return;
  restore(holder);
  event.clipboardData.setData('text/plain', linesOf(holder));
  event.preventDefault();
}
