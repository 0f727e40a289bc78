/** Files that go with a message, as the offline assistant works on them. */
import { describe, expect, it } from 'vitest';
import { startConversation, type TestReply } from '../../../support/converse.ts';

const ask = (words: string, files: Record<string, string | null>): Promise<TestReply> =>
  startConversation().say(words, 'agent', files);

const PRICES = 'city,price\nRome,10\nOslo,30\nRome,20\n';

describe('one file', () => {
  it('is asked about as a table that was pasted', async () => {
    const { text, tools } = await ask('average price per city', { 'prices.csv': PRICES });
    expect(tools).toEqual(['query_table']);
    expect(text).toMatch(/Rome \| 15\b/);
    expect(text).toMatch(/Oslo \| 30\b/);
  });

  it('has its words counted', async () => {
    expect((await ask('Count the words', { 'a.txt': 'one two three\nfour' })).text).toContain('**4** words');
  });

  it('has its JSON formatted', async () => {
    const { text } = await ask('format this JSON', { 'a.json': '{"a":[1,2],"b":null}' });
    expect(text).toContain('"a": [');
  });

  it('stays what later questions are about', async () => {
    const conversation = startConversation();
    await conversation.say('average price per city', 'agent', { 'prices.csv': PRICES });
    expect((await conversation.say('What is the sum of price?')).text).toContain('60');
  });

  it.each([
    'show me the text',
    'What does it say?',
    'Extract the text of this PDF',
    'read this',
    'what is in the file?',
  ])('gives its text: %s', async (words) => {
    expect((await ask(words, { 'a.pdf': 'Invoice 42\nTotal 7' })).text).toContain('Invoice 42\nTotal 7');
  });

  it('is described where nothing is asked', async () => {
    expect((await ask('', { 'prices.csv': PRICES })).text).toContain(
      '**prices.csv** is a table of 3 rows with 2 columns: city, price.',
    );
    expect((await ask('', { 'a.txt': 'one two\nthree\nthree' })).text).toContain('4 words in 3 lines');
  });

  it('keeps its last line end', async () => {
    const { text } = await ask('sha256 of this file', { 'a.txt': 'a\n' });
    expect(text).toContain('87428fc522803d31065e7bce3cf03fe475096631e5e07bbd7a0fde60c4cf25c7');
    expect(text).toContain('of the text (UTF-8 without a mark, lines ended by LF)');
    expect((await ask('how many characters?', { 'a.txt': 'a\n' })).text).toContain('**2** characters');
  });

  it('may hold fences itself', async () => {
    const { text } = await ask('count the lines', { 'a.md': 'one\n```js\ntwo\n```\nthree' });
    expect(text).toContain('**5** lines');
  });
});

describe('several files', () => {
  it('are each asked, under their names', async () => {
    const { text } = await ask('count the words', { 'a.txt': 'one two', 'b.txt': 'one two', 'c.txt': 'one' });
    expect(text).toBe('**a.txt:** **2** words.\n\n**b.txt:** **2** words.\n\n**c.txt:** **1** word.');
  });

  it('are compared', async () => {
    const { text } = await ask('Compare the two lists', { 'a.txt': 'milk\nbread', 'b.txt': 'bread\neggs\n' });
    expect(text).toBe(
      '**Only in a.txt** (1)\n\n- milk\n\n**Only in b.txt** (1)\n\n- eggs\n\n**In both** (1)\n\n- bread',
    );
    const figures = { 'a.csv': 'n,v\na,1\nb,2', 'b.csv': 'n,v\na,3\nc,4' };
    expect((await ask('total v in both', figures)).text).not.toContain('Only in');
  });
});

describe('pictures', () => {
  it('can’t be looked at, which it says', async () => {
    for (const words of ['What is in this picture?', '']) {
      const { text } = await ask(words, { 'cat.png': null });
      expect(text).toMatch(/^I can’t look at pictures \(“cat\.png”\)\. A connected model/);
    }
  });

  it('keep nothing else from being answered', async () => {
    const { text } = await ask('average price per city', { 'cat.png': null, 'prices.csv': PRICES });
    expect(text).toMatch(/Rome \| 15\b/);
    expect(text).toContain('I can’t look at pictures');
    expect((await ask('What is 2 + 2?', { 'cat.png': null })).text).toMatch(
      /4[\s\S]*I can’t look at pictures/,
    );
  });
});
