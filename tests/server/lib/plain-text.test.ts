import { expect, it } from 'vitest';
import { plainLine } from '../../../server/lib/plain-text.ts';

it.each([
  ['three \\* and 1\\. x', 'three * and 1. x'],
  [
    'Saved as C:\\temp\\.log, on \\\\server\\share\\$x: 1\\. x',
    'Saved as C:\\temp\\.log, on \\\\server\\share\\$x: 1. x',
  ],
])('a line of plain words unescapes what Markdown escapes, but no path: %s', (text, words) => {
  expect(plainLine(text, 100)).toBe(words);
});
