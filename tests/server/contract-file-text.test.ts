/** The text of files, as models are told it. */
import { describe, expect, it } from 'vitest';
import type { FileText } from '../../shared/api/attachment.ts';
import { MAX_FILE_TEXT_CHARACTERS } from '../../shared/limits.ts';
import { docxOf, pdfOf } from '../support/documents.ts';
import { PNG, textFile, uploaded } from '../support/files.ts';
import { keyElsewhere, outcome, startTestService, type TestService } from '../support/service.ts';

async function textOf(service: TestService, name: string, bytes: Buffer | string): Promise<FileText> {
  const id = await uploaded(service, name, bytes);
  const answer = await service.get(`/api/v1/files/${id}/text`);
  expect(answer.status).toBe(200);
  return answer.json<FileText>();
}

describe('the text of a file', () => {
  it('is that of a PDF, a Word document and a text', async () => {
    const service = await startTestService();
    expect(await textOf(service, 'offer.pdf', pdfOf([['First page'], ['Second page']]))).toEqual({
      text: 'First page\n\nSecond page',
      isCut: false,
    });
    const word = docxOf('<w:p><w:r><w:t>Dear Anna</w:t></w:r></w:p>');
    expect(await textOf(service, 'letter.docx', word)).toEqual({ text: 'Dear Anna', isCut: false });
    expect(await textOf(service, 'a.csv', 'city,price\n')).toEqual({
      text: 'city,price\n',
      isCut: false,
      encoding: 'utf-8',
    });
  });

  it('is the beginning of a long one, and says so', async () => {
    const service = await startTestService();
    const { text, isCut } = await textOf(service, 'long.txt', textFile(MAX_FILE_TEXT_CHARACTERS + 5));
    expect([text?.length, isCut]).toEqual([MAX_FILE_TEXT_CHARACTERS, true]);
  });

  it.each([
    ['a scan', 'scan.pdf', pdfOf([[], []]), 'holds no text, only pictures, as a scan does'],
    [
      'one with a password',
      'locked.pdf',
      pdfOf([['Secret']], { isLocked: true }),
      'is protected by a password',
    ],
    ['a damaged one', 'broken.pdf', Buffer.from('%PDF-1.7\nnothing'), 'is damaged, or not what it seems'],
    ['a picture', 'cat.png', PNG, 'is a picture'],
  ])('is none of %s, which says why', async (_, name, bytes, reason) => {
    const service = await startTestService();
    expect(await textOf(service, name, bytes)).toEqual({ text: null, isCut: false, reason });
  });

  it('is the same however often it is asked for at once', async () => {
    const service = await startTestService();
    const id = await uploaded(service, 'offer.pdf', pdfOf([['Only page']]));
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => service.get(`/api/v1/files/${id}/text`)),
    );
    expect(new Set(answers.map(({ text }) => text))).toEqual(new Set([answers[0]?.text]));
    expect(answers[0]?.json<FileText>().text).toBe('Only page');
  });

  it('is told to those alone who may read the file, and no longer once that is gone', async () => {
    const service = await startTestService();
    const id = await uploaded(service, 'a.txt', 'Hello');
    const path = `/api/v1/files/${id}/text`;
    const key = await keyElsewhere(service);
    expect(outcome(await service.get(path, { key }))).toEqual([404, 'file_not_found']);
    expect(outcome(await service.get(path, { key: null }))).toEqual([401, 'unauthorized']);
    await service.request({ method: 'DELETE', path: `/api/v1/files/${id}` });
    expect(outcome(await service.get(path))).toEqual([404, 'file_not_found']);
  });
});
