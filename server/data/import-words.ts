import { AppError } from '../errors.ts';

/** Where in a file something is, counted from 0; no message: the chat itself. */
export interface FilePlace {
  chat: number;
  message?: number;
}

/** The refusal of a file that is damaged at that place. `path` is within the chat or message, e.g. `/content`. */
export function damagedAt(place: FilePlace, path: string, what: string): AppError {
  const where =
    place.message === undefined
      ? `Chat ${place.chat + 1}`
      : `Chat ${place.chat + 1}, message ${place.message + 1}`;
  const inFile =
    place.message === undefined
      ? `/chats/${place.chat}${path}`
      : `/chats/${place.chat}/messages/${place.message}${path}`;
  const name = path === '' ? '' : ` "${path.slice(1).replaceAll('/', '.')}"`;
  const message = `${where} of the file is damaged:${name} ${what}.`;
  return new AppError('invalid_request', `${message} Nothing was imported.`, {
    details: [{ path: inFile, message }],
  });
}
