import { expect, it } from 'vitest';
import { fillPlaceholders, placeholdersOf } from '../../shared/placeholders.ts';

it.each([
  ['Explain {{topic}} to {{ the reader }}, {{topic}}', ['topic', 'the reader']],
  ['{{a}}{{B}}{{b}} {{日本}} {{x-1}}', ['a', 'B', 'b', '日本', 'x-1']],
  ['{{}} {{ }} {topic} {{a\nb}} {{{x}}} {{a{b}}', ['x']],
  [`{{${'x'.repeat(40)}}} {{${'y'.repeat(41)}}}`, ['x'.repeat(40)]],
])('the placeholders of %j', (text, names) => {
  expect(placeholdersOf(text)).toEqual(names);
});

it('fills in what has a value, as it is, and leaves the rest', () => {
  const values = new Map([
    ['topic', '{{reader}} $& $1'],
    ['reader', ''],
  ]);
  expect(fillPlaceholders('{{topic}}|{{ reader }}|{{other}}', values)).toBe('{{reader}} $& $1||{{other}}');
});

it('takes no longer for many braces', () => {
  expect(placeholdersOf('{{ '.repeat(50_000))).toEqual([]);
  expect(placeholdersOf(`{{${' '.repeat(90_000)}`)).toEqual([]);
});
