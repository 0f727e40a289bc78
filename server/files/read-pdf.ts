import { getDocumentProxy } from 'unpdf';

/** So many pages are looked at for text; what has more is given up as one that was made to take for ever. */
const MAX_PAGES = 5_000;

/**
 * Tells the text of a PDF page by page, until that is as much as `maxCharacters`. Rejects as PDF.js does: with an error named
 * `PasswordException` where it needs a password. Takes as long as the document makes it.
 */
export async function readPdf(
  bytes: Uint8Array,
  maxCharacters: number,
  onText: (text: string) => void,
): Promise<void> {
  // It prints warnings unless told not to.
  const pdf = await getDocumentProxy(bytes, { verbosity: 0 });
  let characters = 0;
  for (let page = 1; page <= Math.min(pdf.numPages, MAX_PAGES) && characters <= maxCharacters; page += 1) {
    const text = await readPage(pdf, page);
    characters += text.length;
    if (text !== '') onText(page === 1 ? text : `\n\n${text}`);
  }
}

type Pdf = Awaited<ReturnType<typeof getDocumentProxy>>;

async function readPage(pdf: Pdf, number: number): Promise<string> {
  const page = await pdf.getPage(number);
  const { items } = await page.getTextContent();
  const text = items.map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : '')).join('');
  page.cleanup();
  return text.trim();
}
