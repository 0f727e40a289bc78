import { describe, expect, test } from 'vitest';
import { notesSkill } from '../../../../../server/models/offline/skills/notes/index.ts';
import { startConversation } from '../../../../support/converse.ts';
import { asRequest, exchange } from '../../../../support/skill-request.ts';

const recognise = (text: string, parts = {}) => {
  const intent = notesSkill.parse(asRequest(text, parts));
  return intent && [intent.tool, intent.input];
};

describe('remembers', () => {
  test.each([
    ['remember that the key is with Ana', 'the key is with Ana'],
    ['Please remember: buy milk', 'buy milk'],
    ['note: buy milk', 'buy milk'],
    ['Note that Ana is away', 'Ana is away'],
    ['note to self: call Bob', 'call Bob'],
    ["don't forget to water the plants", 'to water the plants'],
    ['keep in mind that I am vegetarian', 'I am vegetarian'],
    ['make a note: the code is 1234', 'the code is 1234'],
    ['can you write down that we meet at 5?!', 'we meet at 5'],
    ['could you note down that we meet at 5', 'we meet at 5'],
    ['save this as a note: x = 4', 'x = 4'],
    ['add a note: pay rent', 'pay rent'],
  ])('%s', (text, note) => {
    expect(recognise(text)).toEqual(['remember_note', { text: note }]);
  });

  test('a block after the words', () => {
    expect(recognise('remember', { material: 'milk\neggs' })).toEqual([
      'remember_note',
      { text: 'milk\neggs' },
    ]);
  });

  test('what was worked out before, or else what was said, when it is only "that"', () => {
    const worked = exchange('2+2', '**4**', [{ tool: 'calculate', input: {}, output: {} }]);
    expect(recognise('remember that', { history: [worked] })).toEqual(['remember_note', { text: '**4**' }]);
    expect(recognise('remember that', { history: [exchange('I like tea', 'Good.')] })).toEqual([
      'remember_note',
      { text: 'I like tea' },
    ]);
    expect(recognise('remember that')).toBeNull();
  });

  test.each([
    'do you remember?',
    'remember me?',
    'I remember that day',
    'remember when we met?',
    'noted',
    'notebook',
    'a note about cats',
  ])('nothing from %j', (text) => {
    expect(recognise(text)?.[0]).not.toBe('remember_note');
  });
});

describe('finds', () => {
  test.each([
    ['what do you know about the spare key?', { query: 'the spare key' }],
    ['what do you remember about Ana', { query: 'Ana' }],
    ['do you remember the wifi code?', { query: 'the wifi code' }],
    ['any notes on Tokyo?', { query: 'Tokyo' }],
    ['show me my notes about work', { query: 'work' }],
    ["what's my wifi code?", { query: 'my wifi code' }],
    ['where did I put my keys', { query: 'my keys' }],
    ['what do I have noted?', {}],
    ['what have I noted', {}],
    ['show my notes', {}],
    ['list all my notes', {}],
    ['my notes', {}],
    ['what do you know about me?', {}],
    ['What did I ask you to remember?', {}],
  ])('%s', (text, input) => {
    expect(recognise(text)).toEqual(['find_notes', input]);
  });
});

describe('forgets', () => {
  test.each([
    ['forget that the key is with Ana', { query: 'key is with Ana' }],
    ['forget about the dentist', { query: 'dentist' }],
    ['delete the note about work', { query: 'work' }],
    ['remove my note on Tokyo.', { query: 'Tokyo' }],
  ])('%s', (text, input) => {
    expect(recognise(text)).toEqual(['forget_note', input]);
  });

  const note = (id: string) => ({ id, text: `note ${id}`, createdAt: '2026-11-20T10:00:00.000Z' });
  const asked = exchange('forget the note', 'Which?', [
    {
      tool: 'forget_note',
      input: {},
      output: { forgotten: [], candidates: [note('a'), note('b'), note('c')] },
    },
  ]);
  const listed = exchange('my notes', '1. …', [
    { tool: 'find_notes', input: {}, output: { notes: [note('a'), note('b'), note('c')], more: false } },
  ]);

  test.each([
    ['the second one', ['b']],
    ['2', ['b']],
    ['1 and 3', ['a', 'c']],
    ['the first and the last', ['a', 'c']],
    ['all of them', ['a', 'b', 'c']],
    ['forget number 3', ['c']],
  ])('what was asked about: %s', (text, ids) => {
    expect(recognise(text, { history: [asked] })).toEqual(['forget_note', { ids }]);
  });

  test('by number from a list, but only when told to forget', () => {
    expect(recognise('delete the first one', { history: [listed] })).toEqual(['forget_note', { ids: ['a'] }]);
    expect(recognise('forget them', { history: [listed] })).toEqual([
      'forget_note',
      { ids: ['a', 'b', 'c'] },
    ]);
    expect(recognise('the first one', { history: [listed] })).toBeNull();
    expect(recognise('9', { history: [asked] })).toBeNull();
    expect(recognise('forget 0', { history: [asked] })?.[1]).not.toHaveProperty('ids');
  });

  test('the note just made, when it is only "that"', () => {
    const made = exchange('remember x', 'Noted', [
      { tool: 'remember_note', input: { text: 'x' }, output: { note: note('z'), known: false } },
    ]);
    expect(recognise('forget that', { history: [made] })).toEqual(['forget_note', { ids: ['z'] }]);
    expect(recognise('forget that')).toBeNull();
  });

  test('everything only after showing it and asking', () => {
    expect(recognise('forget everything')).toEqual(['find_notes', { limit: 200 }]);
  });
});

