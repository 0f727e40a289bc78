import { Type, type Static } from 'typebox';
import { MAX_NOTE_CHARACTERS } from '../limits.ts';
import { withThousands } from '../numbers.ts';
import { Timestamp, WorkspaceId } from './common.ts';

export const Note = Type.Object(
  {
    id: Type.String({ description: 'What it is told apart by.', examples: ['01jd3v6k2q8x'] }),
    text: Type.String({
      description: 'What is remembered, in the words of the person.',
      examples: ['the spare key is with Anna'],
    }),
    createdAt: Timestamp,
  },
  { description: 'Something that Parley was asked to remember, in any chat of the workspace or here.' },
);
export type Note = Static<typeof Note>;

/** Body of `POST /api/v1/notes` and `PATCH /api/v1/notes/:noteId`. */
export const NoteBody = Type.Object({
  text: Type.String({
    description: 'What to remember. White space around it is left out.',
    examples: ['the spare key is with Anna'],
    pattern: '\\S',
    maxLength: MAX_NOTE_CHARACTERS,
    expected: `text of 1 to ${withThousands(MAX_NOTE_CHARACTERS)} characters that is not only white space`,
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
