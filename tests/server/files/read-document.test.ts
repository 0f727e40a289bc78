import { describe, expect, it } from 'vitest';
import {
  readDocument,
  UnreadableError,
  type Document,
  type DocumentText,
  type ReadingLimits,
} from '../../../server/files/read-document.ts';
import { inspectFile } from '../../../server/files/inspect.ts';
import { zipOf } from '../../support/archives.ts';
import { pageText } from '../../../server/files/read-pdf.ts';
import { docxOf, paragraph, pdfFrom, pdfOf, table } from '../../support/documents.ts';

const MB = 1024 ** 2;
/** For documents that can be read: nobody waits so long, but a busy computer may. */
const PATIENT: ReadingLimits = { timeoutMs: 60_000 };

const read = (
  kind: Document['kind'],
  bytes: Buffer | string,
  limits = PATIENT,
  signal = new AbortController().signal,
): Promise<DocumentText> =>
  readDocument({ kind, bytes: Uint8Array.from(Buffer.from(bytes)) }, signal, limits);

describe('reading a PDF', () => {
  it('gives the text of its pages', async () => {
    const pdf = pdfOf([['Invoice 42', 'Total: 1,250.00 EUR'], ['Page (two)']]);
    expect(await read('pdf', pdf)).toEqual({
      text: 'Invoice 42\nTotal: 1,250.00 EUR\n\nPage (two)',
      isCut: false,
    });
  });

  it('gives as much as is wanted, and says that there is more', async () => {
    const pdf = pdfOf(Array.from({ length: 40 }, (_, page) => [`This is page ${page + 1}.`]));
    const { text, isCut } = await read('pdf', pdf, { ...PATIENT, maxCharacters: 40 });
    expect(text).toBe('This is page 1.\n\nThis is page 2.\n\nThis is page 3.'.slice(0, 40));
    expect(isCut).toBe(true);
  });

  it('says of a scan that it holds no text', async () => {
    await expect(read('pdf', pdfOf([[], []]))).rejects.toThrow('holds no text, only pictures');
  });

  it('says of a locked one that it has a password', async () => {
    await expect(read('pdf', pdfOf([['Secret']], { isLocked: true }))).rejects.toThrow(
      'is protected by a password',
    );
  });

  it.each([
    ['cut off', pdfOf([['Half of it']]).subarray(0, 60)],
    ['no PDF behind its first bytes', '%PDF-1.7 and nothing of the kind'],
    ['random bytes', Buffer.concat([Buffer.from('%PDF-1.4\n'), Buffer.alloc(5_000, 0x9c)])],
  ])('says of one that is %s that it is damaged', async (_, bytes) => {
    await expect(read('pdf', bytes)).rejects.toThrow(UnreadableError);
    await expect(read('pdf', bytes)).rejects.toThrow('is damaged');
  });

  it('ends one that takes for ever', async () => {
    const endless = pdfFrom([Buffer.alloc(64 * MB, 'BT /F1 12 Tf (word) Tj ET\n')]);
    await expect(read('pdf', endless, { timeoutMs: 1_500 })).rejects.toThrow(
      'is too large or too tangled to be read',
    );
  });

  it('keeps what it has read of one that gets stuck later', async () => {
    const words = Buffer.from('BT /F1 12 Tf (The first page.) Tj ET');
    const stuck = pdfFrom([words, Buffer.alloc(128 * MB, 'BT /F1 12 Tf (word) Tj ET\n')]);
    expect(await read('pdf', stuck)).toEqual({ text: 'The first page.', isCut: true });
  });

  it('ends one that unpacks to more than there is room for', async () => {
    const bomb = pdfFrom([Buffer.alloc(300 * MB, ' ')]);
    await expect(read('pdf', bomb, { timeoutMs: 120_000 })).rejects.toThrow('too large or too tangled');
  });
});

