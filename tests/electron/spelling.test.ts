import { expect, it } from 'vitest';
import { setupSpelling } from '../../electron/spelling.ts';

function spelling(languages: string[], isChecked = true): unknown[] {
  const calls: unknown[] = [];
  setupSpelling(
    {
      availableSpellCheckerLanguages: ['de', 'en-GB', 'en-US', 'pt-BR', 'pt-PT'],
      setSpellCheckerLanguages: (given) => void calls.push(given),
      setSpellCheckerEnabled: (given) => void calls.push(given),
    },
    { getPreferredSystemLanguages: () => languages },
    isChecked,
  );
  return calls;
}

it.each([
  [['de-DE', 'en-US'], 'de'],
  [['en-GB'], 'en-GB'],
  [['pt-BR', 'pt'], 'pt-BR'],
  [['xx-YY', 'en-US'], 'en-US'],
])('spelling is checked in the system’s language: %j', (languages, checked) => {
  expect(spelling(languages)).toEqual([[checked], true]);
});

it('spelling has Chromium’s own language where the system’s is unknown, and none while it is off', () => {
  expect(spelling(['xx'])).toEqual([true]);
  expect(spelling(['de'], false)).toEqual([false]);
});
