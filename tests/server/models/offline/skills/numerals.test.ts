import { expect, it } from 'vitest';
import { startConversation } from '../../../../support/converse.ts';

const answer = async (message: string): Promise<string> => (await startConversation().say(message)).text;

it.each([
  ['2026 in roman numerals', 'MMXXVI'],
  ['what is 49 in roman', 'XLIX'],
  ['roman numeral for 3999', 'MMMCMXCIX'],
  ['what is MCMXCIV?', '1994'],
  ['XIV in arabic numerals', '14'],
  ['1700000000 as a date', 'Tuesday, 14 November 2023, 22:13:20** UTC'],
  ['unix timestamp 1700000000000', 'Tuesday, 14 November 2023, 22:13:20** UTC, counted in milliseconds'],
  ['what number is MMXXIV', '2024'],
  ['what is 255 in hex', '0xff'],
  ['convert 1011 from binary to decimal', '**11**'],
  ['0xff in decimal', '**255**'],
  ['hex ff to binary', '**0b11111111**'],
])('%s', async (message, told) => {
  expect(await answer(message)).toContain(told);
});

it.each([
  'what is IIII',
  'MIX',
  'what is CD?',
  '4000 in roman numerals',
  '170 as a date',
  'median of 3, 9, 27 in roman numerals',
  '19 binary to decimal',
])('what is no such figure is not made one: %s', async (message) => {
  expect(await answer(message)).not.toMatch(/\*\*/);
});
