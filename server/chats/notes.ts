import type { Note } from '../../shared/api/note.ts';
import { createNote, deleteNote, findNote, listNotes, toNote, updateNote } from '../store/note-repository.ts';
import { readSettled } from '../store/read-settled.ts';
import type { ServiceDeps } from './deps.ts';

/** What people do with the notes of a workspace; models have tools for them. Nothing is told before it is on disk. */
export type NoteService = ReturnType<typeof createNoteService>;

/** Makes the note service of a store. */
export function createNoteService({ store, clock, newId }: ServiceDeps) {
  return {
    /** Newest first. */
    async list(workspaceId: string): Promise<Note[]> {
      const notes = await readSettled(store, (reader) => listNotes(reader, workspaceId));
      return notes.map(toNote);
    },
    /** Keeps a text; one that is kept already, but for upper and lower case, is not kept twice. */
    add: (workspaceId: string, typed: string): Promise<Note> =>
      store.write((writer) => {
        const text = typed.trim();
        const same = listNotes(writer, workspaceId).find(
          (note) => note.text.toLowerCase() === text.toLowerCase(),
        );
        const { id, createdAt } = same ?? { id: newId(), createdAt: clock().toISOString() };
        if (same === undefined) createNote(writer, { id, workspaceId, text, createdAt });
        return { id, text: same?.text ?? text, createdAt };
      }),
    /** Puts another text in place of a note's; null: there is none of that id. */
    change: (workspaceId: string, id: string, typed: string): Promise<Note | null> =>
      store.write((writer) => {
        const note = findNote(writer, workspaceId, id);
        if (note === null) return null;
        const text = typed.trim();
        updateNote(writer, { text }, workspaceId, id);
        return { id, text, createdAt: note.createdAt };
      }),
    /** Resolves with the note that was removed; null: there was none of that id. */
    remove: (workspaceId: string, id: string): Promise<Note | null> =>
      store.write((writer) => {
        const note = findNote(writer, workspaceId, id);
        if (note === null) return null;
        deleteNote(writer, workspaceId, id);
        return toNote(note);
      }),
  };
}
