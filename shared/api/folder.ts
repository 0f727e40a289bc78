import { Type, type Static } from 'typebox';
import { MAX_PATH_CHARACTERS } from '../limits.ts';
import { Timestamp } from './common.ts';

/** A folder that a person allowed tools to work in, with all that is in it. */
export const AllowedFolder = Type.Object({
  id: Type.String(),
  /** What models call it: paths in it begin with this. No two have the same, and it stays. */
  name: Type.String(),
  /** Its real path: absolute, with no link in it. */
  path: Type.String(),
  /** Whether it can be worked in now: it is there, and still the folder that was allowed. */
  available: Type.Boolean(),
  createdAt: Timestamp,
});
export type AllowedFolder = Static<typeof AllowedFolder>;

/** Body of `POST /api/v1/folders`; needs the scope `admin`. */
export const AddFolderBody = Type.Object({
  /** Where it is: an absolute path. Links in it are followed once, now. */
  path: Type.String({
    minLength: 1,
    maxLength: MAX_PATH_CHARACTERS,
    description: 'the whole path of a folder, like "/home/ana/Notes"',
  }),
});
export type AddFolderBody = Static<typeof AddFolderBody>;

/** Answer of every endpoint about one folder. */
export const FolderAnswer = Type.Object({ folder: AllowedFolder });
export type FolderAnswer = Static<typeof FolderAnswer>;

/** Answer of `GET /api/v1/folders`, oldest first; needs the scope `admin`. */
export const FolderList = Type.Object({ folders: Type.Array(AllowedFolder) });
export type FolderList = Static<typeof FolderList>;
