import { Type, type Static } from 'typebox';
import { MAX_NOTE_CHARACTERS } from '../limits.ts';
import { Timestamp, WorkspaceId } from './common.ts';

export const Note = Type.Object(
  {
    id: Type.String({ description: 'Unique id.', examples: ['01jd3v6k2q8x'] }),
    text: Type.String({
      description: 'What to remember, in the person’s words.',
      examples: ['the spare key is with Anna'],
    }),
    createdAt: Timestamp,
  },
  { description: 'Something that Parley was asked to remember, in a chat of the workspace or over the API.' },
);
export type Note = Static<typeof Note>;

/** Body of `POST /api/v1/notes` and `PATCH /api/v1/notes/:noteId`. */
export const NoteBody = Type.Object({
  text: Type.String({
    description: 'What to remember. Surrounding white space is removed.',
    examples: ['the spare key is with Anna'],
    pattern: '\\S',
    maxLength: MAX_NOTE_CHARACTERS,
  }),
  workspaceId: Type.Optional(WorkspaceId),
});
export type NoteBody = Static<typeof NoteBody>;

/** Answer of every endpoint about one note. */
export const NoteAnswer = Type.Object({ note: Note });
export type NoteAnswer = Static<typeof NoteAnswer>;

/** Answer of `GET /api/v1/notes`. */
export const NoteList = Type.Object({ notes: Type.Array(Note, { description: 'Newest first.' }) });
export type NoteList = Static<typeof NoteList>;
