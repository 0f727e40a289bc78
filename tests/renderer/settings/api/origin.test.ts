import { expect, it } from 'vitest';
import { readOrigin } from '../../../../renderer/settings/api/origin.ts';

it.each([
  ['https://example.com', 'https://example.com'],
  [' HTTP://LocalHost:5173/ ', 'http://localhost:5173'],
  ['https://example.com:443/page?x#y', 'https://example.com'],
  ['example.com', 'https://example.com'],
  ['https://bücher.example', 'https://xn--bcher-kva.example'],
])('%s is the origin %s', (typed, origin) => {
  expect(readOrigin(typed)).toBe(origin);
});

it.each([
  '',
  '  ',
  '*',
  'https://*.example.com',
  'ftp://example.com',
  'file:///etc',
  'https://',
  'two words',
  'https://ada:pw@example.com',
  'javascript:alert(1)',
])('%j is none', (typed) => {
  expect(readOrigin(typed)).toBeNull();
});
