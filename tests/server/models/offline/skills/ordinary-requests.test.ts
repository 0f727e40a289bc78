import { describe, expect, it } from 'vitest';
import { startConversation } from '../../../../support/converse.ts';

const STAFF = 'name,dept,salary\nAda,IT,5200\nBob,HR,4100\nCy,IT,4700';

/** As people of all kinds asked them; each was once refused without need, or answered wrongly. */
describe('ordinary requests', () => {
  it.each([
    ['simplify 84/126', '= **2/3**'],
    ['area of a circle with radius 7', '**153.938'],
    ['area of a rectangle 4 x 6', '**24**'],
    ['i earn 52000 a year what is that per month', '≈ **4,333.33**'],
    ['split a bill of 132.40 between 4 ppl with 20% tip', '**39.72**'],
    ['convert 1700000000 unix time to a date', '14 November 2023, 22:13:20'],
    ['sort by last name: John Smith, Amy Adams, Zoe Young', '`Amy Adams, John Smith, Zoe Young`'],
    ['sort by last name:\nSmith, John\nAdams, Zoe', 'Adams, Zoe\nSmith, John'],
    ['sort these numbers from biggest to smallest 4, 19, 7, 100', '`100, 19, 7, 4`'],
    ['join these lines with commas:\nred\ngreen', 'red, green'],
    ['unescape &lt;b&gt;Tom &amp; Co&lt;/b&gt;', '<b>Tom & Co</b>'],
    ['what is items[1].price in {"items":[{"price":3},{"price":9}]}', '`items[1].price` is `9`.'],
    ['convert this csv to json: a,b\n1,2', '"a": 1,\n    "b": 2'],
    ['make a markdown table from: name, age\nTom, 9', '| name | age |'],
    [`total of the third column\n${STAFF}`, 'The sum of salary is **14,000**.'],
    [`who earns the most?\n${STAFF}`, '| Ada | IT | 5200 |'],
  ])('%j', async (message, told) => {
    expect((await startConversation({ now: new Date('2026-11-20T10:00:00Z') }).say(message)).text).toContain(
      told,
    );
  });

  it.each([
    'what number comes after 9999',
    'longest word in english',
    'most common word in: one two three',
    'area of a circle with radius 7 cm in square inches',
    'I bought 3 notebooks for 5 and lost one, what is the total?',
    'shuffle the deck',
    'shuffle these names: Anna, Ben, Carla',
    'what are the factors of 84',
    'how long does it take to drive 450 km at 110 km/h',
    'x^2 + 1 where x = 3',
    'how old is someone born in 1990',
    'when is the next leap year',
    'which is the cheapest?\nname,age\nAna,3\nBob,4',
  ])('%s: no answer rather than another', async (message) => {
    const { tools } = await startConversation().say(message);
    // The notes are looked through before a question is refused.
    expect(tools.filter((tool) => tool !== 'find_notes')).toEqual([]);
  });
});
