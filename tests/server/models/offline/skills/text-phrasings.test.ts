import { describe, expect, it } from 'vitest';
import { dataSkill } from '../../../../../server/models/offline/skills/data.ts';
import { encodingSkill } from '../../../../../server/models/offline/skills/encoding.ts';
import { textSkill } from '../../../../../server/models/offline/skills/text.ts';
import { startConversation } from '../../../../support/converse.ts';
import { asRequest, exchange } from '../../../../support/skill-request.ts';

/** What is said, the tool that takes, and what is told; said to the whole assistant, all skills present. */
type Phrasing = [message: string, tool: string, told: string];

const block = (text: string): string => `\`\`\`\n${text}\n\`\`\``;
const STORY = 'Cats are animals. Cats purr when happy. It rained. Cats and dogs are animals and common pets.';

const TEXT: Phrasing[] = [
  ['count the words in this: the quick brown fox', 'count_text', '**4** words.'],
  ['How many characters are in "héllo 👩‍👩‍👧"?', 'count_text', '**7** characters (6 without spaces).'],
  ['How many words are in the following text?\nOne two three.\nFour five.', 'count_text', '**5** words.'],
  ['word count: hello there world', 'count_text', '**3** words.'],
  ['how many letters are in strawberry', 'count_text', '**10** letters.'],
  ["how many r's are in strawberry?", 'count_text', '`r` occurs **3 times**.'],
  [
    'How many times does the word "foo" appear in "foo bar foo food"?',
    'count_text',
    '`foo` occurs **2 times**.',
  ],
  ['count the occurrences of "a" in banana', 'count_text', '`a` occurs **3 times**.'],
  [
    'how many sentences and words are in this: Hello there. How are you?',
    'count_text',
    '**2** sentences and **5** words.',
  ],
  ['Please count how many words there are in this paragraph:\n\nThe fox.', 'count_text', '**2** words.'],
  [
    'how long does it take to read this: a b c',
    'count_text',
    'Reading it takes about **1 second** (3 words).',
  ],
  ['sort these lines:\nb\na\nc', 'sort_list', block('a\nb\nc')],
  ['sort 3, 1, 2 descending', 'sort_list', '`3, 2, 1`'],
  ['sort these numbers: 10 9 100', 'sort_list', '`9, 10, 100`'],
  ['alphabetize pear, apple, fig and banana', 'sort_list', '`apple, banana, fig, pear`'],
  ['can you please sort this list by length, longest first: aaa, b, cc', 'sort_list', '`aaa, cc, b`'],
  ['put these in alphabetical order: zeta, alpha, Beta', 'sort_list', '`alpha, Beta, zeta`'],
  ['put the following lines in alphabetical order\nzeta\nalpha', 'sort_list', block('alpha\nzeta')],
  ['arrange 5, 3, 8 from highest to lowest', 'sort_list', '`8, 5, 3`'],
  ['sort "b", "a" and "c"', 'sort_list', '`a, b, c`'],
  ['I have this list: milk, eggs, bread. Can you sort it alphabetically?', 'sort_list', 'bread'],
  ['remove duplicates from: a, b, a', 'remove_duplicates', '`a, b`\n\n1 duplicate removed, 2 left.'],
  ['Remove the duplicate lines:\na\nb\na', 'remove_duplicates', block('a\nb')],
  ['dedupe a, b, A ignoring case', 'remove_duplicates', '`a, b`'],
  ['find duplicates in: a, b, a', 'remove_duplicates', '`a` occurs **2 times**.'],
  [
    'are there any duplicates in: a, b, a, b, c',
    'remove_duplicates',
    '- `a` occurs **2 times**\n- `b` occurs **2 times**',
  ],
  ['replace a with o in "banana"', 'replace_text', block('bonono')],
  ['unique values in: 1, 2', 'remove_duplicates', 'There are no duplicates in it.'],
  [
    'pull out the links: see https://a.com/x, and www.b.org.',
    'extract_from_text',
    `2 links:\n\n${block('https://a.com/x\nwww.b.org')}`,
  ],
  ['extract all emails from ana@example.com or bo@x.org', 'extract_from_text', '2 e-mail addresses:'],
  ['what email addresses are in this: a@b.co', 'extract_from_text', '1 e-mail address:'],
  ['extract the numbers from "I have 3 cats and 12.5 dogs"', 'extract_from_text', block('3\n12.5')],
  ['get the hashtags from: hello #world #2024', 'extract_from_text', block('#world')],
  ['extract the links from: none here', 'extract_from_text', 'There are no links in it.'],
  [`summarise this in two sentences:\n${STORY}`, 'summarise_text', '*2 of 4 sentences, word for word.*'],
  [`Summarize: ${STORY}`, 'summarise_text', '*1 of 4 sentences, word for word.*'],
  [`tl;dr: ${STORY}`, 'summarise_text', '*2 of 4 sentences, word for word.*'],
  [`${STORY}\n\nSummarise this in one sentence`, 'summarise_text', '*1 of 4 sentences, word for word.*'],
  ['summarise this: It rained <b>hard</b> today.', 'summarise_text', '> It rained \\<b>hard\\</b> today.'],
  ['make this upper case: hello world', 'change_case', block('HELLO WORLD')],
  ['title case "the lord of the rings"', 'change_case', block('The Lord of the Rings')],
  ['Convert "hello world" to uppercase', 'change_case', block('HELLO WORLD')],
  ['uppercase hello world', 'change_case', block('HELLO WORLD')],
  ['hello world in camel case', 'change_case', block('helloWorld')],
  ['convert myVariableName to snake_case', 'change_case', block('my_variable_name')],
  ['make a slug from "Crème Brûlée: a Story!"', 'change_case', block('creme-brulee-a-story')],
  ['capitalize every word in: hello my friend', 'change_case', block('Hello My Friend')],
  ["write 'hello' in capitals", 'change_case', block('HELLO')],
  ['turn this into a bullet list: milk, bread and eggs', 'format_text', block('- milk\n- bread\n- eggs')],
  ['make a numbered list of: milk, bread', 'format_text', block('1. milk\n2. bread')],
  ['make these comma separated:\na\nb', 'format_text', block('a, b')],
  ['Remove the blank lines from this:\na\n\nb', 'format_text', block('a\nb')],
  ['remove extra spaces from: a   b', 'format_text', block('a b')],
  ['wrap this at 10 columns: the quick brown fox', 'format_text', block('the quick\nbrown fox')],
  ['replace foo with bar in: foo baz foo', 'replace_text', `Replaced 2 times:\n\n${block('bar baz bar')}`],
  ['replace "foo" with "bar" in "foo foo"', 'replace_text', block('bar bar')],
  ['Replace all commas with semicolons in: a,b', 'replace_text', block('a;b')],
  ['remove the word very from: a very good one', 'replace_text', `Removed once:\n\n${block('a  good one')}`],
  ['replace x with y in: abc', 'replace_text', '`x` does not occur in the text, so it stays as it is.'],
  ['reverse "abc"', 'reverse_text', block('cba')],
  ['spell hello backwards', 'reverse_text', block('olleh')],
  ['reverse the order of these lines:\na\nb', 'reverse_text', block('b\na')],
  ['reverse the words in: one two three', 'reverse_text', block('three two one')],
  ['reverse a, b, c', 'reverse_text', block('c, b, a')],
];

