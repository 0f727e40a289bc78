/** Documents as people attach them, with the parts that are read. */
import { deflateSync } from 'node:zlib';
import { zipOf } from './archives.ts';

/** The options of a PDF. */
export interface PdfOptions {
  /** It needs a password. */
  isLocked?: boolean;
}

/** A PDF with these lines on its pages, each at its own position; a page without lines is a drawn box. */
export const pdfOf = (pages: readonly string[][], options: PdfOptions = {}): Buffer =>
  pdfFrom(
    pages.map((lines) =>
      Buffer.from(
        lines.length === 0
          ? '10 10 100 100 re f'
          : `BT /F1 12 Tf 16 TL 40 780 Td ${lines.map((text) => `(${text.replace(/[\\()]/g, '\\$&')}) Tj T*`).join(' ')} ET`,
        'latin1',
      ),
    ),
    options,
  );

/** A PDF whose pages draw that. */
export function pdfFrom(contents: readonly Buffer[], { isLocked = false }: PdfOptions = {}): Buffer {
  const font = '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>';
  const pageIds = contents.map((_, index) => 3 + 2 * index);
  const objects = [
    Buffer.from('<</Type/Catalog/Pages 2 0 R>>'),
    Buffer.from(
      `<</Type/Pages/Kids[${pageIds.map((id) => `${id} 0 R`).join(' ')}]/Count ${pageIds.length}>>`,
    ),
    ...contents.flatMap((content, index) => {
      const packed = deflateSync(content);
      return [
        Buffer.from(
          `<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Resources<</Font<</F1 ${font}>>>>/Contents ${4 + 2 * index} 0 R>>`,
        ),
        Buffer.concat([
          Buffer.from(`<</Length ${packed.length}/Filter/FlateDecode>>\nstream\n`),
          packed,
          Buffer.from('\nendstream'),
        ]),
      ];
    }),
  ];
  const parts = [Buffer.from('%PDF-1.7\n')];
  let at = parts[0]?.length ?? 0;
  const places = objects.map((object, index) => {
    const part = Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), object, Buffer.from('\nendobj\n')]);
    parts.push(part);
    at += part.length;
    return at - part.length;
  });
  const lock = `/Encrypt<</Filter/Standard/V 1/R 2/O<${'4f'.repeat(32)}>/U<${'55'.repeat(32)}>/P -4>>/ID[<00><00>]`;
  const rows = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`);
  parts.push(
    Buffer.from(
      `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows.join('')}` +
        `trailer<</Size ${objects.length + 1}/Root 1 0 R${isLocked ? lock : ''}>>\nstartxref\n${at}\n%%EOF`,
    ),
  );
  return Buffer.concat(parts);
}

const WORD = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006';

/** A DOCX with that between `<w:body>` and `</w:body>`, and other parts. */
export const docxOf = (
  body: string | Buffer,
  parts: Parameters<typeof zipOf>[0] = [],
  main = 'word/document.xml',
): Buffer =>
  zipOf([
    ...parts,
    {
      name: '[Content_Types].xml',
      data: `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/${main}" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`,
    },
    {
      name: '_rels/.rels',
      data: `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/relationships/officeDocument" Target="${main}"/></Relationships>`,
    },
    {
      name: main,
      data: Buffer.concat([
        Buffer.from(`<?xml version="1.0" encoding="UTF-8"?><w:document xmlns:w="${WORD}"><w:body>`),
        typeof body === 'string' ? Buffer.from(body) : body,
        Buffer.from('</w:body></w:document>'),
      ]),
    },
  ]);

/** A paragraph of a DOCX; `style`: `Heading1` and so on. */
export const paragraph = (text: string, style?: string): string =>
  `<w:p>${style === undefined ? '' : `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>`}<w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`;

/** A table of a DOCX. */
export const table = (rows: readonly string[][]): string =>
  `<w:tbl>${rows
    .map((row) => `<w:tr>${row.map((text) => `<w:tc>${paragraph(text)}</w:tc>`).join('')}</w:tr>`)
    .join('')}</w:tbl>`;
