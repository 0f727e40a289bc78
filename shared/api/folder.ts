import { Type, type Static } from 'typebox';
import { MAX_PATH_CHARACTERS } from '../limits.ts';
import { flag, list, object, text, Timestamp } from './common.ts';

export const AllowedFolder = object('A folder in which tools may work, including all its subfolders.', {
  id: text('Unique id.', '01jd3v6k2q8x'),
  name: text('The name models use: paths in the folder start with it. Unique, and never changes.', 'Notes'),
  path: text('Its real path: absolute, with all links resolved.', '/home/ana/Notes'),
  available: flag('Whether tools can use it now: it exists and is still the folder that was allowed.'),
  createdAt: Timestamp,
});
export type AllowedFolder = Static<typeof AllowedFolder>;

/** Body of `POST /api/v1/folders`; needs the scope `admin`. */
export const AddFolderBody = Type.Object({
  path: text('The absolute path of the folder. Links in it are resolved once, now.', {
    examples: ['/home/ana/Notes'],
    minLength: 1,
    maxLength: MAX_PATH_CHARACTERS,
    expected: 'the whole path of a folder, like "/home/ana/Notes" or "C:\\Users\\Ana\\Notes"',
  }),
});
export type AddFolderBody = Static<typeof AddFolderBody>;

/** Answer of every endpoint about one folder. */
export const FolderAnswer = Type.Object({ folder: AllowedFolder });
export type FolderAnswer = Static<typeof FolderAnswer>;

/** Answer of `GET /api/v1/folders`, oldest first; needs the scope `admin`. */
export const FolderList = Type.Object({
  folders: list(AllowedFolder, 'Oldest first.'),
});
export type FolderList = Static<typeof FolderList>;
