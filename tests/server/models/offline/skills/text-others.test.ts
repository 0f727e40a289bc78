import { describe, expect, it } from 'vitest';
import { dataSkill } from '../../../../../server/models/offline/skills/data/index.ts';
import { encodingSkill } from '../../../../../server/models/offline/skills/encoding/index.ts';
import { textSkill } from '../../../../../server/models/offline/skills/text/index.ts';
import { asRequest, exchange } from '../../../../support/skill-request.ts';

const SKILLS = [textSkill, dataSkill, encodingSkill];

/** Prose, other skills' requests and asks with nothing to work on. */
const NOT_FOR_US = [
  'hello', 'thanks, that was great', 'I need to sort out my life', 'Count me in!', 'count to ten', 'count from 1 to 10', 'reverse the decision',
  "what's a hash function?", 'what is sha256 used for?', 'is md5 safe?', 'md5 vs sha1', 'hash browns recipe', 'what is base64?', 'base64 is not encryption',
  'how many words are in the English language?', 'how many words does Shakespeare use?', 'how many lines are in a sonnet', 'How many characters can a tweet have?',
  'replace the battery with a new one', 'the summary was good', 'summarise the meeting', 'give me a summary', 'find my notes about emails', 'show me the numbers',
  'sort of like a cat', 'order a pizza', 'order 3 pizzas, 2 cokes', 'sort my emails by date', 'how do I sort a list in python?', 'sort', 'sort these lines', 'sort by price',
  'I always write in lower case', 'should I write headings in title case?', 'snake case is better than camel case', 'search for upper case', 'write a poem about cats in capitals',
  'list the numbers from 1 to 10', 'numbers from 1 to 10', 'what dates are in March', 'how long is the Nile', 'what is the length of a marathon', 'make a list', 'put the kettle on',
  'remove the note about milk', 'remove the stain from my shirt', 'change the subject to something nicer', 'change 5 euros to dollars', 'change the date to 3 March', 'turn off the lights', 'translate hello to french',
  'how long does it take to read this: a b c', 'what is json', 'format the document', 'format my hard drive', 'check the weather', 'make me a table of contents', 'book a table for two', 'show me a table of prime numbers', "what's the total", 'average rainfall in Paris',
  'average of 1, 2, 3', "what's the sum of 1, 2 and 3", 'what is [1, 2, 3] + [4, 5, 6]', 'det([1,2;3,4])', 'convert 255 to hex', '255 in hex', 'convert this markdown to html', 'decode the genome', 'decode hello', 'how do I decode a JWT?',
  'I forgot my password', 'remember that my password is hunter2', 'remember that my email is a@b.co', "what's my password", 'change my password', 'the password policy says 12 characters', 'what is the wifi password of the neighbours', 'what is a uuid?', 'choose a restaurant', 'choose a name for my cat', 'pick up milk', 'roll call', 'again', 'another one', 'that',
  '12*7', '10 km in miles', 'convert 5 km to miles', 'how many days until 3 March', '10:00 Paris in Tokyo', 'what is 15% of 240?', 'search for invoices from March', 'what do you know about dates',
]; // oxfmt-ignore

describe('leaves alone what is not for it', () => {
  it.each(NOT_FOR_US)('%s', (message) => {
    for (const skill of SKILLS) {
      const wish = skill.parse(asRequest(message));
      // Of what it reads a part the whole is refused.
      expect(wish?.unused === undefined ? wish : null, skill.needs).toBeNull();
    }
  });

  it('does not take another answer for material when nothing points at it', () => {
    const history = [
      exchange('what is 12*7?', '84', [{ tool: 'calculate', input: {}, output: { value: '84' } }]),
    ];
    for (const message of [
      'order a pizza',
      'decode the genome',
      'replace the battery with a new one',
      'hello',
      'reverse the decision',
    ]) {
      for (const skill of SKILLS) {
        expect(skill.parse(asRequest(message, { history })), message).toBeNull();
      }
    }
  });
});

it.each([null, 'x', 7, {}, { text: 1 }, { items: [1] }, { items: ['<img src=x>'] }, { text: '<img src=x>' }])(
  'never throws and never shows HTML, whatever a stored output looks like: %j',
  (output) => {
    for (const skill of SKILLS)
      for (const tool of skill.tools) {
        const reported = skill.format(tool, {}, output, asRequest('do it'));
        expect(reported.replace(/(`+)[^`]*\1/g, '').replaceAll('\\<', ''), tool).not.toContain('<');
      }
  },
);
