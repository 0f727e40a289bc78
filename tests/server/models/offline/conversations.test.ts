import { describe, expect, test } from 'vitest';
import type { FoundMessage } from '../../../../server/tools/tool.ts';
import { startConversation } from '../../../support/converse.ts';
import { createMemoryWorkspace } from '../../../support/memory-workspace.ts';

/**
 * Dialogues as people have them, with the real tools. A turn is what is said, the tools it takes and what the reply must
 * hold (or, as a pattern, match). The moment is noon UTC on Friday 20 November 2026, in Paris.
 */
type Turn = [message: string, tools: string[], ...reply: (string | RegExp)[]];

const EARLIER: FoundMessage[] = [
  {
    chatId: 'c1',
    chatTitle: 'Japan trip',
    role: 'user',
    snippet: 'I want to see the cherry blossom in Tokyo in April',
    createdAt: '2026-10-02T09:15:00.000Z',
  },
  {
    chatId: 'c2',
    chatTitle: 'Budget',
    role: 'assistant',
    snippet: 'The hotel comes to 840 euros',
    createdAt: '2026-11-01T09:15:00.000Z',
  },
];

async function play(turns: Turn[], mode: 'agent' | 'chat' = 'agent'): Promise<void> {
  const conversation = startConversation({ workspace: createMemoryWorkspace(EARLIER) });
  for (const [message, tools, ...wanted] of turns) {
    const isChat = mode === 'chat' || message.startsWith('[chat] ');
    const reply = await conversation.say(message.replace('[chat] ', ''), isChat ? 'chat' : 'agent');
    expect(reply.tools, message).toEqual(tools);
    for (const words of wanted) {
      if (typeof words === 'string') expect(reply.text, message).toContain(words);
      else expect(reply.text, message).toMatch(words);
    }
  }
}

const AMOUNTS = 'name,amount\nana,12.5\nbo,7\ncy,30';
const UNANSWERED = 'I can’t answer that: I’m the offline assistant';

