import { describe, expect, it } from 'vitest';
import { dataSkill } from '../../../../../server/models/offline/skills/data/index.ts';
import { encodingSkill } from '../../../../../server/models/offline/skills/encoding/index.ts';
import { textSkill } from '../../../../../server/models/offline/skills/text/index.ts';
import { startConversation } from '../../../../support/converse.ts';
import { asRequest, exchange } from '../../../../support/skill-request.ts';
import { block, CSV, DATA, ENCODING, FOR_FORMS, STORY, TEXT } from './phrasings.ts';

describe.each([
  ['text', TEXT],
  ['data', DATA],
  ['encoding', ENCODING],
])('the %s skill, asked as people ask', (_skill, phrasings) => {
  it.each(phrasings)('%j', async (message, tool, told) => {
    const reply = await startConversation().say(message);
    expect(reply.tools).toEqual([tool]);
    expect(reply.text).toContain(told);
  });
});

it.each(FOR_FORMS)('%j is refused, with the form that does it', async (message, tool) => {
  const { tools, text } = await startConversation().say(message);
  expect([tools, text]).toEqual([[], expect.stringContaining(`\`/tool ${tool}\`.`)]);
});

/** Messages in a row; after each, what is told. */
const DIALOGUES: Record<string, [message: string, told: string][]> = {
  'a list': [
    ['sort 3, 1, 2', '`1, 2, 3`'],
    ['sort it descending', '3\n2\n1'],
    ['now as a bullet list', '- 3\n- 2\n- 1'],
    ['how many lines is that?', '**3** lines.'],
    ['reverse it', '- 1\n- 2\n- 3'],
  ],
  'a list given before': [
    ['Here is my list:\nb\na\nb', ''],
    ['sort that', 'a\nb\nb'],
    ['without duplicates', 'a\nb'],
    ['in upper case', 'A\nB'],
  ],
  'a summary': [
    [`summarise this: ${STORY}`, '1 of 4'],
    ['how many words is that?', '**8** words.'],
    ['and in two sentences', '2 of 4'],
  ],
  'what was found': [
    ['extract the emails from: a@b.co or see https://x.org/y', 'a@b.co'],
    ['and the links?', 'https://x.org/y'],
  ],
  'a table': [
    [CSV, ''],
    ['as a table', '| pear | 2.50 |'],
    ["what's the sum of the price column?", '**3.7**'],
    ['and the average?', 'The average of price is **1.85**.'],
    ['sort it by price', '| --- | ---: |\n| apple | 1.20 |\n| pear | 2.50 |'],
    ['as csv', 'name,price\napple,1.20\npear,2.50'],
    ['how many rows are there?', '**2** rows.'],
    ['sum the second column', '**3.7**'],
  ],
  JSON: [
    ['prettify {"b":1,"a":2}', '{\n  "b": 1'],
    ['now minify it', '{"b":1,"a":2}'],
    ['sort the keys', '{\n  "a": 2'],
  ],
  codes: [
    ['base64 encode hello', 'aGVsbG8='],
    ['and in hex?', '68656c6c6f'],
    ['decode that', block('hello')],
    ['sha1 of that', 'aaf4c61ddcc5e8a2dabede0f3b482cd9aea9434d'],
    ['and md5?', '5d41402abc4b2a76b9719d911017c592'],
  ],
  passwords: [
    ['generate a password', '20 characters'],
    ['another one', '20 characters'],
  ],
};

describe('keeps to the conversation', () => {
  it.each(Object.entries(DIALOGUES))('%s', async (_name, turns) => {
    const conversation = startConversation();
    for (const [message, told] of turns) {
      const reply = await conversation.say(message);
      expect(reply.text, message).toContain(told);
    }
  });
});

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
]; // prettier-ignore

describe('leaves alone what is not for it', () => {
  it.each(NOT_FOR_US)('%s', (message) => {
    for (const skill of [textSkill, dataSkill, encodingSkill]) {
      const wish = skill.reads(asRequest(message));
      // Of what it reads a part the whole is refused.
      expect(wish?.unused === undefined ? wish : null, skill.name).toBeNull();
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
      for (const skill of [textSkill, dataSkill, encodingSkill]) {
        expect(skill.reads(asRequest(message, { history })), message).toBeNull();
      }
    }
  });
});

describe('telling', () => {
  it('never throws and never shows HTML, whatever a stored output looks like', () => {
    const outputs: unknown[] = [
      null,
      'x',
      7,
      {},
      { text: 1 },
      { items: [1] },
      { items: ['<img src=x>'] },
      { text: '<img src=x>' },
    ];
    const skills: [typeof textSkill, string[]][] = [
      [
        textSkill,
        [
          'count_text',
          'summarise_text',
          'sort_list',
          'remove_duplicates',
          'extract_from_text',
          'change_case',
          'format_text',
          'reverse_text',
          'replace_text',
        ],
      ],
      [dataSkill, ['check_json', 'format_json', 'get_json_value', 'convert_table', 'table_statistics']],
      [
        encodingSkill,
        [
          'encode_text',
          'decode_text',
          'hash_text',
          'decode_jwt',
          'generate_uuid',
          'generate_password',
          'random_numbers',
          'random_choice',
        ],
      ],
    ];
    for (const [skill, tools] of skills) {
      for (const tool of tools) {
        for (const output of outputs) {
          const told = skill.tells(tool, {}, output, asRequest('do it'));
          const outsideCode = told.replace(/(`+)[^`]*\1/g, '').replaceAll('\\<', '');
          expect(outsideCode, `${tool} ${JSON.stringify(output)}`).not.toContain('<');
        }
      }
    }
  });
});
