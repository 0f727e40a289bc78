import { expect, test } from 'vitest';
import { exampleFolder } from '../../../renderer/lib/platform.ts';

test.each([
  ['Windows', 'C:\\Users\\you\\Notes'],
  ['Win32', 'C:\\Users\\you\\Notes'],
  ['MacIntel', '/Users/you/Notes'],
  ['Linux x86_64', '/home/you/Notes'],
])('an example of a folder is written as %s writes it', (system, folder) => {
  expect(exampleFolder('Notes', system)).toBe(folder);
});
