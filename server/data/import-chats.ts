/**
 * Writes chats from a file into the store: each whole or not at all, many short ones in one transaction, a long one in
 * several (see import-repository.ts), so that the event loop is never blocked for long. Existing data is never changed.
 */
import { hash } from 'node:crypto';
import type { ImportResult } from '../../shared/api/data.ts';
import type { FileStore } from '../files/file-store.ts';
import {
  beginLongChat,
  clearBegun,
  countHeldMessages,
  createImportedMessages,
  findChatLocation,
  forgetBegun,
  hasAnyMessage,
  listBegun,
  type ImportedMessage,
} from '../store/import-repository.ts';
import type { HeldFile } from '../files/file-store.ts';
import { createChat, type NewChat } from '../store/chat-repository.ts';
import { hasProject } from '../store/project-repository.ts';
import type { Reader, Store, Writer } from '../store/types.ts';
import type { ChatPiece } from './file-parts.ts';
import { idFrom } from './repair-fields.ts';
import { breathe } from '../store/pieces.ts';

/** What has been imported. */
export type Imported = Pick<ImportResult, 'imported' | 'copied' | 'skipped' | 'chatIds'>;

/** Brings in chats, one after the other. */
export type ChatImporter = ReturnType<typeof createChatImporter>;

/** What parts of a file are stored with. */
export interface PartDeps {
  store: Store;
  files: FileStore;
}

/** Where chats go; a restore changes it from workspace to workspace. */
export interface Target {
  workspaceId: string;
  /** The model of chats that name none; absent: the built-in one. */
  model?: string;
}

/** An importer for one file. Nothing else may import at the same time. As a preview it only counts, and stores nothing. */
export function createChatImporter({ store, files }: PartDeps, target: Target, isPreview = false) {
  const held: HeldFile[] = [];
  const result: Imported = { imported: 0, copied: 0, skipped: 0, chatIds: [] };
  /** Of the chat whose pieces come now. */
  let current: Choice | null = null;

  /** Chooses for the chat that begins with this piece; returns the choice for the chat that the piece is of. */
  function choiceFor(reader: Reader, { head }: ChatPiece): Choice {
    if (head !== null) current = choose(reader, { ...target, ...head.chat }, head.fileIds);
    if (current === null) throw new Error('No chat has begun.');
    return current;
  }

  function storePiece(writer: Writer, piece: ChatPiece): Choice {
    const choice = choiceFor(writer, piece);
    const { comes, chat, idOf } = choice;
    if (comes === 'skipped') return choice;
    if (!piece.isLast && piece.head !== null) beginLongChat(writer, 'import', chat.id);
    createImportedMessages(writer, chat, withIds(piece.messages, idOf));
    if (piece.isLast) {
      createChat(writer, inKnownProject(writer, chat));
      if (piece.head === null) forgetBegun(writer, 'import', chat.id);
    }
    return choice;
  }

  return {
    /** What has been imported so far, all on disk. */
    result,
    /** Stores pieces of chats in one transaction. */
    async add(pieces: readonly ChatPiece[]): Promise<void> {
      if (!isPreview) store.requireNotFull();
      const choices = isPreview
        ? store.read((reader) => pieces.map((piece) => choiceFor(reader, piece)))
        : await store.write((writer) => pieces.map((piece) => storePiece(writer, piece)));
      for (const [index, { comes, chat }] of choices.entries()) {
        if (pieces[index]?.isLast !== true) continue;
        result[comes] += 1;
        if (comes !== 'skipped') result.chatIds.push(chat.id);
      }
      await breathe();
    },
    /** Keeps a file for the chats that come after it. */
    async addFile(data: Uint8Array): Promise<void> {
      if (isPreview) return;
      store.requireNotFull();
      held.push(await files.keep(IMPORTED_NAME, [data]));
    },
    /** Releases the files: those that belong to no imported chat are removed. */
    async end(): Promise<void> {
      for (const file of held.splice(0)) await file.release();
    },
  };
}

/** Its messages name it. */
const IMPORTED_NAME = 'file';

/** Removes what an interrupted import left behind; rejects when the store can't be written. */
export async function clearUnfinished(store: Store): Promise<void> {
  for (const id of store.read((reader) => listBegun(reader, 'import'))) await clearBegun(store, 'import', id);
}

/** A chat whose project doesn't exist in the workspace is imported without one. */
const inKnownProject = (reader: Reader, chat: NewChat): NewChat =>
  typeof chat.projectId === 'string' && hasProject(reader, chat.workspaceId, chat.projectId)
    ? chat
    : { ...chat, projectId: null };

/** What happens to a chat. */
interface Choice {
  /** `skipped`: it is there already. */
  comes: 'imported' | 'copied' | 'skipped';
  chat: NewChat;
  /** The id that the chat or its message gets. */
  idOf: (id: string) => string;
}

/**
 * A chat keeps its own ids if possible; otherwise it becomes a copy with ids derived from the file, so that importing
 * the same file repeatedly makes only one copy.
 */
function choose(reader: Reader, chat: NewChat, fileIds: readonly string[]): Choice {
  const seed = hash('sha256', [chat.workspaceId, chat.id, ...fileIds].join('\n'));
  for (let copy = 0; ; copy += 1) {
    const copied = copy === 1 ? [seed] : [seed, String(copy)];
    const idOf = (id: string): string => (copy === 0 ? id : idFrom(...copied, id));
    const candidate = { ...chat, id: idOf(chat.id) };
    const found = lookUp(reader, candidate, fileIds.map(idOf));
    if (found === 'there') return { comes: 'skipped', chat: candidate, idOf };
    if (found === 'free') return { comes: copy === 0 ? 'imported' : 'copied', chat: candidate, idOf };
  }
}

function lookUp(reader: Reader, chat: NewChat, ids: readonly string[]): 'free' | 'there' | 'other' {
  const location = findChatLocation(reader, chat.id);
  const list = JSON.stringify(ids);
  if (location === null) return hasAnyMessage(reader, list) ? 'other' : 'free';
  if (location.workspaceId !== chat.workspaceId || location.deletedAt !== null) return 'other';
  return countHeldMessages(reader, list, chat.id) === ids.length ? 'there' : 'other';
}

const withIds = (messages: readonly ImportedMessage[], idOf: (id: string) => string): ImportedMessage[] =>
  messages.map((message) => ({
    ...message,
    id: idOf(message.id),
    replyTo: message.replyTo ? idOf(message.replyTo) : null,
    versionOf: message.versionOf && idOf(message.versionOf),
    retryOf: message.retryOf && idOf(message.retryOf),
    hiddenBy: message.hiddenBy && idOf(message.hiddenBy),
  }));
