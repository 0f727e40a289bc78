import { getDocumentProxy } from 'unpdf';

/** How many pages may have to be searched for text; a longer document counts as made to take forever. */
const MAX_PAGES = 5_000;

/**
 * Sends the text of a PDF page by page, up to `maxCharacters`. Rejects as PDF.js does: with an error named
 * `PasswordException` if it needs a password. The document can make it take arbitrarily long.
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