describe('a line of a PDF', () => {
  /** As programs write it, from left to right. */
  const textOf = (...strings: string[]): string =>
    pageText(
      strings.map((str, index) => ({
        str,
        dir: /[\u0590-\u08ff\ufb1d-\ufefc]/.test(str) ? 'rtl' : 'ltr',
        hasEOL: index === strings.length - 1,
        width: 1,
        transform: [1, 0, 0, 1, index, 0],
      })),
    );

  it.each([
    [['שלומך', ' ', 'מה', ' ', ',', 'עולם', ' ', 'שלום'], 'שלום עולם, מה שלומך'],
    [['ﻚ', 'ﻟ', ' ', 'ا', 'ﺮ', 'ﻜ', 'ﺷ'], 'شكرا لك'],
    [
      ['(', 'כן', ')', ' ', 'Python', ' ', '3.12', ' ', 'ספרים', ' ', '42', ' ', 'יש'],
      'יש 42 ספרים Python 3.12 (כן)',
    ],
    [['The words ', 'עולם', ' ', 'שלום', ' in it (42)'], 'The words שלום עולם in it (42)'],
    [['Plain (text)', ' ', 'only'], 'Plain (text) only'],
  ])('is read in the order of its words: %j', (strings, text) => {
    expect(textOf(...strings)).toBe(`${text}\n`);
  });

  it('that comes in the order of its words stays so', () => {
    const pieces = ['שלום', ' ', 'עולם'].map((str, index) => ({
      ...{ str, dir: 'rtl', hasEOL: false, width: 1, transform: [1, 0, 0, 1, -index, 0] },
    }));
    expect(pageText(pieces)).toBe('שלום עולם');
  });

  it('that comes so with gaps has blanks there', () => {
    const pieces = ['של', 'ום', 'עולם'].map((str, index) => ({
      ...{ str, dir: 'rtl', hasEOL: false, width: 26 },
      transform: [12, 0, 0, 12, [540, 513.5, 484][index] ?? 0, 0],
    }));
    expect(pageText(pieces)).toBe('שלום עולם');
  });
});

describe('reading a DOCX', () => {
  it('gives its text as Markdown', async () => {
    const docx = docxOf(
      paragraph('Prices', 'Heading1') +
        paragraph('As of &lt;May&gt;, 5 &amp; 6.') +
        table([
          ['City', 'Price'],
          ['Rome | Lazio', '12'],
          ['Oslo', ''],
        ]) +
        paragraph('The end.'),
    );
    const { text, isCut } = await read('docx', docx);
    expect(text).toBe(
      '# Prices\n\nAs of <May>, 5 & 6.\n\n| City | Price |\n| --- | --- |\n| Rome \\| Lazio | 12 |\n| Oslo |  |\n\nThe end.',
    );
    expect(isCut).toBe(false);
  });

  it('finds its main part by whatever name', async () => {
    const header = { name: 'word/header1.xml', data: `<w:hdr>${paragraph('Letterhead')}</w:hdr>` };
    const docx = docxOf(paragraph('Body'), [header], 'word/document2.xml');
    const readAt = (at: number, length: number) => Promise.resolve(docx.subarray(at, at + length));
    expect(await inspectFile(readAt, docx.length, 'a.docx')).toMatchObject({ kind: 'docx' });
    expect((await read('docx', docx)).text).toBe('Letterhead\n\nBody');
  });

  it('begins with its headers and ends with its footers, each text once', async () => {
    const part = (kind: string, text: string) => ({
      name: `word/${kind}.xml`,
      data: `<w:hdr xmlns:w="x"><w:p><w:r><w:t>${text}</w:t></w:r><w:r><w:tab/></w:r><w:hyperlink r:id="r"><w:r><w:t>&amp; Co</w:t></w:r></w:hyperlink></w:p><w:p/></w:hdr>`,
    });
    const docx = docxOf(paragraph('Body'), [
      part('header1', 'Letterhead'),
      part('header2', 'Letterhead'),
      part('footer1', 'Bank'),
    ]);
    expect((await read('docx', docx)).text).toBe('Letterhead & Co\n\nBody\n\nBank & Co');
  });

  it('keeps formulas, fields, readings, breaks and indents', async () => {
    const part = (name: string, inside: string): string => `<m:${name}>${inside}</m:${name}>`;
    const signs = (text: string): string => part('r', part('t', text));
    const square = part('sSup', part('e', signs('x')) + part('sup', signs('2')));
    const fraction = part(
      'f',
      part('num', signs('1')) + part('den', part('rad', part('deg', '') + part('e', square))),
    );
    const sum = part(
      'nary',
      '<m:naryPr><m:chr m:val="∑"/></m:naryPr>' +
        part('sub', signs('i')) +
        part('sup', '') +
        part('e', signs('a')),
    );
    const matrix = part('d', part('e', part('m', part('mr', part('e', signs('1')) + part('e', signs('0'))))));
    const run = (text: string): string => `<w:r><w:t xml:space="preserve">${text}</w:t></w:r>`;
    const docx = docxOf(
      `<w:p>${run('So ')}${part('oMath', fraction)}${run(' is.')}</w:p>` +
        `<w:p>${part('oMathPara', part('oMath', sum + signs('&lt;') + matrix))}</w:p>` +
        `<w:p>${run('Figure ')}<w:fldSimple w:instr="SEQ">${run('7')}</w:fldSimple></w:p>` +
        `<w:p><w:r><w:ruby><w:rt>${run('かんじ')}</w:rt><w:rubyBase>${run('漢字')}</w:rubyBase></w:ruby></w:r></w:p>` +
        `<w:p>${run('one')}<w:r><w:br w:type="page"/></w:r>${run('    two  x')}</w:p>`,
    );
    expect((await read('docx', docx)).text).toBe(
      'So $\\frac{1}{\\sqrt{{x}^{2}}}$ is.\n\n$$∑_{i}{a}<({\\begin{matrix}{1} & {0}\\end{matrix}})$$\n\n' +
        'Figure 7\n\n漢字(かんじ)\n\none\n    two  x',
    );
  });

  it('of what isn’t known in a formula keeps the contents, whatever its name', async () => {
    const docx = docxOf(
      '<w:p><m:oMath><m:constructor><m:r><m:t>x</m:t></m:r></m:constructor></m:oMath></w:p>',
    );
    expect((await read('docx', docx)).text).toBe('$x$');
  });

  it('gives its comments, and keeps cells in their columns beside merged ones', async () => {
    const cell = (text: string, more = ''): string =>
      `<w:tc><w:tcPr>${more}</w:tcPr>${paragraph(text)}</w:tc>`;
    const comments =
      `<w:comments xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">` +
      `<w:comment w:id="0" w:initials="AL">${paragraph('Why?')}</w:comment></w:comments>`;
    const docx = docxOf(
      `<w:tbl><w:tr>${cell('a', '<w:vMerge w:val="restart"/>')}${cell('b', '<w:gridSpan w:val="2"/>')}</w:tr>` +
        `<w:tr>${cell('', '<w:vMerge/>')}${cell('d')}${cell('e')}</w:tr></w:tbl>` +
        '<w:p><w:r><w:t>So</w:t></w:r><w:r><w:commentReference w:id="0"/></w:r></w:p>',
      [{ name: 'word/comments.xml', data: comments }],
    );
    const { text } = await read('docx', docx);
    expect(text).toContain('| a | b |  |\n| --- | --- | --- |\n|  | d | e |');
    expect(text).toMatch(/So\[AL1\][^]*Why\?/);
  });

  it('says of an empty one that it holds no text', async () => {
    await expect(read('docx', docxOf(''))).rejects.toThrow('holds no text');
  });

  it.each([
    ['cut off', docxOf(paragraph('Half of it')).subarray(0, 400)],
    ['another archive', zipOf([{ name: 'notes.txt', data: 'Hello' }])],
    ['no XML inside', docxOf('<w:p><w:r')],
  ])('says of one that is %s that it is damaged', async (_, bytes) => {
    await expect(read('docx', bytes)).rejects.toThrow('is damaged');
  });

  it('ends one that unpacks to more than there is room for', async () => {
    const bomb = docxOf(Buffer.alloc(300 * MB, paragraph('Again and again.')));
    expect(bomb.length).toBeLessThan(20 * MB);
    await expect(read('docx', bomb, { timeoutMs: 120_000 })).rejects.toThrow('too large or too tangled');
  });
});