const CSV = 'name,price\npear,2.50\napple,1.20';
const DATA: Phrasing[] = [
  ['is this valid JSON? {"a": 1}', 'check_json', 'Yes, this is valid JSON: an object with 1 entry.'],
  ['is this valid JSON? {"a": 1,}', 'check_json', '**line 1, column 9**'],
  ["what's wrong with this json: {a: 1}", 'check_json', 'The key a needs double quotes around it.'],
  ['Does this JSON parse? [1,2', 'check_json', 'No, this is not valid JSON.'],
  ['validate this json:\n{"a": [1, 2}', 'check_json', '\n{"a": [1, 2}\n           ^\n'],
  ['format this json: {"b":1}', 'format_json', '```json\n{\n  "b": 1\n}\n```'],
  ['prettify {"b":1}', 'format_json', '{\n  "b": 1\n}'],
  ['format this json with 4 spaces\n```json\n{"b":1}\n```', 'format_json', '{\n    "b": 1\n}'],
  ['minify this:\n{\n "a": 1\n}', 'format_json', '```json\n{"a":1}\n```'],
  ['sort the keys of {"b":1,"a":2}', 'format_json', '"a": 2,\n  "b": 1'],
  ['get user.name from {"user": {"name": "Ana"}}', 'get_json_value', '`user.name` is `Ana`.'],
  ['what is the value of age in {"name": "Ana", "age": 30}?', 'get_json_value', '`age` is `30`.'],
  [`make a table from this csv:\n${CSV}`, 'convert_table', '| pear | 2.50 |'],
  [`convert this csv to json:\n${CSV}`, 'convert_table', '"price": 2.50'],
  ['turn this json into a table: [{"a":1,"b":"x|<i>"}]', 'convert_table', '| 1 | x\\|\\<i> |'],
  ['json to csv: [{"a":1},{"a":2}]', 'convert_table', '```csv\na\n1\n2\n```'],
  [`sort this csv by price\n${CSV}`, 'convert_table', 'name,price\napple,1.20\npear,2.50'],
  [`what's the sum of the price column?\n${CSV}`, 'table_statistics', 'The sum of price is **3.7**.'],
  [`average of price\n${CSV}`, 'table_statistics', 'The average of price is **1.85**.'],
  [`total of column 2\n${CSV}`, 'table_statistics', 'The sum of price is **3.7**.'],
  [`${CSV}\n\nwhat is the average price?`, 'table_statistics', 'The average of price is **1.85**.'],
  [
    `Here's my data:\n\n${CSV}\n\nWhat's the total price?`,
    'table_statistics',
    'The sum of price is **3.7**.',
  ],
  [`Column totals:\n${CSV}`, 'table_statistics', 'The sum of price is **3.7**.'],
  [
    'sum of amount\nitem,amount\na,10\nb,n/a',
    'table_statistics',
    '**10**. 1 cell without a number is left out.',
  ],
  [`how many rows are in this table?\n${CSV}`, 'table_statistics', '**2** rows.'],
  ['how many items are in [1,2,3]', 'table_statistics', '**3** items.'],
];

