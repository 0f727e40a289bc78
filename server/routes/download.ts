/** What the API's document says of answers that are files. */
import { Type } from 'typebox';

/** The bytes of a file. */
export const FileBytes = Type.String({ description: 'The file.' });

/** Headers of every download. */
export const DOWNLOAD_HEADERS = { 'Content-Disposition': '`attachment`, with the file’s name.' };
