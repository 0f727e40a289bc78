import { Type } from 'typebox';
import { MAX_NOTE_CHARACTERS } from '../../shared/limits.ts';
import { defineTool, ToolError, type Note } from './tool.ts';
import { subjectWords } from './words.ts';

/** Notes listed or removed in one call. */
const MAX_NOTES = 200;
const DEFAULT_NOTES = 20;

/** Keeps something the person asked to have remembered. */
export const rememberNote = defineTool({
  name: 'remember_note',
  description:
    'Keeps a note for the person until they ask to forget it. Use it only when they ask to remember or note something.',
  input: Type.Object({
    text: Type.String({ description: 'What to keep, in the words of the person', minLength: 1 }),
    replaces: Type.Optional(
      Type.String({ description: 'When it changes an earlier note: words that only that one holds' }),
    ),
  }),
  async run({ text, replaces }, { workspace }) {
    const kept = text.trim();
    if (kept === '') throw new ToolError('There is nothing to remember in that.');
    if (kept.length > MAX_NOTE_CHARACTERS) {
      throw new ToolError(
        `A note can have ${MAX_NOTE_CHARACTERS} characters at most; this has ${kept.length}.`,
      );
    }
    const notes = workspace.listNotes();
    const same = notes.find((note) => note.text.toLowerCase() === kept.toLowerCase());
    if (same) return { note: same, known: true };
    const [replaced, ...others] = findMatches(notes, subjectWords(replaces ?? '')).whole;
    const note = await workspace.addNote(kept);
    if (replaced === undefined || others.length > 0) return { note, known: false };
    await workspace.deleteNote(replaced.id);
    return { note, known: false, replaced };
  },
});

/** Looks among the notes. */
export const findNotes = defineTool({
  name: 'find_notes',
  description:
    'Finds what the person asked to have remembered: notes about a subject, or all of them, newest first.',
  input: Type.Object({
    query: Type.Optional(Type.String({ description: 'Words of the subject; leave out to list all notes' })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_NOTES })),
  }),
  run({ query, limit = DEFAULT_NOTES }, { workspace }) {
    const all = workspace.listNotes();
    const notes = query === undefined ? all : findMatches(all, subjectWords(query)).best;
    return { notes: notes.slice(0, limit), more: notes.length > limit };
  },
});

/** Removes notes: those of the ids given, or the one that the words single out. */
export const forgetNote = defineTool({
  name: 'forget_note',
  description:
    'Removes notes, by their ids or by words that only one note holds. When several hold them, nothing is removed and ' +
    'they are returned as candidates: ask the person which one.',
  input: Type.Object({
    query: Type.Optional(Type.String({ description: 'Words of the note to forget' })),
    ids: Type.Optional(
      Type.Array(Type.String(), { description: 'Ids of the notes to forget', maxItems: MAX_NOTES }),
    ),
  }),
  async run({ query, ids }, { workspace }) {
    const notes = workspace.listNotes();
    if (ids && ids.length > 0) {
      const forgotten: Note[] = [];
      for (const id of ids) {
        const note = notes.find((one) => one.id === id);
        if (note && (await workspace.deleteNote(id))) forgotten.push(note);
      }
      return { forgotten, candidates: [] };
    }
    const words = subjectWords(query ?? '');
    if (words.length === 0) throw new ToolError('Tell me which note to forget, by some of its words.');
    const { any, whole } = findMatches(notes, words);
    const exact = whole.filter((note) => subjectWords(note.text).length === words.length);
    const meant = exact.length === 1 ? exact : whole;
    const [only] = meant;
    if (meant.length === 1 && only) {
      await workspace.deleteNote(only.id);
      return { forgotten: [only], candidates: [] };
    }
    return { forgotten: [], candidates: (whole.length > 0 ? whole : any).slice(0, DEFAULT_NOTES) };
  },
});

/**
 * The notes that hold `any` of the words, most words first, otherwise in the given order; of those, the `best`, which hold more than
 * all others, and the `whole` ones, which hold all words.
 */
function findMatches(
  notes: readonly Note[],
  words: readonly string[],
): Record<'any' | 'best' | 'whole', Note[]> {
  const found = notes
    .map((note) => {
      const held = new Set(subjectWords(note.text));
      return { note, count: words.filter((word) => held.has(word)).length };
    })
    .filter(({ count }) => count > 0)
    .sort((one, other) => other.count - one.count);
  const withCount = (wanted: number | undefined): Note[] =>
    found.filter(({ count }) => count === wanted).map(({ note }) => note);
  return {
    any: found.map(({ note }) => note),
    best: withCount(found[0]?.count),
    whole: withCount(words.length),
  };
}
