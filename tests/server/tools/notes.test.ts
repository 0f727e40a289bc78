import { beforeEach, expect, test } from 'vitest';
import { findNotes, forgetNote, rememberNote } from '../../../server/tools/notes.ts';
import { MAX_NOTE_CHARACTERS } from '../../../shared/limits.ts';
import { createMemoryWorkspace, type MemoryWorkspace } from '../../support/memory-workspace.ts';
import { toolContext } from '../../support/tool-context.ts';

let workspace: MemoryWorkspace;
const context = () => toolContext({ workspace });
const texts = (notes: { text: string }[]) => notes.map((note) => note.text);

beforeEach(async () => {
  workspace = createMemoryWorkspace();
  for (const text of [
    'The Wi-Fi password is tulip',
    "My sister's birthday is 3 March",
    'Two dogs live next door',
  ]) {
    await workspace.addNote(text);
  }
});

test('keeps a note, trimmed', async () => {
  const { note, known } = await rememberNote.run({ text: '  buy milk \n' }, context());
  expect([note.text, known, workspace.notes.length]).toEqual(['buy milk', false, 4]);
});

test('does not keep the same note twice', async () => {
  const { note, known } = await rememberNote.run({ text: 'the wi-fi password is TULIP' }, context());
  expect([note.id, known, workspace.notes.length]).toEqual(['note-1', true, 3]);
});

test('refuses a note that is empty or too long, in words', async () => {
  await expect(rememberNote.run({ text: ' \n ' }, context())).rejects.toThrow('nothing to remember');
  await expect(rememberNote.run({ text: 'x'.repeat(MAX_NOTE_CHARACTERS + 1) }, context())).rejects.toThrow(
    '4000',
  );
});

test.each([
  ['what is my wifi password?', ['The Wi-Fi password is tulip']],
  ['sister', ["My sister's birthday is 3 March"]],
  ['the dog next door', ['Two dogs live next door']],
  ['cars', []],
  ['the', []],
])('finds the notes that hold most words of %j', async (query, expected) => {
  expect(texts((await findNotes.run({ query }, context())).notes)).toEqual(expected);
});

test.each([
  ['those with most words', 'red car', ['a red bicycle', 'my red car', 'a blue car'], ['my red car']],
  ['either number', 'passwords', ['the password', 'Passwords matter'], ['Passwords matter', 'the password']],
  ['either case, with an owner', "ana's", ['ANA likes tea'], ['ANA likes tea']],
  ['what the words are about', 'what do you know about my dog', ['my cat', 'my dog'], ['my dog']],
  [
    'verbs of the past, with or without accents',
    'Rene parked',
    ['René parks there', 'a park'],
    ['René parks there'],
  ],
  ['words in any script', 'катя', ['Катя любит чай'], ['Катя любит чай']],
])('finds notes by %s', async (_what, query, kept, found) => {
  workspace = createMemoryWorkspace();
  for (const text of kept) await workspace.addNote(text);
  expect(texts((await findNotes.run({ query }, context())).notes)).toEqual(found);
});

test('offers the notes that hold most words first when none holds all', async () => {
  workspace = createMemoryWorkspace();
  for (const text of ['a red bicycle', 'my red car', 'a blue car']) await workspace.addNote(text);
  const { candidates } = await forgetNote.run({ query: 'red car bicycle yellow' }, context());
  expect(texts(candidates)).toEqual(['my red car', 'a red bicycle', 'a blue car']);
});

test('lists all notes, newest first, and says when there are more', async () => {
  const { notes, more } = await findNotes.run({ limit: 2 }, context());
  expect([texts(notes), more]).toEqual([
    ['Two dogs live next door', "My sister's birthday is 3 March"],
    true,
  ]);
});

test('forgets the one note that the words single out', async () => {
  const { forgotten } = await forgetNote.run({ query: 'the birthday of my sister' }, context());
  expect([texts(forgotten), workspace.notes.length]).toEqual([["My sister's birthday is 3 March"], 2]);
});

test('forgets nothing when several notes hold the words, and returns them', async () => {
  await workspace.addNote('The Wi-Fi router is a Fritz');
  const { forgotten, candidates } = await forgetNote.run({ query: 'wi-fi' }, context());
  expect(forgotten).toEqual([]);
  expect(texts(candidates)).toEqual(['The Wi-Fi router is a Fritz', 'The Wi-Fi password is tulip']);
  expect(workspace.notes).toHaveLength(4);
});

test('forgets the exact note where another only holds its words', async () => {
  await workspace.addNote('tulip');
  expect(texts((await forgetNote.run({ query: 'tulip' }, context())).forgotten)).toEqual(['tulip']);
});

test('forgets by id, and passes over ids that are gone', async () => {
  const { forgotten } = await forgetNote.run({ ids: ['note-2', 'note-9'] }, context());
  expect([texts(forgotten), workspace.notes.length]).toEqual([["My sister's birthday is 3 March"], 2]);
});

test('a note takes the place of the one note that holds the words, and of none where several do', async () => {
  const changed = await rememberNote.run(
    { text: 'the wi-fi password is rose', replaces: 'wi-fi password' },
    context(),
  );
  expect(changed.replaced?.text).toBe('The Wi-Fi password is tulip');
  await workspace.addNote('the dogs bark');
  const beside = await rememberNote.run({ text: 'three dogs', replaces: 'dogs' }, context());
  expect([beside.replaced, texts(workspace.notes)]).toEqual([
    undefined,
    expect.arrayContaining([
      'Two dogs live next door',
      'the dogs bark',
      'three dogs',
      'the wi-fi password is rose',
    ]),
  ]);
});
