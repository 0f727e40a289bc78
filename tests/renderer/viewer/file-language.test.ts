import { expect, test } from 'vitest';
import { languageOfFile } from '../../../renderer/viewer/file-language.ts';

test('the language of a file is told by its name', () => {
  const languages = ['a.ts', 'B.MJS', 'x.tar.gz', 'Makefile', 'notes', 'run.log', 'logo.svg', '.env'];
  expect(languages.map(languageOfFile)).toEqual(['ts', 'js', 'gz', 'makefile', 'text', 'text', 'xml', 'ini']);
});
