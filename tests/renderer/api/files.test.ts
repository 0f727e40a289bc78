import { describe, expect, it } from 'vitest';
import { fileNameIn } from '../../../renderer/api/files.ts';

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
