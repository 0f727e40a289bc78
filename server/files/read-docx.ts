import { compile, type DomNode } from 'html-to-text';
import mammoth from 'mammoth';

/**
 * The text of a DOCX as Markdown: headings, lists, tables. Rejects if it isn't one. The document can make it take
 * arbitrarily long.
 */
export async function readDocx(bytes: Uint8Array): Promise<string> {
  const { value } = await mammoth.convertToHtml(
    { buffer: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length) },
    // Its pictures aren't read.
    { convertImage: mammoth.images.imgElement(() => Promise.resolve({ src: '' })) },
  );
  return toMarkdown(value).trim();
}

const HEADINGS = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'];

const toMarkdown = compile({
  wordwrap: false,
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
          builder.closeTableCell();
        }
        builder.closeTableRow();
      }
      builder.closeTable({ tableToString: (rows) => drawTable(rows.map((row) => row.map(inCell))) });
    },
  },
  selectors: [
    { selector: 'img', format: 'skip' },
    {
      selector: 'a',
      options: { linkBrackets: ['(', ')'], hideLinkHrefIfSameAsText: true, noAnchorUrl: true },
    },
    ...HEADINGS.map((selector) => ({ selector, format: 'markdownHeading' })),
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

/** A cell of a Markdown table is one line without bars. */
const inCell = ({ text }: { text: string }): string =>
  text
    .trim()
    .replace(/(?<!\s)\s*\n\s*/g, ' ')
    .replaceAll('|', '\\|');

function drawTable(rows: readonly string[][]): string {
  const [head, ...body] = rows.map((row) => `| ${row.join(' | ')} |`);
  if (head === undefined) return '';
  const rule = `|${' --- |'.repeat(rows[0]?.length ?? 0)}`;
  return [head, rule, ...body].join('\n');
}
