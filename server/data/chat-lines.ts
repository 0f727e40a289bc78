/**
 * Chats as JSON, one line for the chat and one for each message. Backups are read back line by line (read-backup.ts);
 * for all other readers the lines are plain JSON.
 */
import { AppError } from '../errors.ts';
import type { FileStore } from '../files/file-store.ts';
import { toChat } from '../store/chat-columns.ts';
import { findStepFile } from '../store/step-file-repository.ts';
import type { Store } from '../store/types.ts';
import { type FileOut, type MessageOut, openStoredChat } from './chat-messages.ts';
import { breathe, createPause } from '../store/pieces.ts';

/** How much was written. */
export interface WrittenCounts {
  chats: number;
  messages: number;
}

/** Where lines come from. */
export interface LineSource {
  store: Store;
  files: Pick<FileStore, 'read'>;
}

/** How many more characters files of messages may take; files that don't fit are only named by their message. */
interface FileRoom {
  characters: number;
}

/** The chats of these ids as elements of a JSON array; chats gone by then are left out. `written` counts them. */
export async function* chatLines(
  source: LineSource,
  chatIds: Iterable<string>,
  room: FileRoom,
  written: WrittenCounts = { chats: 0, messages: 0 },
): AsyncGenerator<string> {
  const { store } = source;
  let between = '\n';
  const pause = createPause();
  for (const chatId of chatIds) {
    await pause();
    const out = openStoredChat(store, chatId);
    if (out === null) continue;
    // Work under way here isn't under way wherever the file is imported.
    const head = JSON.stringify({ chat: toChat(out.chat, null), titleSource: out.chat.titleSource });
    yield `${between}${head.slice(0, -1)},`;
    yield* attachmentLines(source, out.files, room);
    yield '"messages":[';
    between = ',\n';
    written.chats += 1;
    let isFirst = true;
    for await (const piece of out.pieces()) {
      if (piece.length === 0) continue;
      yield `${isFirst ? '' : ','}\n`;
      isFirst = false;
      yield* pieceLines(store, chatId, piece);
      written.messages += piece.length;
    }
    yield '\n]}';
  }
  yield '\n';
}

/** A line for each file. A file whose bytes are lost is left out; the import reports that. */
async function* attachmentLines(
  { files }: LineSource,
  all: readonly FileOut[],
  room: FileRoom,
): AsyncGenerator<string> {
  if (all.length === 0) return;
  let between = '\n';
  yield '"files":[';
  for (const file of all) {
    const characters = Math.ceil(file.bytes / 3) * 4;
    if (characters > room.characters) continue;
    const bytes = await files.read(file).catch(nullWhenLost);
    if (bytes === null) continue;
    room.characters -= characters;
    try {
      yield `${between}{"ids":${JSON.stringify(file.ids)},"data":"`;
      yield* bytes.setEncoding('base64') as AsyncIterable<string>;
      yield '"}';
    } finally {
      bytes.destroy();
    }
    between = ',\n';
  }
  yield '\n],';
}

function nullWhenLost(error: unknown): null {
  if (error instanceof AppError && error.code === 'file_lost') return null;
  throw error;
}

/** Nearly all messages have no files, and are written at once. */
async function* pieceLines(
  store: Store,
  chatId: string,
  piece: readonly MessageOut[],
): AsyncGenerator<string> {
  if (piece.every(({ fileIds }) => fileIds.length === 0)) {
    yield piece.map((message) => `${withLinks(message)}}`).join(',\n');
    return;
  }
  for (const [index, message] of piece.entries()) {
    yield `${index === 0 ? '' : ',\n'}${withLinks(message)}`;
    yield* fileData(store, chatId, message.fileIds);
    yield '}';
  }
}

/** Base64 needs no escaping either. A file that is erased meanwhile is left out. */
async function* fileData(store: Store, chatId: string, ids: readonly string[]): AsyncGenerator<string> {
  let between = ',"fileData":{';
  for (const id of ids) {
    const file = store.read((reader) => findStepFile(reader, chatId, id));
    if (file === null) continue;
    yield `${between}"${id}":"${file.data}"`;
    between = ',';
    await breathe();
  }
  if (between === ',') yield '}';
}

/** The message without its closing brace. Ids need no escaping: the service makes them, and an import takes no others. */
function withLinks({ json, versionOf, retryOf, hiddenBy }: MessageOut): string {
  const version =
    versionOf === null ? '' : `,"versionOf":"${versionOf}","retryOf":${JSON.stringify(retryOf)}`;
  const hidden = hiddenBy === null ? '' : `,"hiddenBy":"${hiddenBy}"`;
  return `${json.slice(0, -1)}${version}${hidden}`;
}
