/** Files of a conversation that isn't stored. They are read in memory, with the same limits as files of chats. */
import { MAX_ATTACHMENT_BYTES, MAX_MESSAGE_ATTACHMENTS } from '../../../shared/limits.ts';
import type { TurnFile } from '../../agents/turn.ts';
import { fileNameOf } from '../../files/file-name.ts';
import { fileTooLarge, requireFacts } from '../../files/file-store.ts';
import { invalidParam } from '../../plugins/openai-error.ts';
import {
  LEFT_OUT,
  MAX_EARLIER_CHARACTERS,
  pictureFile,
  toTurnFile,
  type FileReader,
} from '../../turns/turn-files.ts';
import { type Conversation, type GivenFiles, type Entry } from './conversation.ts';
import type { ClientFile } from './read-files.ts';

/** Throws OpenAiError if a message has too many files. */
export function requireFewFiles({ entries: said }: Conversation, param: string): void {
  if (said.some((message) => message.role !== 'assistant' && message.files.length > MAX_MESSAGE_ATTACHMENTS))
    throw invalidParam(param, `A message can have ${MAX_MESSAGE_ATTACHMENTS} files at most.`);
}

/** Reads the files of each message. Rejects with AppError for files that no message can have, or with the signal's reason. */
export async function giveFiles({ entries: said }: Conversation, reader: FileReader): Promise<GivenFiles> {
  const given = new Map<Entry, TurnFile[]>();
  let bytes = 0;
  let characters = 0;
  // Newest first: earlier ones are left out if there is too much text.
  for (const [index, message] of [...said.entries()].toReversed()) {
    if (message.role === 'assistant') continue;
    const isLast = index === said.length - 1;
    const files: TurnFile[] = [];
    for (const file of message.files) {
      reader.signal.throwIfAborted();
      if (file.pictureType !== null) {
        const picture = { name: file.name, mediaType: file.pictureType };
        const given = pictureFile(picture, () => file.data, reader.seesPictures);
        const { detail } = file;
        files.push(given.gives === 'picture' && detail !== undefined ? { ...given, detail } : given);
        continue;
      }
      const data = Buffer.from(file.data, 'base64');
      bytes += data.length;
      if (bytes > MAX_ATTACHMENT_BYTES) throw fileTooLarge();
      const read = await readOne(file, data, reader, !isLast && characters > MAX_EARLIER_CHARACTERS);
      if (read.gives === 'text') characters += read.text.length;
      files.push(read);
    }
    given.set(message, files);
  }
  return given;
}

async function readOne(
  file: ClientFile,
  data: Buffer,
  reader: FileReader,
  isLeftOut: boolean,
): Promise<TurnFile> {
  const name = fileNameOf(file.name);
  const readAt = (place: number, length: number): Promise<Buffer> =>
    Promise.resolve(data.subarray(place, place + length));
  const { kind, mediaType } = await requireFacts(readAt, data.length, name);
  if (isLeftOut) return { name, mediaType, gives: 'nothing', reason: LEFT_OUT };
  return toTurnFile({ name, kind, mediaType, bytes: data }, reader);
}
