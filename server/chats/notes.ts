import type { Note } from '../../shared/api/note.ts';
import { createNote, deleteNote, findNote, listNotes, toNote, updateNote } from '../store/note-repository.ts';
import { readSettled } from '../store/read-settled.ts';
import type { ServiceDeps } from './deps.ts';

/** The notes of a workspace, as people manage them; models have tools for that. Results are on disk before they are returned. */
export type NoteService = ReturnType<typeof createNoteService>;

/** Makes the note service of a store. */
export function createNoteService({ store, clock, newId }: ServiceDeps) {
  return {
    /** Newest first. */
    async list(workspaceId: string): Promise<Note[]> {
      const notes = await readSettled(store, (reader) => listNotes(reader, workspaceId));
      return notes.map(toNote);
    },
    /** Stores a note, unless one differs at most in upper and lower case: then that one is returned. */
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
    /** Replaces a note's text; null: there is no such note. */
    change: (workspaceId: string, id: string, typed: string): Promise<Note | null> =>
      store.write((writer) => {
        const note = findNote(writer, workspaceId, id);
        if (note === null) return null;
        const text = typed.trim();
        updateNote(writer, { text }, workspaceId, id);
        return { id, text, createdAt: note.createdAt };
      }),
    /** Resolves with the removed note; null: there was none. */
    remove: (workspaceId: string, id: string): Promise<Note | null> =>
      store.write((writer) => {
        const note = findNote(writer, workspaceId, id);
        if (note === null) return null;
        deleteNote(writer, workspaceId, id);
        return toNote(note);
      }),
  };
}