describe('reading text', () => {
  it.each([
    ['UTF-8', Buffer.from('Grüße\r\n漢字 😀')],
    ['lines that end as old Macs ended them', Buffer.from('Grüße\r漢字 😀')],
    ['UTF-8 with a mark', Buffer.from('\uFEFFGrüße\n漢字 😀')],
    ['UTF-16, little end first', Buffer.from('\uFEFFGrüße\n漢字 😀', 'utf16le')],
    ['UTF-16, big end first', Buffer.from('\uFEFFGrüße\n漢字 😀', 'utf16le').swap16()],
  ])('reads %s', async (_, bytes) => {
    expect(await read('text', bytes)).toMatchObject({ text: 'Grüße\n漢字 😀', isCut: false });
  });

  it('gives the beginning of one that is too long, without half a character', async () => {
    expect(await read('text', '😀'.repeat(100), { maxCharacters: 5 })).toMatchObject({
      text: '😀😀',
      isCut: true,
    });
  });

  it('says of an empty one that it holds no text', async () => {
    await expect(read('text', ' \n')).rejects.toThrow('holds no text');
  });
});

it('ends at once when nobody waits any more', async () => {
  const endless = pdfFrom([Buffer.alloc(64 * MB, 'BT /F1 12 Tf (word) Tj ET\n')]);
  const stop = new AbortController();
  const reading = read('pdf', endless, { timeoutMs: 600_000 }, stop.signal);
  stop.abort(new Error('stopped'));
  await expect(reading).rejects.toThrow('stopped');
});
