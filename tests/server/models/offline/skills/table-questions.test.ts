import { describe, expect, it } from 'vitest';
import { startConversation } from '../../../../support/converse.ts';

const FRUIT =
  'name,price,city,stock\npear,2.50,Rome,10\napple,1.20,Oslo,5\nfig,3.10,Rome,0\nplum,"$1,200.00",Paris,7';
const PEOPLE =
  'Employee | Dept | Salary | Start\n--- | --- | --- | ---\nAnn | Sales | €3,000 | 2019-04-01\nBob | IT | €4,500 | 2021-01-15\nCid | Sales | €2,800 | 2022-07-01';
const TEAM =
  '[{"name":"A","age":31,"team":"x"},{"name":"B","age":20,"team":"y"},{"name":"C","age":45,"team":"x"}]';

/** Rows of a Markdown table, as they are told. */
const rows = (...cells: string[]): string => cells.map((row) => `| ${row} |`).join('\n');

describe('questions about the rows of a table', () => {
  it.each([
    [
      'what is the total price where city is Rome?',
      FRUIT,
      'The sum of price where city is Rome is **5.6** (2 of 4 rows).',
    ],
    ['top 2 by stock:', FRUIT, rows('pear | 2.50 | Rome | 10', 'plum | $1,200.00 | Paris | 7')],
    ['which costs the most?', FRUIT, rows('plum | $1,200.00 | Paris | 7')],
    ['total per team', TEAM, rows('x | 76', 'y | 20')],
    ['count people per team', TEAM, rows('x | 2', 'y | 1')],
    ['delete the start column', PEOPLE, rows('Ann | Sales | €3,000')],
    ['total stock in Rome and Oslo', FRUIT, '**15** (3 of 4 rows)'],
    ['sum of price for pear and fig', FRUIT, '**5.6** (2 of 4 rows)'],
    ['median of price without plum', FRUIT, 'where name is not plum is **2.5**'],
    ['average salary in Sales and IT', PEOPLE, '**3,433.3333333333**'],
    ['average price per city', FRUIT, rows('Oslo | 1.2', 'Paris | 1200', 'Rome | 2.8')],
    ['lowest stock in each city', FRUIT, rows('Oslo | 5', 'Paris | 7', 'Rome | 0')],
    ['count by city', FRUIT, rows('Oslo | 1', 'Paris | 1', 'Rome | 2')],
    ['how many employees per dept?', PEOPLE, rows('IT | 1', 'Sales | 2')],
    ['how many rows have price over 2?', FRUIT, '**3** of 4 rows where price is above 2.'],
    ['total number of rows in Rome', FRUIT, '**2** of 4 rows'],
    ['which one is the cheapest?', FRUIT, rows('apple | 1.20 | Oslo | 5')],
    ['second highest price', FRUIT, rows('fig | 3.10 | Rome | 0')],
    ['show the 2 cheapest', FRUIT, rows('apple | 1.20 | Oslo | 5', 'pear | 2.50 | Rome | 10')],
    ['which is the cheapest city?', FRUIT, rows('Oslo | 1.20')],
    ['which employee has the highest salary?', PEOPLE, rows('Bob | €4,500')],
    ['names of the two cheapest in Rome', FRUIT, rows('pear | 2.50', 'fig | 3.10')],
    ['highest price in Rome', FRUIT, rows('fig | 3.10 | Rome | 0')],
    ['show only Rome', FRUIT, rows('pear | 2.50 | Rome | 10', 'fig | 3.10 | Rome | 0')],
    ['list the names where city is not Rome', FRUIT, rows('apple', 'plum')],
    ['where name starts with p', FRUIT, rows('pear | 2.50 | Rome | 10', 'plum | $1,200.00 | Paris | 7')],
    [
      'rows where price is between 1 and 3',
      FRUIT,
      rows('pear | 2.50 | Rome | 10', 'apple | 1.20 | Oslo | 5'),
    ],
    ['rows with stock >= 7', FRUIT, rows('pear | 2.50 | Rome | 10', 'plum | $1,200.00 | Paris | 7')],
    [
      'start after 2020-12-31',
      PEOPLE,
      rows('Bob | IT | €4,500 | 2021-01-15', 'Cid | Sales | €2,800 | 2022-07-01'),
    ],
    ['rows where stock is 99', FRUIT, 'No row fits where stock is 99.'],
    [
      'sort by city, then by price descending',
      FRUIT,
      rows('fig | 3.10 | Rome | 0', 'pear | 2.50 | Rome | 10'),
    ],
    [
      'sort by stock descending and show the first 2',
      FRUIT,
      rows('pear | 2.50 | Rome | 10', 'plum | $1,200.00 | Paris | 7'),
    ],
    ['make a table from this csv without the city column', FRUIT, rows('name | price | stock')],
    ['names and stock sorted by stock', FRUIT, rows('fig | 0', 'apple | 5', 'plum | 7', 'pear | 10')],
    ['show only the name column', FRUIT, rows('pear', 'apple', 'fig', 'plum')],
    ['what is the price of fig?', FRUIT, rows('3.10')],
  ])('%s', async (question, table, told) => {
    const { tools, text } = await startConversation().say(`${question}\n${table}`);
    expect(tools).toEqual(['query_table']);
    expect(text).toContain(told);
  });

  it.each([
    [`get all names where age > 30 from ${TEAM}`, rows('A', 'C')],
    [`average age by team in ${TEAM}`, rows('x | 38', 'y | 20')],
  ])('of JSON: %s', async (message, told) => {
    expect((await startConversation().say(message)).text).toContain(told);
  });

  it.each([
    'total price where city is Rome and weight over 3',
    'city is Rome or price over 2',
    'average price per city in euros',
    'sum of price by weekday',
    'rows where the moon is full',
    'delete rows where city is Rome',
    'what city is pear in?',
    'how many cities are there?',
    'how much is pear?',
    'who is dearer, pear or fig?',
    'convert this to json without the city column',
    'sum of stock over 5',
    'rows with missing price',
    'which one is the cheapest, only the top 2?',
    'top 2',
  ])('refuses what it doesn’t understand whole: %s', async (question) => {
    expect((await startConversation().say(`${question}\n${FRUIT}`)).tools).toEqual([]);
  });

  it('is quick with a long table', async () => {
    const long = ['name,price', ...Array.from({ length: 20_000 }, (_, at) => `item ${at},${at}`)].join('\n');
    const { text } = await startConversation().say(`how many rows have price over 19989?\n${long}`);
    expect(text).toContain('**10** of 20,000 rows');
  });
});

it('"only the top 1" is of the table as it was sorted', async () => {
  const chat = startConversation();
  await chat.say('sort by age descending:\nname,age\nAna,31\nBo,45');
  expect((await chat.say('only the top 1')).text).toContain(rows('Bo | 45'));
});
