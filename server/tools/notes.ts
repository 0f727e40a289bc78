import { Type } from 'typebox';
import { MAX_NOTE_CHARACTERS } from '../../shared/limits.ts';
import { defineTool, ToolError, type Note, type ToolContext } from './tool.ts';
import { bothNumbers, subjectWords } from './words.ts';

/** Notes looked through or listed in one call. */
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
    const words = subjectWords(kept);
    if (words.length > 0) {
      const like = await workspace.findNotes(bothNumbers(words), MAX_NOTES);
      const same = like.find((note) => note.text.toLowerCase() === kept.toLowerCase());
      if (same) return { note: same, known: true };
    }
    const [replaced, ...others] = replaces === undefined ? [] : await holding(replaces, workspace);
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
  async run({ query, limit = DEFAULT_NOTES }, { workspace }) {
    const words = query === undefined ? [] : subjectWords(query);
    if (query !== undefined && words.length === 0) return { notes: [], more: false };
    if (words.length === 0) {
      const all = await workspace.findNotes(null, limit + 1);
      return { notes: all.slice(0, limit), more: all.length > limit };
    }
    const any = await workspace.findNotes(bothNumbers(words), MAX_NOTES);
    const best = bestOf(any, words);
    return { notes: best.slice(0, limit), more: best.length > limit };
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
    if (ids && ids.length > 0) {
      const known = await workspace.findNotes(null, MAX_NOTES);
      const forgotten: Note[] = [];
      for (const id of ids) {
        const note = known.find((one) => one.id === id);
        if ((await workspace.deleteNote(id)) && note) forgotten.push(note);
      }
      return { forgotten, candidates: [] };
    }
    const words = subjectWords(query ?? '');
    if (words.length === 0) throw new ToolError('Tell me which note to forget, by some of its words.');
    const any = await workspace.findNotes(bothNumbers(words), MAX_NOTES);
    const whole = any.filter((note) => holdsAll(note, words));
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

/** The notes that hold the most of the words, in the order given; fewer words are taken only when none holds more. */
function bestOf(notes: readonly Note[], words: readonly string[]): Note[] {
  const counted = notes.map((note) => {
    const held = new Set(subjectWords(note.text));
    return { note, count: words.filter((word) => held.has(word)).length };
  });
  const most = Math.max(1, ...counted.map(({ count }) => count));
  return counted.filter(({ count }) => count === most).map(({ note }) => note);
}

/** The notes that hold all the words of a text. */
async function holding(text: string, workspace: ToolContext['workspace']): Promise<Note[]> {
  const words = subjectWords(text);
  if (words.length === 0) return [];
  const any = await workspace.findNotes(bothNumbers(words), MAX_NOTES);
  return any.filter((note) => holdsAll(note, words));
}

function holdsAll(note: Note, words: readonly string[]): boolean {
  const held = new Set(subjectWords(note.text));
  return words.every((word) => held.has(word));
}
