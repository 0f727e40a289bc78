import { Type, type Static } from 'typebox';
import { MAX_PATH_CHARACTERS } from '../limits.ts';
import { Timestamp } from './common.ts';

export const AllowedFolder = Type.Object(
  {
    id: Type.String({ description: 'What it is told apart by.', examples: ['01jd3v6k2q8x'] }),
    name: Type.String({
      examples: ['Notes'],
      description: 'What models call it: paths in it begin with this. No two have the same, and it stays.',
    }),
    path: Type.String({
      examples: ['/home/ana/Notes'],
      description: 'Its real path: absolute, with no link in it.',
    }),
    available: Type.Boolean({
      description: 'Whether it can be worked in now: it is there, and still the folder that was allowed.',
    }),
    createdAt: Timestamp,
  },
  { description: 'A folder that a person allowed tools to work in, with all that is in it.' },
);
export type AllowedFolder = Static<typeof AllowedFolder>;

/** Body of `POST /api/v1/folders`; needs the scope `admin`. */
export const AddFolderBody = Type.Object({
  path: Type.String({
    examples: ['/home/ana/Notes'],
    description: 'Where it is: an absolute path. Links in it are followed once, now.',
    minLength: 1,
    maxLength: MAX_PATH_CHARACTERS,
    expected: 'the whole path of a folder, like "/home/ana/Notes"',
  }),
});
export type AddFolderBody = Static<typeof AddFolderBody>;

/** Answer of every endpoint about one folder. */
export const FolderAnswer = Type.Object({ folder: AllowedFolder });
export type FolderAnswer = Static<typeof FolderAnswer>;

/** Answer of `GET /api/v1/folders`, oldest first; needs the scope `admin`. */
export const FolderList = Type.Object({
  folders: Type.Array(AllowedFolder, { description: 'Oldest first.' }),
});
export type FolderList = Static<typeof FolderList>;
