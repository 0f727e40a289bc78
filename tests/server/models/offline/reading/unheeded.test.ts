import { describe, expect, it } from 'vitest';
import { startConversation } from '../../../../support/converse.ts';
import { readSaid } from '../../../../support/said.ts';

/** What none of these tools can do, wherever it stands in a request. */
const LIMITS = [
  'where the moon is full',
  'that start with q',
  'but only the even ones',
  'except the ones I like',
  'longer than 4 letters',
  'starting with z',
  'containing x',
  'per colour',
  'grouped by owner',
  'by middle name',
  'after 2020',
  'using roman numerals',
  'in french',
  'over 200',
];

/** Where a limit goes: before the colon, or at the end of a request whose material is quoted; null: neither is sure. */
function limited(message: string, limit: string): string | null {
  const [, ask, rest] = /^([^:\n"“]{3,120})(:\s[^]*)$/.exec(message) ?? [];
  if (ask !== undefined && rest !== undefined) return `${ask} ${limit}${rest}`;
  const [, quoted, end] = /^([^:\n]{3,80} "[^"]*")([?.]?)$/.exec(message) ?? [];
  return quoted === undefined || end === undefined ? null : `${quoted} ${limit}${end}`;
}

/** Where a limit would say what a list is, not what to do with it. */
const IS_REPORTED = /^(?:I have|Here)/;

const SECTIONS = readSaid(new URL('../requests.txt', import.meta.url));
const MESSAGES = ['text', 'data', 'encoding']
  .flatMap((name) => SECTIONS.get(name) ?? [])
  .flatMap((conversation) => conversation.map(({ message }) => message))
  .filter((message) => !IS_REPORTED.test(message));

describe('a request is done whole or not at all', () => {
  it.each([
    ['sort these: b, a, c. But leave out a.', 'But leave out a'],
    ['sort 3, 1, 2 and take the first two', 'and take the first two'],
    [
      'what is the total of amount? rows marked refund count as negative\ntype,amount\nsale,80\nrefund,25',
      'rows marked refund count as negative',
    ],
    ["what's the sum of 3, 4 and 5? Leave out the 4.", 'Leave out the 4.'],
    [
      'total per region, only regions above 100\nregion,sales\nNorth,80\nWest,75',
      'total per region, only regions above 100',
    ],
    ['total price of the pears\nitem,price\npear,3\nfig,4', 'pears'],
    ['average age of the women\nname,sex,age\nAnn,f,30\nBob,m,40', 'women'],
    [
      'total where city is Rome and weight over 3\ncity,weight,price\nRome,5,1\nOslo,1,2',
      'total where city is Rome and weight over 3',
    ],
    ['count the words in each line:\none two\nthree', 'each'],
    ['base64 of hello without padding', 'without padding'],
    ['sha256 of hello in base64', 'in base64'],
    ['format this json with sorted keys and no arrays {"b":[1],"a":2}', 'no arrays'],
  ])('%j', async (message, named) => {
    const { tools, text } = await startConversation().say(message);
    expect([tools, text]).toEqual([[], expect.stringContaining(`I can’t do the part “${named}”`)]);
  });

  it.each([
    'replace the second "a" with "o" in "banana"',
    'rgb 255,0,128 to hex',
    'a 4 character password',
    'sort these: b, a, C with capitals first',
    'sort these: b, a, c in random order',
    'sum of 3, 4 and 5 in words',
    '12% of 1,200 before tax',
    'sha256 of hello in uppercase',
    'base64 encode hello twice',
    'roll 2000 dice',
    'pick 5 of: a, b, c',
    'format {"a":1} with 12 spaces',
    'sqrt of 2 to 60 digits',
    'average of 4 and 6 plus 3',
  ])('nor is half of it done: %s', async (message) => {
    expect((await startConversation().say(message)).tools).toEqual([]);
  });

  it.each([
    ['whats 5! plus 3', '= **123**'],
    ["what's 20% of 50 plus 10% of 30", '= **13**'],
    ['how many rows have status open\nid,status\n1,open\n2,closed', '**1** of 2 rows where status is open.'],
    ['3 feet and 6 inches in cm', '**106.68 centimetres**'],
    ['what is 5 less than 20?', '20 − 5 = **15**'],
    ['is 5 more than 3', '**Yes**: 5 \\> 3.'],
    ['total where city is Rome and weight over 3\ncity,weight\nRome,5\nOslo,1', 'is **5** (1 of 2 rows)'],
    ['total of price and quantity\nprice,quantity\n2,3\n4,5', 'The sum of quantity is **8**.'],
    ['the average of 4 and 6 and the sum of 1 and 2', 'The sum of 1 and 2 is **3**.'],
    ['sort by age desc and show only names\nname,age\nAnn,30\nBob,41', '| name |\n| --- |\n| Bob |\n| Ann |'],
  ])('%j is read right', async (message, reported) => {
    expect((await startConversation().say(message)).text).toContain(reported);
  });
});

describe('a request with a limit that no tool keeps', () => {
  it.each(LIMITS)('is refused, not answered as if it weren’t there: “%s”', async (limit) => {
    const asked = MESSAGES.flatMap((message) => limited(message, limit) ?? []);
    expect(asked.length).toBeGreaterThan(40);
    const answered: string[] = [];
    for (const message of asked) {
      const { tools, text } = await startConversation().say(message);
      if (tools.length > 0) answered.push(`${message} → ${text}`);
    }
    expect(answered).toEqual([]);
  });
});
