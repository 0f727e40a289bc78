import { compile, type DomNode } from 'html-to-text';
import mammoth from 'mammoth';
import { openArrayBuffer, type DocxParts } from 'mammoth/lib/zipfile.js';
import { marginText, readableXml } from './docx-xml.ts';

/**
 * The text of a DOCX as Markdown: headings, lists, tables, formulas, comments. Rejects if it isn't one. The document can make it take
 * arbitrarily long.
 */
export async function readDocx(bytes: Uint8Array): Promise<string> {
  const { value } = await mammoth.convertToHtml(
    // The library's types don't name this kind of input.
    { file: readable(await openArrayBuffer(bytes)) } as unknown as { buffer: Buffer },
    {
      // Its pictures aren't read.
      convertImage: mammoth.images.imgElement(() => Promise.resolve({ src: '' })),
      styleMap: ['comment-reference => sup', "br[type='page'] => br", "br[type='column'] => br"],
    },
  );
  return toMarkdown(value).trim();
}

const readable = ({ exists, read }: DocxParts): DocxParts => ({
  exists,
  async read(name, encoding) {
    const part = await read(name, encoding);
    if (typeof part !== 'string') return part;
    if (!part.includes('<w:body>')) return readableXml(part);
    const textOf = async (kind: string): Promise<string> => {
      const margins = [1, 2, 3].map((number) => `word/${kind}${number}.xml`).filter((each) => exists(each));
      return marginText((await Promise.all(margins.map((each) => read(each, 'utf-8')))).join(''));
    };
    const [header, footer] = [await textOf('header'), await textOf('footer')];
    return readableXml(part)
      .replace(/<w:body>/, (start) => start + header)
      .replace(/<\/w:body>/, (end) => footer + end);
  },
});

const toMarkdown = compile({
  wordwrap: false,
  // Blanks and tabs are those of the document: code is indented with them.
  whitespaceCharacters: '\r\n',
  limits: { maxDepth: 200, maxInputLength: Infinity },
  formatters: {
    markdownHeading(element, walk, builder) {
      builder.openBlock({ leadingLineBreaks: 2 });
      builder.addLiteral(`${'#'.repeat(Number(element.name?.slice(1)))} `);
      walk(element.children, builder);
      builder.closeBlock({ trailingLineBreaks: 2 });
    },
    markdownTable(element, walk, builder) {
      builder.openTable();
      for (const row of within(element, 'tr')) {
        builder.openTableRow();
        for (const cell of within(row, 'td', 'th')) {
          builder.openTableCell();
          walk(cell.children, builder);
          const { colspan = '1', rowspan = '1' } = (cell.attribs ?? {}) as Record<string, string>;
          builder.closeTableCell({ colspan: Number(colspan), rowspan: Number(rowspan) });
        }
        builder.closeTableRow();
      }
      builder.closeTable({ tableToString: (rows) => drawTable(toGrid(rows)) });
    },
  },
  selectors: [
    { selector: 'img', format: 'skip' },
    {
      selector: 'a',
      options: { linkBrackets: ['(', ')'], hideLinkHrefIfSameAsText: true, noAnchorUrl: true },
    },
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, format: 'markdownHeading' })),
    { selector: 'table', format: 'markdownTable' },
    { selector: 'ul', options: { itemPrefix: '- ' } },
  ],
});

/** The elements of these names in an element, except those in nested tables. */
const within = ({ children }: DomNode, ...names: string[]): DomNode[] =>
  children.flatMap((child) => {
    const { name = '' } = child;
    if (names.includes(name)) return [child];
    return name === 'thead' || name === 'tbody' ? within(child, ...names) : [];
  });

interface Cell {
  text: string;
  colspan: number;
  rowspan: number;
}

/** More columns are no table that a person made. */
const MOST_COLUMNS = 200;

/** Cells in their columns: where a merged one goes on, they are empty. */
function toGrid(rows: readonly Cell[][]): string[][] {
  const grid: string[][] = rows.map(() => []);
  for (const [index, cells] of rows.entries()) {
    let column = 0;
    for (const cell of cells) {
      while (grid[index]?.[column] !== undefined) column += 1;
      const end = Math.min(column + cell.colspan, MOST_COLUMNS);
      for (const row of grid.slice(index, index + cell.rowspan))
        for (let at = column; at < end; at += 1)
          row[at] = row === grid[index] && at === column ? inCell(cell) : '';
      column = Math.max(column + 1, end);
    }
  }
  return grid;
}

/** A cell of a Markdown table is one line without bars. */
const inCell = ({ text }: Cell): string =>
  text
    .trim()
    .replace(/(?<!\s)\s*\n\s*/g, ' ')
    .replaceAll('|', '\\|');

function drawTable(rows: readonly string[][]): string {
  const [head, ...body] = rows.map((row) => `| ${row.join(' | ')} |`);
  if (head === undefined) return '';
  const rule = `|${' --- |'.repeat(Math.max(...rows.map(({ length }) => length)))}`;
  return [head, rule, ...body].join('\n');
}
