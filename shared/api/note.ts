import { Type, type Static } from 'typebox';
import { MAX_NOTE_CHARACTERS } from '../limits.ts';
import { list, object, text, Timestamp, WorkspaceId } from './common.ts';

export const Note = object(
  'Something that Parley was asked to remember, in a chat of the workspace or over the API.',
  {
    id: text('Unique id.', '01jd3v6k2q8x'),
    text: text('What to remember, in the person’s words.', 'the spare key is with Anna'),
    createdAt: Timestamp,
  },
);
export type Note = Static<typeof Note>;

/** Body of `POST /api/v1/notes` and `PATCH /api/v1/notes/:noteId`. */
export const NoteBody = Type.Object({
  text: text('What to remember. Surrounding white space is removed.', {
    examples: ['the spare key is with Anna'],
    pattern: '\\S',
    maxLength: MAX_NOTE_CHARACTERS,
  }),
  workspaceId: Type.Optional(WorkspaceId),
});

/** Answer of every endpoint about one note. */
export const NoteAnswer = Type.Object({ note: Note });
export type NoteAnswer = Static<typeof NoteAnswer>;

/** Answer of `GET /api/v1/notes`. */
export const NoteList = Type.Object({ notes: list(Note, 'Newest first.') });
export type NoteList = Static<typeof NoteList>;