const ENCODING: Phrasing[] = [
  ['base64 encode hello world', 'encode_text', block('aGVsbG8gd29ybGQ=')],
  ['convert "hello" to base64', 'encode_text', block('aGVsbG8=')],
  ['What is "hello" in base64?', 'encode_text', block('aGVsbG8=')],
  ['base64 this\nhello\nworld', 'encode_text', block('aGVsbG8Kd29ybGQ=')],
  ['url-encode a b&c', 'encode_text', block('a%20b%26c')],
  ['html escape <b>hi</b>', 'encode_text', block('&lt;b&gt;hi&lt;/b&gt;')],
  ['hello in hex', 'encode_text', block('68656c6c6f')],
  ['decode aGVsbG8=', 'decode_text', block('hello')],
  ['what does aGVsbG8= decode to?', 'decode_text', block('hello')],
  ['decode this base64 string: //79', 'decode_text', `3 bytes that are not text:\n\n${block('ff fe fd')}`],
  ['url decode a%20b', 'decode_text', block('a b')],
  ['decode &lt;b&gt;', 'decode_text', block('<b>')],
  ['base64 decode !!!', 'decode_text', 'This is not Base64: “!” does not occur in it.'],
  ['sha256 of hello', 'hash_text', '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824'],
  ['md5 "x"', 'hash_text', 'MD5 is broken: good for telling files apart, not for security.'],
  ["what's the SHA-1 hash of abc?", 'hash_text', 'a9993e364706816aba3e25717850c26c9cd0d89d'],
  ['hash "hello" with sha512', 'hash_text', 'SHA-512:'],
  [
    'decode this jwt: eyJhbGciOiJub25lIn0.eyJzdWIiOiJhbmEifQ.x',
    'decode_jwt',
    '**not verified**: I did not check its signature).\n\n```json\n{\n  "sub": "ana"\n}\n```',
  ],
  ['generate a uuid', 'generate_uuid', '-'],
  ['Can you generate 5 random UUIDs for me?', 'generate_uuid', '-'],
  [
    'a 20 character password without symbols',
    'generate_password',
    '20 characters, about 112 bits of entropy: strong.',
  ],
  ['I need a secure 16-character password', 'generate_password', '16 characters, about'],
  [
    'make me 5 passwords of 12 characters, no numbers or symbols',
    'generate_password',
    'bits of entropy each: fair.',
  ],
  ['flip a coin', 'random_choice', '**'],
  ['toss a coin 5 times', 'random_choice', ' heads, '],
  ['roll 2 dice', 'random_numbers', ' in all.'],
  ['roll 3d20', 'random_numbers', ' in all.'],
  ['random number between 7 and 7', 'random_numbers', '**7**.'],
  ['pick one: pizza, pizza, pizza', 'random_choice', '**pizza**'],
  ['choose randomly between tea and tea', 'random_choice', '**tea**'],
];

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
  'one message': [['sort b, a, c and then reverse it', block('c\nb\na')]],
  'a summary': [
    [`summarise this: ${STORY}`, '1 of 4'],
    ['how many words is that?', '**8** words.'],
    ['and in two sentences', '2 of 4'],
    ['make it shorter', '1 of 4'],
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
    ['descending', '| --- | ---: |\n| pear | 2.50 |\n| apple | 1.20 |'],
    ['as csv', 'name,price\npear,2.50\napple,1.20'],
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
    ['longer', '30 characters'],
    ['without symbols', '30 characters, about 169 bits'],
    ['another one', '30 characters, about 169 bits'],
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
  'what is json', 'format the document', 'format my hard drive', 'check the weather', 'make me a table of contents', 'book a table for two', 'show me a table of prime numbers', "what's the total", 'average rainfall in Paris',
  'average of 1, 2, 3', "what's the sum of 1, 2 and 3", 'what is the mean of [1, 2, 3]', 'what is [1, 2, 3] + [4, 5, 6]', 'det([1,2;3,4])', 'convert 255 to hex', '255 in hex', 'convert this markdown to html', 'decode the genome', 'decode hello', 'how do I decode a JWT?',
  'I forgot my password', 'remember that my password is hunter2', 'remember that my email is a@b.co', "what's my password", 'change my password', 'the password policy says 12 characters', 'what is a uuid?', 'choose a restaurant', 'choose a name for my cat', 'pick up milk', 'roll call', 'again', 'another one', 'that',
  '12*7', '10 km in miles', 'convert 5 km to miles', 'how many days until 3 March', '10:00 Paris in Tokyo', 'what is 15% of 240?', 'search for invoices from March', 'what do you know about dates',
]; // prettier-ignore

