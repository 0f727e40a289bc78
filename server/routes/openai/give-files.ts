/** Files of a conversation that isn't stored. They are read in memory, with the same limits as files of chats. */
import { MAX_ATTACHMENT_BYTES, MAX_MESSAGE_ATTACHMENTS } from '../../../shared/limits.ts';
import type { TurnFile } from '../../agents/turn.ts';
import type { FastifyRequest } from 'fastify';
import { callerOf } from '../../auth/caller.ts';
import type { ModelAccess } from '../../connections/model-access.ts';
import { AppError } from '../../errors.ts';
import { ToolError } from '../../tools/tool.ts';
import type { WebOptions } from '../../tools/web/fetch-guarded.ts';
import { fileNameOf } from '../../files/file-name.ts';
import { fileTooLarge, requireFacts } from '../../files/file-store.ts';
import { invalidParam } from '../../plugins/openai-error.ts';
import {
  LEFT_OUT,
  MAX_EARLIER_CHARACTERS,
  pictureFile,
  toTurnFile,
  type ReadingOptions,
} from '../../turns/turn-files.ts';
import type { ClientConversation, Entry, GivenFiles } from './conversation.ts';
import type { FieldNames } from './fields.ts';
import type { ClientFile } from './read-files.ts';

/** Throws OpenAiError if a message has too many files. */
export function requireFewFiles({ entries }: ClientConversation, param: string): void {
  if (
    entries.some((message) => message.role !== 'assistant' && message.files.length > MAX_MESSAGE_ATTACHMENTS)
  )
    throw invalidParam(param, `A message can have ${MAX_MESSAGE_ATTACHMENTS} files at most.`);
}

/** Fetches a picture from its address. */
export type FetchPicture = (address: string, signal: AbortSignal) => Promise<ClientFile>;

/** Fetches pictures for a request, from the public internet only. Rejects with OpenAiError, and AppError `reach_required`. */
export const pictureFetcher =
  ({ web }: { web: WebOptions }, request: FastifyRequest, { conversation }: FieldNames): FetchPicture =>
  async (address, signal) => {
    if (!callerOf(request.raw).reach) throw new AppError('reach_required');
    const { fetchPicture } = await import('../../chats/fetch-picture.ts');
    try {
      const { name, mediaType, bytes } = await fetchPicture(address, web, signal);
      return { name, data: bytes.toString('base64'), pictureType: mediaType };
    } catch (error) {
      throw error instanceof ToolError ? invalidParam(conversation, error.message) : error;
    }
  };

/** Whether a model's server takes no addresses of pictures. */
export const needsBytes = (access: ModelAccess | null): boolean =>
  access?.provider === 'ollama' || access?.provider === 'google';

/** Reads the files of each message; `fetch` is null where addresses go to the model's server. Rejects with AppError for files that no message can have, or with the signal's reason. */
export async function giveFiles(
  { entries }: ClientConversation,
  { fetch, ...options }: ReadingOptions & { fetch: FetchPicture | null },
): Promise<GivenFiles> {
  const given = new Map<Entry, TurnFile[]>();
  let bytes = 0;
  let characters = 0;
  // Newest first: earlier ones are left out if there is too much text.
  for (const [index, message] of [...entries.entries()].toReversed()) {
    if (message.role === 'assistant') continue;
    const isLast = index === entries.length - 1;
    const files: TurnFile[] = [];
    for (const sent of message.files) {
      options.signal.throwIfAborted();
      const isFetched = sent.isLinked === true && fetch !== null && options.seesPictures !== false;
      const file = isFetched ? { ...sent, ...(await fetch(sent.data, options.signal)) } : sent;
      if (isFetched) bytes += file.data.length;
      if (bytes > MAX_ATTACHMENT_BYTES) throw fileTooLarge();
      if (file.pictureType !== null) {
        const picture = { name: file.name, mediaType: file.pictureType };
        const given = pictureFile(picture, () => file.data, options.seesPictures);
        const { detail } = file;
        files.push(given.gives === 'picture' && detail !== undefined ? { ...given, detail } : given);
        continue;
      }
      const data = Buffer.from(file.data, 'base64');
      bytes += data.length;
      if (bytes > MAX_ATTACHMENT_BYTES) throw fileTooLarge();
      const read = await readOne(file, data, options, !isLast && characters > MAX_EARLIER_CHARACTERS);
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
  options: ReadingOptions,
  isLeftOut: boolean,
): Promise<TurnFile> {
  const name = fileNameOf(file.name);
  const readAt = (from: number, length: number): Promise<Buffer> =>
    Promise.resolve(data.subarray(from, from + length));
  const { kind, mediaType } = await requireFacts(readAt, data.length, name);
  if (isLeftOut) return { name, mediaType, gives: 'nothing', reason: LEFT_OUT };
  return toTurnFile({ name, kind, mediaType, bytes: data }, options);
}