const DIALOGUES: Record<string, Turn[]> = {
  'a sum, politely': [['hi, can you please tell me what 15 times 23 is? Thanks!', ['calculate'], '345']],
  'a refusal in words': [['what is 1/0', ['calculate'], /^I can['’]t divide by zero/]],
  'units in one message': [
    ["What's 10 km in miles? And in feet?", ['convert_units', 'convert_units'], '6.21', '32,808'],
  ],
  'two fields at once': [
    ["what's 12*7 and how many days until Christmas?", ['calculate', 'date_difference'], '84', '35'],
  ],
  'a sum and the time elsewhere': [
    ['what is 5+5 and what time is it in Tokyo', ['calculate', 'current_time'], '10', '21:00'],
  ],
  'a part of a part': [['15% of 200 and 10% of that', ['calculate', 'calculate'], '**30**', '**3**']],
  'three fields at once': [
    [
      "What's 3+4, convert 5 km to miles, and tell me how many days between 1 March and 5 April",
      ['calculate', 'convert_units', 'date_difference'],
      '7',
      '3.1',
      '35',
    ],
  ],
  'a numbered list, one part not understood, one refused': [
    [
      '1. what is 12*7\n2. 100 F in C\n3. write me a poem\n4. what is 1/0',
      ['calculate', 'convert_units', 'calculate'],
      /^\*\*1\.\*\* .*84/,
      /\*\*2\.\*\* .*37\.7/,
      /\*\*4\.\*\* .*divide by zero/,
      'I couldn’t make out “write me a poem”.',
    ],
  ],
  'a bulleted list after words': [
    ['Please help me with these:\n- 5 km in miles\n- 2^10', ['convert_units', 'calculate'], '3.1', '1,024'],
  ],
  'a story with an ask in it': [
    [
      'I have a room. It is nice. What is 3.5 * 4.2? I need it for the floor.',
      ['calculate'],
      /14\.7(?![^]*make out)/,
    ],
  ],
  'sorting a block and following up': [
    ['Sort these:\npear\napple\nfig', ['sort_list'], 'apple\nfig\npear'],
    ['uppercase that', ['change_case'], 'APPLE\nFIG\nPEAR'],
  ],
  'a new block after a table': [
    ['Show this CSV as a table:\nname,amount\nAna,12.5', ['convert_table'], '| Ana | 12.5 |'],
    ['Sort these:\npear\napple', ['sort_list'], 'apple\npear'],
    ['uppercase "abc"', ['change_case'], 'ABC'],
  ],
  'a block, step by step': [
    ['remove duplicates:\na\nb\na', ['remove_duplicates'], 'a\nb'],
    ['and sort them descending', ['sort_list'], 'b\na'],
    ['how many lines are in that?', ['count_text'], '2'],
  ],
  'a table changed and a figure of it': [
    [
      `Make a table from this csv and sum the amount column:\n${AMOUNTS}`,
      ['convert_table', 'query_table'],
      /^\| name \| amount \|\n[^]*\| ana \| 12\.5 \|[^]*\n\nThe sum of amount is \*\*49\.5\*\*\.$/,
    ],
    [
      `sort the table by amount and show the average of amount:\n${AMOUNTS}`,
      ['query_table', 'query_table'],
      /\| bo \| 7 \|\n\| ana \| 12\.5 \|\n\| cy \| 30 \|\n\n\*Sorted by amount\.\*\n\nThe average of amount is \*\*16\.5\*\*\.$/,
    ],
    [
      `sum the amount column and make a table from this csv:\n${AMOUNTS}`,
      ['query_table', 'convert_table'],
      /^The sum of amount is \*\*49\.5\*\*\.\n\n\| name/,
    ],
    [
      `Make a table from this and tell me what the sum of amount is:\n\`\`\`csv\n${AMOUNTS}\n\`\`\``,
      ['convert_table', 'query_table'],
      '| cy | 30 |',
      '49.5',
    ],
  ],
  'a table in its order, in another form': [
    ['sort by amount descending:\nname,amount\nana,12.5\nbo,7\ncy,30', ['query_table'], '| cy | 30 |'],
    ['as csv', ['convert_table'], 'name,amount\ncy,30\nana,12.5\nbo,7'],
    ['only the top 1', ['query_table'], /^\| name[^]*\| cy \| 30 \|\n\n/],
    ['as csv', [], 'I don’t know what to do with that'],
  ],
  'a follow-up in other words': [
    ['How many days until 3 March 2027?', ['date_difference'], '103 days'],
    ['And how many of them are working days?', ['date_difference'], '73 working days'],
    ['how many feet in a mile', ['convert_units'], '5,280 feet'],
    ['and in a km?', ['convert_units'], '3,280.84 feet'],
  ],
  'a number that may be two': [
    ['3,5 km in m', [], UNANSWERED],
    ['average of 3,5 and 4,5', [], 'I can’t help with that one either'],
  ],
  'JSON laid out and checked': [
    [
      'Format this json and tell me if it is valid: {"a":1,"b":[1,2]}',
      ['format_json', 'check_json'],
      '  "a": 1,',
      /Yes, this is valid JSON: an object with 2 entries\.$/,
    ],
    [
      'Format this json and tell me if it is valid: {"a":1,',
      ['format_json', 'check_json'],
      'not valid JSON',
      '**line 1, column 8**',
    ],
    [
      'Is this json valid and what is at b: {"a":1,"b":[1,2]}',
      ['check_json', 'get_json_value'],
      /^Yes, this is valid JSON/,
      '`b`:',
    ],
  ],
  'several counts of one text': [
    [
      'count the words and the characters in: the quick brown fox',
      ['count_text'],
      '**4** words and **19** characters (16 without spaces).',
    ],
    [
      'how many words and how many characters are in: the quick brown fox',
      ['count_text'],
      '**4** words and **19** characters',
    ],
    [
      'count the words, the characters and the lines in:\na b\nc',
      ['count_text'],
      '**3** words, **5** characters (3 without spaces) and **2** lines.',
    ],
  ],
  'two asks about one quotation': [
    [
      'Can you count the characters in "héllo" and base64 encode it?',
      ['count_text', 'encode_text'],
      '5',
      'aMOpbGxv',
    ],
  ],
  'something told': [["Hello, I'm Bob. I work at a bakery.", [], 'I don’t know what to do with that']],
  'asks inside material': [
    ['how many words are in "days until Christmas and sort this"?', ['count_text'], '6'],
  ],
  'two asks about one block': [
    ['count the words and sort the lines:\nb\na', ['count_text', 'sort_list'], '2', 'a\nb'],
  ],
  'a block and another ask': [
    ['Sort these:\nb\na\n\nAnd what is 2+2?', ['sort_list', 'calculate'], 'a\nb', '4'],
  ],
  'an ask after a code block': [['```\nb\na\n```\nsort the lines', ['sort_list'], 'a\nb']],
  'a long text with the ask at its end': [
    [
      `${'The river rose in the night and the water reached the school. '.repeat(200)}\n\nHow many words is that text?`,
      ['count_text'],
      '2,400',
    ],
  ],
  'two changes of one text': [
    ['uppercase "hello"', ['change_case'], 'HELLO'],
    ['uppercase that and base64 encode it', ['change_case'], 'I couldn’t make out “base64 encode it”.'],
    ['sort b, a, c then reverse it', ['sort_list'], '`a, b, c`', 'I couldn’t make out “reverse it”.'],
    ['uppercase and sort these:\nb\na', ['change_case', 'sort_list'], /^```\nA\nB\n```$/],
    ['uppercase "hello" and base64 encode it', ['change_case', 'encode_text'], /^```\nSEVMTE8=\n```$/],
  ],
  'sorting without duplicates': [
    ['sort these and remove the duplicates: b, a, b', ['sort_list', 'remove_duplicates'], /^`a, b`/],
    ['remove the duplicates and sort:\nb\na\nb', ['remove_duplicates', 'sort_list'], /^```\na\nb\n```$/],
  ],
  'counting what was sorted': [
    ['Sort these and count them:\nb\na', ['sort_list', 'count_text'], 'a\nb', '**2** words'],
  ],
  'two hashes': [
    ['sha256 "a" and md5 "b"', ['hash_text', 'hash_text'], 'ca978112ca1bbdca', '92eb5ffee6ae2fec'],
    ['sha256 and md5 of "x"', ['hash_text', 'hash_text'], '2d711642b726b044', '9dd4e461268c8034'],
  ],
  'a form named after the data': [
    ['name,amount\nAna,12.5\nBob,7\n\nas a table please', ['convert_table'], '| Ana | 12.5 |'],
  ],
  'one question of two things': [
    ['what time is it in New York and Tokyo', ['current_time', 'current_time'], '07:00', '21:00'],
    [
      'what time is it in London, Paris and Tokyo?',
      ['current_time', 'current_time', 'current_time'],
      '12:00',
      '13:00',
      '21:00',
    ],
    [
      'days until Christmas and Easter',
      ['date_difference', 'date_difference'],
      '**35 days**',
      '**128 days**',
    ],
    [
      'extract emails and links from ana@example.com and https://a.com/x',
      ['extract_from_text', 'extract_from_text'],
      '1 e-mail address',
      '1 link',
    ],
    [
      'extract the emails and the phone numbers from: ana@example.com, +44 20 7946 0958',
      ['extract_from_text', 'extract_from_text'],
      '1 e-mail address',
      '1 phone number',
    ],
    ['what is the square root of 16 and 25', ['calculate', 'calculate'], '**4**', '**5**'],
  ],
  'two questions in few words': [
    ['square root of 2 and the cube root of 27', ['calculate', 'calculate'], '√2 ≈ **1.414', '∛27 = **3**'],
    ['convert 5 km and 10 km to miles', ['convert_units', 'convert_units'], '3.10686', '6.21371'],
    ['generate a password and a uuid', ['generate_password', 'generate_uuid'], '20 characters'],
    ['give me 3 uuids and a password', ['generate_uuid', 'generate_password'], '20 characters'],
    ['how many days until Easter, and the weather in Paris?', ['date_difference'], '128', 'internet'],
    ['what is 12*7 and double it', ['calculate'], '168'],
    ['reverse "hello" and count the letters', ['reverse_text', 'count_text'], 'olleh', '**5** letters'],
    ['what is the difference between 3 March and 5 April', ['date_difference'], '33 days'],
  ],
  'numbers to add up': [
    ['what is the sum of these:\n3\n4\n5', ['calculate'], '**12**'],
    ['add these up: 12.5, 7, 1,200', ['calculate'], '**1,219.5**'],
  ],
  'no day to look for in another year': [
    ['what day is it today?', ['date_info'], 'Friday'],
    ['And in 2027?', [], 'I can’t answer that'],
  ],
  'counting something else': [
    ['how many words in "the quick brown fox"', ['count_text'], '**4** words'],
    ['and the characters?', ['count_text'], '**19** characters'],
  ],
  'numbering a result': [
    ['sort b, a, c', ['sort_list'], '`a, b, c`'],
    ['number them', ['format_text'], '1. a\n2. b\n3. c'],
  ],
  'a pasted text with no ask': [
    ['name,age\nAna,3\nBob,4', [], /^What shall I do with this\?.{0,220}$/],
    ['as json', ['convert_table'], '"name": "Ana"'],
    ['The river rose in the night and nobody slept. '.repeat(12), [], 'What shall I do with this?'],
    ['how many words is that?', ['count_text'], '**108** words'],
  ],
  'the time here after the time elsewhere': [
    ['what time is it in Sydney', ['current_time'], '23:00'],
    ['and here?', ['current_time'], '13:00'],
  ],
  'thanks before a question': [
    ['what is 100/7', ['calculate'], '14.28'],
    ['as a fraction', ['calculate'], 'in lowest terms already'],
    ['thanks, what is 50/7', ['calculate'], '7.14'],
  ],
  'slips of the keyboard': [
    ['waht is 12*7', ['calculate'], '84'],
    ['hwo many days untill christmas', ['date_difference'], '35'],
    ['whats teh time', ['current_time'], '13:00'],
    ['convret 10 km to miles', ['convert_units'], '6.21'],
    ['thnaks', [], 'You’re welcome.'],
  ],
  'a refusal is short the second time': [
    ['why is the sky blue?', [], UNANSWERED, 'connect a language model in the settings'],
    ['who won the cup in 2018?', ['find_notes'], /^I can’t help with that one either, sorry\. .{0,60}$/],
    ['tell me a joke', [], /^I can’t help with that one either.{0,80}$/],
    ['what is 12*7', ['calculate'], '84'],
    ['write a poem', [], UNANSWERED],
  ],
  'a greeting later on is short': [
    ['hi', [], 'You could try'],
    ['good morning!', [], /^Hello! What can I do for you\?$/],
  ],
  notes: [
    ['remember that the spare key is with Ana', ['remember_note'], '> the spare key is with Ana'],
    ['what do you know about the spare key?', ['find_notes'], 'with Ana'],
    ['where is the spare key?', ['find_notes'], 'with Ana'],
    ['forget that the spare key is with Ana', ['forget_note'], 'Forgotten'],
    ['show my notes', ['find_notes'], 'You have no notes yet.'],
  ],
  'a question that a note answers': [
    ['Remember that the spare key is with Anna', ['remember_note'], '> the spare key is with Anna'],
    ['Who has the spare key?', ['find_notes'], 'with Anna'],
    ['Does Bob have the spare key?', [], UNANSWERED],
    ['forget the note about the spare key', ['forget_note'], 'Forgotten'],
    ['Who has the spare key?', ['find_notes'], 'I can’t answer that'],
  ],
  'choosing a note to forget': [
    ['note: the wifi code is tulip', ['remember_note'], 'Noted'],
    ['note: the wifi router is upstairs', ['remember_note'], 'Noted'],
    ['forget the wifi note', ['forget_note'], 'Which one', '1. the wifi router', '2. the wifi code'],
    ['the second one', ['forget_note'], 'Forgotten: “the wifi code is tulip”'],
    ["what's my wifi code?", ['find_notes'], 'router'],
  ],
  'forgetting everything takes a second word': [
    ['remember: milk', ['remember_note']],
    ['remember: bread', ['remember_note']],
    ['forget everything', ['find_notes'], 'Shall I forget all of them?'],
    ['yes', ['forget_note'], 'milk', 'bread'],
  ],
  'undoing a note': [
    ['remember that I like tea', ['remember_note']],
    ['forget that', ['forget_note'], 'Forgotten: “I like tea”'],
  ],
  'a note that holds asks': [
    ['remember that I owe Ana 12 * 7 euros and what is 3 * 3 is nine', ['remember_note'], '12 * 7 euros'],
  ],
  'remembering a result': [
    ['what is 12*7', ['calculate'], '84'],
    ['remember that', ['remember_note'], '84'],
  ],
  'a note and a look at it in one message': [
    [
      "Remember that Ana's birthday is 3 March. She likes roses. Show my notes.",
      ['remember_note', 'find_notes'],
      /Noted[^]*You noted on[^]*She likes roses/,
    ],
  ],
  'speaking of the conversation': [
    ['what is 12*7', ['calculate'], '84'],
    ['hello', [], 'Hello!'],
    ['what did I just ask?', [], '> hello'],
    ['what have I asked so far?', [], '1. “what is 12*7”', '2. “hello”'],
  ],
  'who it is beside an answer': [["who are you and what's 12*7?", ['calculate'], 'offline assistant', '84']],
  'what it cannot do': [
    ['write me a poem about the sea', [], UNANSWERED, 'connect a language model in the settings'],
    ["what's the weather in Paris?", [], 'internet'],
    ['remind me to call Bob tomorrow', [], 'can’t remind'],
  ],
  'chat mode uses no tools': [
    [
      "[chat] what's 12*7?",
      [],
      'I’d need the calculator for that; send it in agent mode and I’ll work it out.',
    ],
    ["[chat] what's 12*7 and how many days until Christmas?", [], 'the calculator and the calendar'],
    ['[chat] hello', [], 'Hello!'],
    ['[chat] write me a poem', [], UNANSWERED],
  ],
  'chat mode speaks of what agent mode worked out': [
    ['what is 12*7', ['calculate'], '84'],
    ['[chat] what was the result?', [], '84'],
    ['[chat] what did I ask about 12*7?', [], 'I’d need the message search for that'],
  ],
};

describe('a dialogue', () => {
  test.each(Object.entries(DIALOGUES))('%s', async (_, turns) => {
    await play(turns);
  });
});

describe('prose calls no tool', () => {
  test.each([
    'I feel 100% sure about this',
    'It was 5-3 at half time and I am happy.',
    'The shop is open 24/7.',
    'I was born in 1990 and moved here in 2004.',
    'My cat has 2 kittens, 1 black and 1 white.',
    'We met on 3 March and again on Monday.',
    'He said the count was wrong.',
    'This sort of thing happens all the time.',
    'I forget things when I am tired, and you?',
    'She remembers everything.',
    'I searched for my keys for hours.',
    'The case was closed, and I hash tagged it.',
    'Version 1.2.3 was released today',
    'Let us meet in about 5 minutes to talk',
    'I think Tokyo is a nice city',
    'Never put all your eggs in one basket.',
    'He is 5 feet tall and I like it',
    'JSON is a format. CSV is another.',
    'I think he went to New York and Tokyo',
    'We split the bill and went home.',
    'The square root of the matter and the number 7 are odd.',
    'Add these up and you get a mess.',
    'Weather in Paris was fine, 20 degrees in May.',
    'A number of people came and sorted it out.',
    'She has a prime spot by the sea and 97 friends.',
    'The tip was generous, about 18% I think.',
    'They counted wrods and sang.',
    'The meeting is at 3pm in London and the other one in New York.',
    'He was in Tokyo at 9am. That was a long day in Paris.',
  ])('%s', async (message) => {
    await play([[message, []]]);
  });
});
