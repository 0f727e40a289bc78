import { expect, test } from 'vitest';
import { fuzzyScore, rankEntries } from '../../../renderer/lib/fuzzy.ts';

const LABELS = [
  'New chat',
  'Next chat',
  'Search messages',
  'Archive chat',
  'Export chat as Markdown',
  'Export chat as JSON',
  'Delete chat',
  'Theme: dark',
  'Settings: Data',
  'Keyboard shortcuts',
].map((label) => ({ label }));
const found = (query: string): string[] => rankEntries(query, LABELS).map(({ label }) => label);

test('what begins with the words comes before what only holds them', () => {
  expect(found('arch')).toEqual(['Archive chat', 'Search messages']);
  expect(found('exp chat')[0]).toBe('Export chat as JSON');
});

test('words count in any order, and each must be found', () => {
  expect(found('markdown export')).toEqual(['Export chat as Markdown']);
  expect(found('export nothing')).toEqual([]);
});

test('the first letters of words are enough', () => {
  expect(found('nc').slice(0, 2)).toEqual(['New chat', 'Next chat']);
  expect(found('ecm')[0]).toBe('Export chat as Markdown');
  expect(found('sd')).toEqual(['Settings: Data']);
});

test('letters that only happen to occur find nothing', () => {
  expect(found('tsrt')).toEqual([]);
  expect(found('zz')).toEqual([]);
});

test('case and accents make no difference', () => {
  expect(fuzzyScore('resume', 'Résumé notes')).toBe(fuzzyScore('Résumé', 'resume notes'));
  expect(fuzzyScore('RÉSUMÉ', 'Résumé')).toBeGreaterThan(100);
});

test('nothing typed fits everything alike, in its order', () => {
  expect(found(' ')).toEqual(LABELS.map(({ label }) => label));
});

test('a keyword finds too, behind any label that fits', () => {
  const entries = [
    { label: 'Delete chat', keywords: 'remove trash' },
    { label: 'Appearance', keywords: 'theme colour' },
    { label: 'Remove a key' },
  ];
  expect(rankEntries('remove', entries).map(({ label }) => label)).toEqual(['Remove a key', 'Delete chat']);
  expect(rankEntries('colour', entries).map(({ label }) => label)).toEqual(['Appearance']);
});
