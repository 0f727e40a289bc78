import { describe, expect, test } from 'vitest';
import {
  MAX_REQUEST_CHARACTERS,
  MAX_REQUESTS,
  splitMessage,
  type Knows,
} from '../../../../../server/models/offline/parts/requests.ts';

/** Stands for the skills: sums, conversions, days, word counts, sorting, notes. Nothing is surely known. */
const KNOWN = [
  /\d\s*[-+*/]\s*\d/,
  /\d\s?(?:km|kg|m|miles?)\b.*\b(?:to|in)\b/,
  /\b(?:days|time)\b.*\b(?:until|between|in)\b/,
  /^(?:please )?remember\b.+/s,
  /^(?:hello|thanks|who are you)\b/i,
];
const NEEDS_MATERIAL = /^(?:please )?(?:sort|count|summari[sz]e|format|how many words|upper ?case)\b/i;
const isKnown = (text: string, material: string | null): boolean =>
  KNOWN.some((pattern) => pattern.test(text)) ||
  (NEEDS_MATERIAL.test(text) && (material !== null || /["“:]/.test(text)));
const isJoined = (text: string): boolean =>
  !/["(“]|^remember/.test(text) && /[,;\n]|[.!?] |\S and\b/i.test(text.replace(/\bbetween .* and /, ''));
const knows: Knows = (text, material) => (isKnown(text, material) && !isJoined(text) ? 'whole' : null);

const split = (message: string) => splitMessage(message, knows).map(({ text, material }) => [text, material]);

describe('one request', () => {
  test.each([
    'what is 12 * 7?',
    'how many days between 1 March and 5 April',
    'remember that I like cats and dogs, and 3 * 4 is twelve',
    'remember that Ana has the key. She lives next door. Her number is 555.',
    'What is 3.5 * 2.1 e.g. for a room?',
    'sort and tidy',
    'what (is 1 + 1 and what is 2 + 2)',
    'days until the 3. Advent',
    'nothing known here at all',
  ])('stays whole: %s', (message) => {
    expect(split(message)).toEqual([[message, null]]);
  });
});

describe('several requests', () => {
  test.each<[string, string[]]>([
    ["what's 12*7 and how many days until Christmas?", ["what's 12*7", 'how many days until Christmas?']],
    ['what is 5+5 and 6*7?', ['what is 5+5', '6*7?']],
    ['10 km to miles and 5 kg to pounds', ['10 km to miles', '5 kg to pounds']],
    [
      'what is 1+1, convert 5 km to miles, and tell me how many days between 1 March and 5 April',
      ['what is 1+1', 'convert 5 km to miles', 'tell me how many days between 1 March and 5 April'],
    ],
    ['What is 1+1? And what is 2+2?', ['What is 1+1?', 'And what is 2+2?']],
    ['What is 1+1; what is 2+2', ['What is 1+1', 'what is 2+2']],
    ['what is 1+1\nwhat is 2+2', ['what is 1+1', 'what is 2+2']],
    ['1. what is 1+1\n2) what is 2+2\n- 5 km to miles', ['what is 1+1', 'what is 2+2', '5 km to miles']],
    ['Please answer these:\n1. what is 1+1\n2. make me a sandwich', ['what is 1+1', 'make me a sandwich']],
    ['what is the time in Paris and Tokyo?', ['what is the time in Paris', 'what is the time in Tokyo?']],
    ['who are you and what is 3*3?', ['who are you', 'what is 3*3?']],
    ['tell me a joke and then what is 3*3', ['tell me a joke and then what is 3*3']],
    ['what is 3*3 and tell me a joke', ['what is 3*3 and tell me a joke']],
    ['Hello! I hope you are well. What is 3*3?', ['Hello!', 'I hope you are well.', 'What is 3*3?']],
    ['a: b: c: d', ['a: b: c: d']],
    ['5 km to miles and to feet', ['5 km to miles', '5 km to feet']],
  ])('%j', (message, expected) => {
    expect(split(message).map(([text]) => text)).toEqual(expected);
  });

  test('keep the numbers they had in a list', () => {
    const parts = splitMessage('1. what is 1+1\n2. what is 2+2', knows);
    expect(parts.map((part) => part.number)).toEqual(['1', '2']);
  });

  test('are bounded in number', () => {
    const message = Array.from({ length: 35 }, (_, index) => `what is ${index} + 1`).join('\n');
    expect(split(message)).toHaveLength(MAX_REQUESTS);
  });
});

describe('material', () => {
  test.each<[string, [string, string | null][]]>([
    ['Sort these:\nb\na\nc', [['Sort these', 'b\na\nc']]],
    ['sort these lines\nb\na', [['sort these lines', 'b\na']]],
    ['Sort these:\n\n- b\n- a\n', [['Sort these', '- b\n- a']]],
    ['b\na\n\nsort this', [['sort this', 'b\na']]],
    ['Count this:\n```\none two\n```', [['Count this:', 'one two']]],
    ['```js\nlet a = 1 + 1\n```\nformat it', [['format it', 'let a = 1 + 1']]],
    ['Format this\n~~~\n{"a": 1}', [['Format this', '{"a": 1}']]],
    [
      'how many words in "what is 1+1 and what is 2+2"?',
      [['how many words in "what is 1+1 and what is 2+2"?', 'what is 1+1 and what is 2+2']],
    ],
    ['uppercase “it’s 5 o’clock”', [['uppercase “it’s 5 o’clock”', 'it’s 5 o’clock']]],
    ["uppercase 'don't stop'", [["uppercase 'don't stop'", "don't stop"]]],
    ["count 'tis the season, don't worry", [["count 'tis the season, don't worry", null]]],
    [
      'Summarise this. It rained. Then it stopped. We went home.',
      [['Summarise this.', 'It rained. Then it stopped. We went home.']],
    ],
    [
      'It rained. Then it stopped. Summarise that text.',
      [['Summarise that text.', 'It rained. Then it stopped.']],
    ],
    ['sort: pear, apple and fig. Not more', [['sort: pear, apple and fig. Not more', null]]],
    [
      'Sort these:\nb\na\n\nAnd what is 2+2?',
      [
        ['Sort these', 'b\na'],
        ['And what is 2+2?', null],
      ],
    ],
    [
      'Sort these and count them:\nb\na',
      [
        ['Sort these', 'b\na'],
        ['count them', 'b\na'],
      ],
    ],
    ['a 6" pipe and a 7" pipe', [['a 6" pipe and a 7" pipe', null]]],
    ['```\n1 + 1\n```', [['1 + 1', null]]],
  ])('%j', (message, expected) => {
    expect(split(message)).toEqual(expected);
  });
});

describe('long messages', () => {
  const prose = 'It rained on the hills, and the river rose. '.repeat(2_000);

  test.each<[string, string, string]>([
    ['on the first line', `Summarise this:\n${prose}`, 'Summarise this'],
    ['on the last line', `${prose}\n\nSummarise this text.`, 'Summarise this text.'],
    ['before a colon', `Summarise: ${prose}`, 'Summarise'],
    ['in the first sentence', `Summarise the following. ${prose}`, 'Summarise the following.'],
    ['in the last sentence', `${prose}Summarise that.`, 'Summarise that.'],
    ['outside a fence', `Summarise this\n\`\`\`\n${prose}\n\`\`\``, 'Summarise this'],
  ])('the ask is found %s', (_, message, expected) => {
    const [part, ...others] = splitMessage(message, knows);
    expect([part?.text, others]).toEqual([expected, []]);
    expect(part?.material?.trim().startsWith('It rained')).toBe(true);
    expect(part?.material?.trim().endsWith('rose.')).toBe(true);
  });

  test('with no ask are one request of bounded length, all of it being material', () => {
    const [part] = splitMessage(prose, knows);
    expect(part?.text.length).toBeLessThanOrEqual(MAX_REQUEST_CHARACTERS);
    expect(part?.material).toBe(prose.trim());
  });
});

describe('odd messages', () => {
  test.each(['', ' ', '\n'.repeat(100_000), '\t \n'])('with no words hold no request', (message) => {
    expect(splitMessage(message, knows)).toEqual([]);
  });

  const characters = 100_000;
  const units = [
    'and ',
    '(',
    ')',
    '"',
    "'",
    '`',
    '``` ',
    '```\n',
    '\n- ',
    '. ',
    ', and what ',
    ': ',
    'a: ',
    '? ',
    '1. ',
    'a\n',
    '“',
    "'a ",
    '‘a ',
    '{[(',
    '\u0000',
    '😀',
    'what is 1+1 and ',
  ];
  test.each(units)('of %j, over and over, are taken apart with few questions to the skills', (unit) => {
    for (const length of [characters, 3_900, 390]) {
      let asked = 0;
      const parts = splitMessage(
        unit.repeat(Math.ceil(length / unit.length)).slice(0, length),
        (text, material) => {
          asked += 1;
          return knows(text, material);
        },
      );
      expect(parts.length).toBeLessThanOrEqual(MAX_REQUESTS);
      expect(parts.every(({ text }) => text !== '' && text.length <= MAX_REQUEST_CHARACTERS)).toBe(true);
      expect(asked).toBeLessThan(2_000);
    }
  });
});
