import { describe, expect, it } from 'vitest';
import { datesSkill } from '../../../../../server/models/offline/skills/dates/index.ts';
import { mathsSkill } from '../../../../../server/models/offline/skills/maths/index.ts';
import { unitsSkill } from '../../../../../server/models/offline/skills/units.ts';
import { asRequest } from '../../../../support/skill-request.ts';

const recognise = (phrase: string): unknown =>
  [datesSkill, unitsSkill, mathsSkill].map((skill) => skill.parse(asRequest(phrase))).find(Boolean) ?? null;

/** Prose, other fields' requests and figures that are no sums: none of it is for the figure skills. */
const OTHERS = [
  'count the words in "3 + 4 apples and 5 pears"',
  'sort 3, 1, 2',
  'hash 123',
  'what do you know about 2023',
  '020 7946 0958',
  '555-123-4567',
  '{"a": 1, "b": [1, 2, 3]}',
  '[1, 2, 3]',
  '1,2,3',
  '192.168.0.1',
  'hello',
  "when it's 10:00 in Paris",
  '10 km in miles and in feet',
  'remember that my birthday is 3 March',
  'search for invoices from March',
  'The meeting is at 10:00 in Paris and then we fly to Tokyo',
  'I live in Paris and work from home 3 days a week',
  'My flight leaves on 3 March at 10:00.',
  'the price went from 10 to 20 in 2023',
  '2023 was a good year',
  'Chapter 3: The end',
  'convert this to uppercase',
  'convert 255 to hex',
  'generate a password of 20 characters',
  'write me a poem about time',
  'is it time for lunch',
  'time flies like an arrow',
  'what time does the shop open?',
  'when is the meeting?',
  'how long is a piece of string',
  'how long does it take to learn Spanish?',
  'how many words in this text',
  '10 downing street',
  'route 66',
  '24/7 support is great',
  '0x20',
  'what is 0x20 + 1',
  'month',
  '-1;',
  'ISBN 978-3-16-148410-0',
  'order #12345',
  '2026-11-20',
  'what happened on 3 March 1990',
  'find messages about days until launch',
  'sum the amount column',
  'I think 2+2=4 is obvious.',
  'the odds are 3 to 1',
  'score was 3-1',
  'we need 3 in each box',
  'and in French?',
  'is 5 a lucky number',
  'i ate 3 of 4 apples',
  'add milk to the list',
  'the second half of the year',
  '5 star hotel in Rome',
  '3 in a row',
  '10 in 5 minutes',
  'I ran 10 km in 50 minutes',
  'remind me in 10 minutes',
  'divide 10 in half',
  'how many days in 3 months of work',
  'is 2028 a leap year in the julian calendar',
  'how old will someone born on 12 may 1990 be when they retire',
  'I have 3 boxes with 12*7 apples each, how many?',
];

describe('what the figure skills leave alone', () => {
  it.each(OTHERS)('does not act on "%s"', (phrase) => {
    expect(recognise(phrase)).toBeNull();
  });

  it('does not take long text for a request', () => {
    expect(recognise(`what is ${'1 + '.repeat(400)}1`)).toBeNull();
  });

  it('needs a question before it can take one further', () => {
    for (const phrase of [
      'times 3',
      'and in feet?',
      'what about Tokyo?',
      'and 4 April?',
      'half of that',
      'to 20 digits',
    ])
      expect(recognise(phrase)).toBeNull();
  });
});
