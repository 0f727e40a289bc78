/** Makes what is read from a file into parts small enough to be stored without holding the event loop. */
import type { ExportedChat, FileFindings } from '../../shared/api/data.ts';
import type { NewChat } from '../store/chat-repository.ts';
import type { ImportedMessage } from '../store/import-repository.ts';
import type { SourcePart } from './read-backup.ts';
import { PIECE_BYTES, PIECE_ROWS } from '../store/pieces.ts';
import type { SettledChat } from './settle-chat.ts';

/** What a file is made into: short chats come several at once; of a long one only the head, the rest is asked for piece by piece. */
export type FilePart =
  | Exclude<SourcePart, { chat: ExportedChat }>
  | { chats: SettledChat[] }
  | { longChat: NewChat }
  | { end: FileFindings };

/** Puts short chats together. `onLong` gets each long chat before its part is taken. */
export async function* fileParts(
  source: AsyncIterable<SourcePart> | Iterable<SourcePart>,
  settle: (exported: ExportedChat) => SettledChat,
  onLong: (chat: SettledChat) => void,
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
      onLong(settled);
      yield { longChat: settled.chat };
    } else if (settled !== null) {
      chats.push(settled);
      size += share;
    }
  }
  if (chats.length > 0) yield { chats };
  return undefined;
}

/** The messages in pieces that are stored one at a time. */
export function piecesOf(messages: ImportedMessage[]): ImportedMessage[][] {
  const pieces: ImportedMessage[][] = [];
  let piece: ImportedMessage[] = [];
  let size = 0;
  for (const message of messages) {
    const share = shareOf(message);
    if (piece.length > 0 && size + share > 1) {
      pieces.push(piece);
      piece = [];
      size = 0;
    }
    piece.push(message);
    size += share;
  }
  pieces.push(piece);
  return pieces;
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