describe('leaves alone what is not for it', () => {
  it.each(NOT_FOR_US)('%s', (message) => {
    for (const skill of [textSkill, dataSkill, encodingSkill]) {
      expect(skill.recognise(asRequest(message)), skill.name).toBeNull();
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
        expect(skill.recognise(asRequest(message, { history })), message).toBeNull();
      }
    }
  });
});

describe('is sure of what is clear and less so of what it guesses', () => {
  it('by where the material was found', () => {
    const sureness = (message: string, material: string | null = null) =>
      textSkill.recognise(asRequest(message, { material }))?.confidence ?? 0;
    expect(sureness('count the words in this', 'a b c')).toBeGreaterThan(0.9);
    expect(sureness('reverse "abc"', 'abc')).toBeGreaterThan(0.9);
    expect(sureness('reverse abc')).toBeLessThan(0.7);
    expect(sureness('hello world in camel case')).toBeLessThan(0.7);
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
          const told = skill.tell(tool, {}, output, asRequest('do it'));
          const outsideCode = told.replace(/(`+)[^`]*\1/g, '').replaceAll('\\<', '');
          expect(outsideCode, `${tool} ${JSON.stringify(output)}`).not.toContain('<');
        }
      }
    }
  });
});

describe('examples of the help text', () => {
  it.each(
    [textSkill, dataSkill, encodingSkill].flatMap((skill) =>
      skill.examples.map((example) => [skill.name, example] as const),
    ),
  )('%s: %s', async (_skill, example) => {
    const reply = await startConversation().say(example);
    expect(reply.tools).toHaveLength(1);
  });
});
