import { describe, expect, it } from 'vitest';
import { fileNameIn, importChats, restoreFile } from '../../../renderer/api/files.ts';
import { WordedProblem } from '../../../renderer/api/problem.ts';
import { words } from '../../../renderer/lib/words/index.ts';

describe('the name of a download', () => {
  it.each([
    [`attachment; filename="a.md"; filename*=UTF-8''a%20%C3%A9.md`, 'a é.md'],
    ['attachment', 'parley'],
    [`attachment; filename*=UTF-8''%zz`, 'parley'],
    [null, 'parley'],
  ])('in %s is %s', (header, name) => {
    expect(fileNameIn(header)).toBe(name);
  });
});

it.each([importChats, restoreFile])(
  'a file that was changed since it was chosen is not sent, and is no lost connection',
  async (send) => {
    const open = (): Promise<Response> => Promise.reject(new Error('Nothing is to be sent.'));
    const file = new Blob(['{}']);
    file.slice = () =>
      Object.assign(new Blob(), { arrayBuffer: () => Promise.reject(new Error('Changed.')) });
    await expect(send({ open }, file)).rejects.toEqual(new WordedProblem(words.files.unreadable));
  },
);
