/** Splits what is read from a file into parts small enough to store without blocking the event loop. */
import type { FileFindings, ImportPreview } from '../../shared/api/data.ts';
import type { ImportedMessage } from '../store/import-repository.ts';
import { PIECE_BYTES, PIECE_ROWS } from '../store/pieces.ts';
import type { BackupPart } from './read-backup.ts';
import type { ReadChat } from './read-chat.ts';

/** A chat without its messages. */
type ChatHead = Pick<ReadChat, 'chat' | 'fileIds'>;

/** Messages of a chat, in order: all of a short one, some of a long one. */
export interface ChatPiece {
  /** Of the first piece of a chat; null in the others. */
  head: ChatHead | null;
  messages: ImportedMessage[];
  isLast: boolean;
}

/** What is known about the chats of a file without the store. */
export type FileSummary = Omit<ImportPreview, 'imported' | 'copied' | 'skipped' | keyof FileFindings>;

/** A file was read to its end. */
export interface FileEnd {
  end: FileFindings;
  summary: FileSummary;
}

/** What a file is turned into. */
export type FilePart = Exclude<BackupPart, { chat: ReadChat }> | { pieces: ChatPiece[] } | FileEnd;

/** Puts short chats together, and takes long ones apart. */
export async function* fileParts(source: AsyncIterable<BackupPart>): AsyncGenerator<FilePart, undefined> {
  let pieces: ChatPiece[] = [];
  let size = 0;
  function* flush(): Generator<FilePart> {
    if (pieces.length > 0) yield { pieces };
    pieces = [];
    size = 0;
  }
  for await (const part of source) {
    if (!('chat' in part)) {
      yield* flush();
      yield part;
      continue;
    }
    for (const { share, ...piece } of piecesOf(part.chat)) {
      if (size + share > 1) yield* flush();
      pieces.push(piece);
      size += share;
    }
  }
  yield* flush();
  return undefined;
}

/** `share`: how much of one transaction a piece takes; 1 is as much as one should hold. */
function* piecesOf({ chat, fileIds, messages: all }: ReadChat): Generator<ChatPiece & { share: number }> {
  let head: ChatHead | null = { chat, fileIds };
  let messages: ImportedMessage[] = [];
  let share = 1 / PIECE_ROWS;
  for (const message of all) {
    const more = shareOf(message);
    if (messages.length > 0 && share + more > 1) {
      yield { head, messages, isLast: false, share };
      head = null;
      messages = [];
      share = 0;
    }
    messages.push(message);
    share += more;
  }
  yield { head, messages, isLast: true, share };
}

function shareOf({ content, steps, reasoning, error, files = [], attachments }: ImportedMessage): number {
  const lists = [steps, attachments].map((list) => (list?.length ? JSON.stringify(list) : ''));
  const texts = [content, reasoning, error?.message, ...lists, ...files.map(({ data }) => data)];
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text ?? ''), 0);
  return 1 / PIECE_ROWS + bytes / PIECE_BYTES;
}
