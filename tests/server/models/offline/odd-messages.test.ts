import fc from 'fast-check';
import { expect, test } from 'vitest';
import { startConversation } from '../../../support/converse.ts';
import { anyCharacter } from '../../../support/any-character.ts';

const WORDS = (
  'what is how many days until Christmas and then in feet miles 12 * 7 ( ) " “ ” \' : ; , . ? ! \n \n\n ``` ~~~ { } [ ] ' +
  'sort count words this that it them these remember forget note notes find search my messages for about convert 10 km to ' +
  'decode base64 encode hash sha256 uuid password json csv a,b 1,2 {"a":1} uppercase summarise extract emails ana@example.com ' +
  '3 March tomorrow 10:00 Paris Tokyo time zone the first one all of please thanks hi 100% -1 1/0 √ π é 東京 😀 \u0000 1. 2) - *'
).split(' ');

const message = fc.oneof(
  fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 25 }).map((words) => words.join(' ')),
  fc.string({ minLength: 1, maxLength: 200, unit: anyCharacter }),
);

test('any conversation gets answers, tool calls that fit their schemas, and an end', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(message, { minLength: 1, maxLength: 4 }), async (messages) => {
      const conversation = startConversation();
      for (const text of messages) {
        const reply = await conversation.say(text);
        expect(reply.text.trim()).not.toBe('');
      }
    }),
    { numRuns: 150, seed: 20_261_120 },
  );
}, 60_000);

const UNITS = [
  'and ',
  '(',
  '\n',
  'and what is 12*7 ',
  '"',
  '1+',
  '- ',
  '😀',
  'x, ',
  '. ',
  '{"a":',
  '1,2\n',
  'remember ',
  'aA0+/=',
];

test.each(UNITS)('the longest message of nothing but %j is answered, shortly', async (unit) => {
  const reply = await startConversation().say(unit.repeat(100_000 / unit.length));
  expect(reply.text.trim()).not.toBe('');
});
