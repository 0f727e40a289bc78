/** The part of the API about what Parley was asked to remember. */
import type { Note } from '../../shared/api/note.ts';
import type { Ask } from './http.ts';

/** Notes of the workspace. */
export type NoteApi = ReturnType<typeof noteApi>;

/** The part of a client that {@link NoteApi} is. */
export const noteApi = (ask: Ask) => ({
  /** Newest first. */
  listNotes: (): Promise<Note[]> => ask((api) => api.GET('/api/v1/notes')).then(({ notes }) => notes),
  /** Resolves with the note that is there already, if the text is remembered. */
  addNote: (text: string): Promise<Note> =>
    ask((api) => api.POST('/api/v1/notes', { body: { text } })).then(({ note }) => note),
  changeNote: (noteId: string, text: string): Promise<Note> =>
    ask((api) => api.PATCH('/api/v1/notes/{noteId}', { params: { path: { noteId } }, body: { text } })).then(
      ({ note }) => note,
    ),
  /** It can't be restored. */
  removeNote: (noteId: string): Promise<Note> =>
    ask((api) => api.DELETE('/api/v1/notes/{noteId}', { params: { path: { noteId } } })).then(
      ({ note }) => note,
    ),
});
