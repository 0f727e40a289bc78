/**
 * Formulas, pictures and boxes of tasks are copied as they were written, and the buttons of code and tables not at all: as text, and as
 * HTML for programs that keep headings, links and tables, without the colours and fonts of the window.
 */
import { escapeHtml } from '../../shared/escape-html.ts';

const NOT_READ =
  '.bar, .note:not(blockquote, blockquote > *, .footnote > *), button, [hidden], details:not([open], td *) > :not(summary)';
const WHOLE = '.maths, .placeholder, [type="checkbox"]';
/** What stays in HTML: the elements, without what they look like here, and these of their attributes. */
const KEPT =
  'a, blockquote, br, code, del, div:not(.group), em, h1, h2, h3, h4, h5, h6, hr, kbd, li, mark, ol, p, pre, strong, sub, sup, table, tbody, td, th, thead, tr, ul';
const ATTRIBUTES = ['href', 'dir', 'value'];
const EMPTY = 'br, hr, td, th';
const CELL = 'td, th';
/** Copying starts at the innermost of these around the selection: a part of a formula is still a formula, a part of a cell only text. */
const ROOT = `${WHOLE}, pre, td, th, table`;

/** How a formula or a picture was written. */
function sourceOf(element: Element): string {
  if (element instanceof HTMLInputElement) return element.checked ? '[x] ' : '[ ] ';
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
export function writtenText(root: Element, range?: Range): { text: string; html: string } {
  let text = '';
  /** Line breaks that are due before the next text. */
  let due = 0;
  /** The next text stands in one line with its label. */
  let isLabelled = false;
  const isWithin = (node: Node | null): boolean =>
    node !== null && (range === undefined || range.intersectsNode(node));
  /** Whether the range has only a part of it. Each node in it is then asked about, which takes long with thousands. */
  const isCut = (node: Node): boolean =>
    node.contains(range?.startContainer ?? null) || node.contains(range?.endContainer ?? null);
  const add = (piece: string): string => {
    text += (isLabelled ? ' ' : '\n'.repeat(text === '' ? 0 : due)) + piece;
    due = 0;
    isLabelled = false;
    return escapeHtml(piece);
  };
  const readText = (node: Text): string => {
    const end = node === range?.endContainer ? range.endOffset : node.length;
    const data = node.data.slice(node === range?.startContainer ? range.startOffset : 0, end);
    const isCode = (): boolean => Boolean(node.parentElement?.closest('pre'));
    // Blanks between blocks are no text.
    const isGap = data.trim() === '' && (due > 0 || text === '' || isBlock(node.nextSibling)) && !isCode();
    const html = isGap ? '' : add(data);
    // Line breaks are seen here, but not where it is pasted.
    return html.includes('\n') && !isCode() ? html.replaceAll('\n', '<br>') : html;
  };
  /** Its HTML. */
  const read = (node: Node, isWhole = false): string => {
    if (!isWhole && !isWithin(node)) return '';
    if (node instanceof Text) return readText(node);
    if (!(node instanceof HTMLElement) || node.matches(NOT_READ)) return '';
    const breaks = node.matches('p') ? 2 : isBlock(node) ? 1 : 0;
    due = Math.max(due, breaks);
    let html = '';
    const areWhole = isWhole || !isCut(node);
    if (node.matches(WHOLE)) html = add(sourceOf(node));
    else for (let child = node.firstChild; child; child = child.nextSibling) html += read(child, areWhole);
    // A row of a table is one line.
    if (node.matches('br')) add(!root.matches(CELL) && node.closest(CELL) ? ' ' : '\n');
    isLabelled = node.matches('.footnote > .note');
    due = Math.max(due, breaks);
    if (node.matches(CELL) && isWithin(node.nextElementSibling)) add('\t');
    const isShown = html !== '' || node.matches(EMPTY);
    return isShown && node.matches(KEPT) && !(node === root && node.matches(`${CELL}, li`))
      ? tagged(node, html)
      : html;
  };
  const html = read(root);
  return { text, html };
}

function tagged(node: Element, html: string): string {
  const name = node.localName;
  const attributes = ATTRIBUTES.flatMap((key) => {
    const value = node.getAttribute(key);
    return !value || value === 'ltr' ? [] : [` ${key}="${escapeHtml(value)}"`];
  });
  const start = `<${name}${attributes.join('')}${name === 'table' ? ' border="1"' : ''}>`;
  return /^[bh]r$/.test(name) ? start : `${start}${html}</${name}>`;
}

const isBlock = (node: Node | null): boolean =>
  node instanceof Element &&
  node.matches(
    'article, blockquote, details, div, figure, h1, h2, h3, h4, h5, h6, hr, li, ol, p, pre, summary, table, tbody, thead, tr, ul, .display:not(td *)',
  );

/** For the event `copy`: a selection within the conversation. */
export function copyAsWritten(event: ClipboardEvent): void {
  const selection = getSelection();
  if (!selection || selection.isCollapsed || !event.clipboardData) return;
  if (event.target instanceof Element && event.target.matches('input, textarea')) return;
  const range = selection.getRangeAt(0);
  const within = range.commonAncestorContainer;
  const element = within instanceof Element ? within : within.parentElement;
  const root = element?.closest(ROOT) ?? element;
  if (!root?.closest('[role="log"]')) return;
  const { text, html } = writtenText(root, range);
  if (text.trim() === '') return;
  event.clipboardData.setData('text/plain', text);
  event.clipboardData.setData('text/html', html);
  event.preventDefault();
}

/** A cell for CSV: quoted if it contains a delimiter. */
const asCell = (text: string): string => (/[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** A table as CSV (RFC 4180, with a line feed at the end of each line but the last). */
export const tableAsCsv = (table: HTMLTableElement): string =>
  [...table.rows]
    .map((row) => [...row.cells].map((cell) => asCell(writtenText(cell).text.trim())).join(','))
    .join('\n');
