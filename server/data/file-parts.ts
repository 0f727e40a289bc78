/** Splits what is read from a file into parts small enough to store without blocking the event loop. */
import type { ExportedChat, FileFindings } from '../../shared/api/data.ts';
import type { ImportedMessage } from '../store/import-repository.ts';
import type { SourcePart } from './read-backup.ts';
import { PIECE_BYTES, PIECE_ROWS } from '../store/pieces.ts';
import type { SettledChat } from './settle-chat.ts';

/** A chat without its messages. */
export type ChatHead = Pick<SettledChat, 'chat' | 'fileIds'>;

/** What a file is turned into: several short chats at once; for a long one its head, then its messages in pieces. */
export type FilePart =
  | Exclude<SourcePart, { chat: ExportedChat }>
  | { chats: SettledChat[] }
  | { longChat: ChatHead }
  | { messages: ImportedMessage[]; areLast: boolean }
  | { end: FileFindings };

/** Puts short chats together, and takes long ones apart. */
export async function* fileParts(
  source: AsyncIterable<SourcePart>,
  settle: (exported: ExportedChat) => SettledChat,
): AsyncGenerator<FilePart, undefined> {
  let chats: SettledChat[] = [];
  let size = 0;
  for await (const part of source) {
    const settled = 'chat' in part ? settle(part.chat) : null;
    const share = settled === null ? 0 : sizeOf(settled);
    if (chats.length > 0 && (settled === null || size + share > 1)) {
      yield { chats };
      chats = [];
      size = 0;
    }
    if (!('chat' in part)) yield part;
    else if (settled !== null && share > 1) {
      yield { longChat: { chat: settled.chat, fileIds: settled.fileIds } };
      yield* piecesOf(settled.messages);
    } else if (settled !== null) {
      chats.push(settled);
      size += share;
    }
  }
  if (chats.length > 0) yield { chats };
  return undefined;
}

/** The messages in pieces that are stored one at a time. */
function* piecesOf(all: readonly ImportedMessage[]): Generator<FilePart> {
  let messages: ImportedMessage[] = [];
  let size = 0;
  for (const message of all) {
    const share = shareOf(message);
    if (messages.length > 0 && size + share > 1) {
      yield { messages, areLast: false };
      messages = [];
      size = 0;
    }
    messages.push(message);
    size += share;
  }
  yield { messages, areLast: true };
}

const bytesOf = (text: string | null | undefined): number => Buffer.byteLength(text ?? '');

/** How much of one transaction something takes: 1 is as much as one should hold. */
const shareOf = ({
  content,
  steps = [],
  reasoning,
  error,
  files = [],
  attachments,
}: ImportedMessage): number =>
  1 / PIECE_ROWS +
  (bytesOf(content) +
    bytesOf(reasoning) +
    bytesOf(error?.message) +
    files.reduce((sum, { data }) => sum + data.length, 0) +
    (attachments === undefined || attachments === null ? 0 : bytesOf(JSON.stringify(attachments))) +
    (steps.length === 0 ? 0 : bytesOf(JSON.stringify(steps)))) /
    PIECE_BYTES;

const sizeOf = ({ messages }: SettledChat): number =>
  1 / PIECE_ROWS + messages.reduce((sum, message) => sum + shareOf(message), 0);