test.each(['I feel 100% sure', 'what is 12 * 7', 'how many words are in this note', 'sort my list', ''])(
  'has nothing to do with %j',
  (text) => {
    expect(notesSkill.parse(asRequest(text))).toBeNull();
  },
);

test('tells a choice as a numbered list with dates in the zone of the person', () => {
  const output = {
    forgotten: [],
    candidates: [
      { id: 'a', text: '- one\n- two', createdAt: '2026-11-20T23:30:00.000Z' },
      { id: 'b', text: 'three', createdAt: '2026-11-19T10:00:00.000Z' },
    ],
  };
  expect(notesSkill.format('forget_note', { query: 'x' }, output, asRequest('forget x'))).toBe(
    'Several notes fit. Which one shall I forget?\n\n1. one; two *(21 November 2026, 00:30)*\n2. three *(19 November 2026, 11:00)*',
  );
});

describe('answers from what was noted', () => {
  const noted: [string, string[]][] = [
    [
      'the spare key is with Anna',
      [
        'Who has the spare key?',
        'who’s got the spare key',
        'And who keeps the spare key?',
        'Where is the spare key?',
        'where’s the spare key now?',
        'With whom is the spare key?',
        'who is the spare key with?',
        'what does Anna have?',
      ],
    ],
    ['the dentist is on Friday at 9', ['When is the dentist?', 'what is on Friday?']],
  ];
  test.each(noted.flatMap(([note, questions]) => questions.map((question) => [question, note])))(
    '%s',
    async (question = '', note = '') => {
      const chat = startConversation();
      await chat.say(`remember that ${note}`);
      await chat.say('thanks');
      const { tools, text } = await chat.say(question);
      expect([tools, text]).toEqual([['find_notes'], expect.stringContaining(note)]);
    },
  );

  test.each(['when is it?', 'Does Bob have the spare key?', 'is it raining?', 'why is that?'])(
    'nothing from %j',
    async (question) => {
      const chat = startConversation();
      await chat.say('remember that the spare key is with Anna');
      await chat.say('thanks');
      expect((await chat.say(question)).tools).toEqual([]);
    },
  );
});

describe('over a conversation', () => {
  const last = async (...messages: string[]): Promise<string> => {
    const chat = startConversation();
    let text = '';
    for (const message of messages) ({ text } = await chat.say(message));
    return text;
  };

  test.each([
    [['remember my shoe size is 42', 'change my shoe size to 43'], 'I can’t answer that'],
    [['remember I parked on level 3', 'where did i park'], 'level 3'],
    [['remember: project code is X-77', 'whats the project code?'], 'X-77'],
    [['dont forget that the rent is due on the 1st', 'when is the rent due'], 'due on the 1st'],
    [['remember my gym code is 1234', "what's my office code"], 'The nearest note says nothing of “office”'],
  ])('%j', async (messages, reported) => {
    expect(await last(...messages)).toContain(reported);
  });

  test('what nothing knows is looked for among the notes, and refused where they say only a part of it', async () => {
    const chat = startConversation();
    await chat.say('remember that the capital of the club is 500');
    const { tools, text } = await chat.say('what is the capital of France?');
    expect([tools, text]).toEqual([['find_notes'], expect.stringContaining('I can’t answer that')]);
  });
});
