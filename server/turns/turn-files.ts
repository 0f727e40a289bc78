/** The conversation of a turn as models get it, each file as its text or as the picture. */
import type { Attachment } from '../../shared/api/attachment.ts';
import { readBranch, type Branch, type BranchBounds } from '../agents/branch.ts';
import type { HistoryMessage, TurnFile, TurnRequest } from '../agents/turn.ts';
import { isModelName } from '../connections/model-names.ts';
import { UnreadableError, type DocumentText } from '../files/read-document.ts';
import type { FileStore } from '../files/file-store.ts';
import { allOf, textOrWhy } from '../files/file-texts.ts';
import { findFile } from '../store/file-repository.ts';
import type { StoredMessage } from '../store/message-repository.ts';
import { readInSlices } from '../store/pieces.ts';
import type { Reader, Store } from '../store/types.ts';
import type { TakenTurn } from './rows.ts';

/** A file whose bytes are at hand. */
type LoadedFile = Pick<Attachment, 'name' | 'kind' | 'mediaType'> & { bytes: Uint8Array };

/** A message, and what files it has. */
interface FiledMessage {
  message: HistoryMessage;
  attachments: readonly Attachment[];
  /** It was never answered, perhaps because its model refused its pictures. */
  isUnanswered?: boolean;
}

/** How to read the files for a model. */
export interface ReadingOptions {
  /** Whether the model can see pictures; null: unknown. */
  seesPictures: boolean | null;
  /** Ends the reading. Files not read by then are reported as missing. */
  signal: AbortSignal;
}

/** How much text of earlier messages' files to include, newest first. */
export const MAX_EARLIER_CHARACTERS = 4_000_000;
const MAX_EARLIER_PICTURES = 16;
const MAX_EARLIER_PICTURE_BYTES = 10 * 1024 * 1024;

const GONE = 'is no longer there';
const NOT_NOW = 'could not be read just now';
const NOT_SEEN = 'is a picture, which this model can’t look at';
/** Why an earlier message's file is left out when there are too many. */
export const LEFT_OUT = 'belongs to an earlier message, and is left out';

/** Where files come from. */
interface FileSources {
  store: Pick<Store, 'read'>;
  files: Pick<FileStore, 'read' | 'textOf'>;
}

/** How much of a chat the built-in models read. A connected model gets all of it; what doesn't fit has been summarised. */
const BUILT_IN_BOUNDS: BranchBounds = { maxExchanges: 20, maxCharacters: 400_000 };

/** The conversation up to the message to answer, which is the last one, and the summary of what came before. */
export async function gatherConversation(
  sources: FileSources,
  turn: TakenTurn,
  options: ReadingOptions,
): Promise<Pick<TurnRequest, 'messages' | 'summary'>> {
  const { messages, summary } = await readInSlices(sources.store, (rows) => readHistory(rows, turn));
  options.signal.throwIfAborted();
  const given = await giveFiles(sources, messages, options);
  options.signal.throwIfAborted();
  return { messages: given, ...(summary !== null && { summary: summary.text }) };
}

function* readHistory(
  reader: Reader,
  { chat, message }: TakenTurn,
): Generator<void, { messages: FiledMessage[]; summary: Branch['summary'] }> {
  const bounds = isModelName(chat.model) ? BUILT_IN_BOUNDS : {};
  const { summary, exchanges } = yield* readBranch(reader, chat.id, { ...bounds, beforeSeq: message.seq });
  const messages: FiledMessage[] = [];
  for (const { question, reply } of exchanges) {
    messages.push({ ...filed(question), isUnanswered: reply === null });
    if (reply === null) continue;
    const { content, steps, rounds, model } = reply;
    const isOfOther = model !== chat.model;
    messages.push({
      message: {
        role: 'assistant',
        content,
        steps,
        ...(rounds && { rounds }),
        ...(isOfOther && { isOfOther }),
      },
      attachments: [],
    });
  }
  messages.push(filed(message));
  return { messages, summary };
}

