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
  page.cleanup();
  return pageText(items.filter((item) => 'str' in item)).trim();
}

/** A piece of a line, as PDF.js gives it. */
export interface PdfPiece {
  str: string;
  dir: string;
  hasEOL: boolean;
  width: number;
  /** The fourth is the size of its letters, the fifth how far right it begins. */
  transform: readonly number[];
}

/** The text of these pieces, line by line. */
export function pageText(pieces: readonly PdfPiece[]): string {
  let start = 0;
  const lines = pieces.flatMap(({ hasEOL }, index) => {
    if (!hasEOL && index < pieces.length - 1) return [];
    const line = inReadingOrder(pieces.slice(start, (start = index + 1)));
    return [line.map(({ str }) => str).join('') + (hasEOL ? '\n' : '')];
  });
  // The shapes that Arabic letters take in a word.
  return lines.join('').replace(/[\ufb1d-\ufdff\ufe70-\ufefc]+/g, (shapes) => shapes.normalize('NFKC'));
}

/** Each beside the one that it becomes. */
const BRACKETS = '()[]{}<>«»';
const isSign = ({ str }: PdfPiece): boolean => !/[\p{L}\p{N}]/u.test(str);

/** Most programs write a line from left to right even if it is read from the right. */
function inReadingOrder(line: readonly PdfPiece[]): readonly PdfPiece[] {
  const words = line.filter((piece) => !isSign(piece));
  const [first, last] = [words[0], words.at(-1)];
  const fromRight = words.filter(({ dir }) => dir === 'rtl');
  if (fromRight.length === 0) return line;
  if ((first?.transform[4] ?? 0) > (last?.transform[4] ?? 0))
    return line.map((piece, index) =>
      isApart(line[index - 1], piece) ? { ...piece, str: ` ${piece.str}` } : piece,
    );
  const lettersOf = (some: readonly PdfPiece[]): number =>
    some.reduce((sum, { str }) => sum + (str.match(/\p{L}/gu)?.length ?? 0), 0);
  const isFromRight = 2 * lettersOf(fromRight) > lettersOf(words);
  const ordered = isFromRight ? turned(line) : [...line];
  const kinds = ordered.map((piece) =>
    isSign(piece) ? ' ' : (piece.dir === 'rtl') === isFromRight ? 'a' : 'b',
  );
  // Words of the other direction that follow each other.
  for (const { 0: run, index } of kinds.join('').matchAll(/b(?: *b)*/g))
    ordered.splice(index, run.length, ...turned(ordered.slice(index, index + run.length)));
  return ordered;
}

/** Whether there is a gap to the piece right of it, which PDF.js only makes a blank from left to right. */
function isApart(right: PdfPiece | undefined, { str, width, transform }: PdfPiece): boolean {
  if (right === undefined || /\s$/.test(right.str) || /^\s/.test(str)) return false;
  return (right.transform[4] ?? 0) - (transform[4] ?? 0) - width > 0.15 * Math.abs(transform[3] ?? 0);
}

const turned = (pieces: readonly PdfPiece[]): PdfPiece[] =>
  pieces.toReversed().map((piece) => {
    if (!isSign(piece)) return piece;
    const mirrored = piece.str.replace(
      /[()[\]{}<>«»]/g,
      (sign) => BRACKETS[BRACKETS.indexOf(sign) ^ 1] ?? sign,
    );
    return { ...piece, str: mirrored };
  });
