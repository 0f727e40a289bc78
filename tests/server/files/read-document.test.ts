import { describe, expect, it } from 'vitest';
import {
  readDocument,
  UnreadableError,
  type Document,
  type DocumentText,
  type ReadingLimits,
} from '../../../server/files/read-document.ts';
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
    const bomb = pdfFrom([Buffer.alloc(400 * MB, ' ')]);
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
      ...{ str, dir: 'rtl', hasEOL: false, transform: [1, 0, 0, 1, -index, 0] },
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
    const bomb = docxOf(Buffer.alloc(400 * MB, paragraph('Again and again.')));
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