const filed = ({ content, attachments }: Pick<StoredMessage, 'content' | 'attachments'>): FiledMessage => ({
  message: { role: 'user', content, steps: [] },
  attachments: attachments ?? [],
});

/** The messages with their files; the last is the one to answer, whose files come whole. Never rejects. */
async function giveFiles(
  sources: FileSources,
  messages: readonly FiledMessage[],
  options: ReadingOptions,
): Promise<HistoryMessage[]> {
  let characters = 0;
  let pictures = 0;
  let pictureBytes = 0;
  const isLeftOut = (file: Attachment, { isUnanswered = false }: FiledMessage): boolean => {
    if (file.kind !== 'image') return characters > MAX_EARLIER_CHARACTERS;
    // A picture that a model refused would make it refuse every later message too.
    if (isUnanswered && options.seesPictures === null) return true;
    pictures += 1;
    pictureBytes += file.bytes;
    return pictures > MAX_EARLIER_PICTURES || pictureBytes > MAX_EARLIER_PICTURE_BYTES;
  };
  const withFiles: HistoryMessage[] = [];
  for (const [index, filed] of [...messages.entries()].toReversed()) {
    const { message, attachments } = filed;
    const isLast = index === messages.length - 1;
    const turnFiles: TurnFile[] = [];
    for (const file of attachments) {
      if (file.kind === 'image' && options.seesPictures === false) turnFiles.push(nothingOf(file, NOT_SEEN));
      else if (!isLast && isLeftOut(file, filed)) turnFiles.push(nothingOf(file, LEFT_OUT));
      else {
        const read = await readFile(sources, file, options);
        if (read.gives === 'text' && !isLast) characters += read.text.length;
        turnFiles.push(read);
      }
    }
    withFiles.push(turnFiles.length === 0 ? message : { ...message, files: turnFiles });
  }
  return withFiles.reverse();
}

async function readFile(
  { store, files }: FileSources,
  file: Attachment,
  options: ReadingOptions,
): Promise<TurnFile> {
  const { id, name, kind, mediaType } = file;
  const row = store.read((rows) => findFile(rows, id));
  if (row === null) return nothingOf(file, GONE);
  try {
    if (kind !== 'image') return textFile(file, await files.textOf({ ...row, kind }, options.signal));
    return await toTurnFile({ name, kind, mediaType, bytes: await allOf(await files.read(row)) }, options);
  } catch {
    // It was stopped, or the disk doesn't give the file.
    return nothingOf(file, NOT_NOW);
  }
}

/** A file of a stateless turn. Only rejects when the signal fires. */
export async function toTurnFile(
  { name, kind, mediaType, bytes }: LoadedFile,
  { seesPictures, signal }: ReadingOptions,
): Promise<TurnFile> {
  if (kind !== 'image') return textFile({ name, mediaType }, await textOrWhy({ kind, bytes }, signal));
  return pictureFile({ name, mediaType }, () => Buffer.from(bytes).toString('base64'), seesPictures);
}

/** A picture; `data`, its Base64, is only called if the model may see it. */
export const pictureFile = (
  { name, mediaType }: NamedFile,
  data: () => string,
  seesPictures: boolean | null,
): TurnFile =>
  seesPictures === false
    ? nothingOf({ name, mediaType }, NOT_SEEN)
    : { name, mediaType, gives: 'picture', data: data() };

const textFile = ({ name, mediaType }: NamedFile, text: DocumentText | UnreadableError): TurnFile =>
  text instanceof UnreadableError
    ? nothingOf({ name, mediaType }, text.message)
    : { name, mediaType, gives: 'text', ...text };

type NamedFile = Pick<Attachment, 'name' | 'mediaType'>;

const nothingOf = ({ name, mediaType }: NamedFile, reason: string): TurnFile => ({
  name,
  mediaType,
  gives: 'nothing',
  reason,
});
