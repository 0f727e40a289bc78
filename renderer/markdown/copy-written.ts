/** Formulas are copied as they were written, and the buttons of code and tables not at all. */

const APART = '.bar, .note, button';

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
  // Only what is drawn has line breaks between its blocks.
  Object.assign(holder.style, { position: 'fixed', opacity: '0', whiteSpace: 'pre-wrap' });
  document.body.append(holder);
  event.clipboardData.setData('text/plain', holder.innerText.trim());
  holder.remove();
  event.preventDefault();
}
