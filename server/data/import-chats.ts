/**
 * Writes chats from a file into the store: each whole or not at all, many short ones in one transaction, a long one in
 * several (see import-repository.ts), so that the event loop is never blocked for long. Existing data is never changed.
 */
import { createHash } from 'node:crypto';
import type { ImportResult } from '../../shared/api/data.ts';
import type { FileStore } from '../files/file-store.ts';
import {
  beginLongChat,
  clearBegun,
  countHeldMessages,
  createImportedMessages,
  findChatPlace,
  finishLongChat,
  hasAnyMessage,
  listBegun,
  type ImportedMessage,
} from '../store/import-repository.ts';
import type { HeldFile } from '../files/file-store.ts';
import { createChat, type NewChat } from '../store/chat-repository.ts';
import { hasProject } from '../store/project-repository.ts';
import type { Reader, Store } from '../store/types.ts';
import type { ChatHead } from './file-parts.ts';
import { idFrom } from './mend-fields.ts';
import { PIECE_ROWS, breathe } from '../store/pieces.ts';
import type { SettledChat } from './settle-chat.ts';

/** What has been imported. */
export type Imported = Pick<ImportResult, 'imported' | 'copied' | 'skipped' | 'chatIds'>;

/** Brings in chats, one after the other. */
export type ChatImporter = ReturnType<typeof createChatImporter>;

/** What parts of a file are stored with. */
export interface PartDeps {
  store: Store;
  files: FileStore;
  /** Makes ids of chats and messages. */
  newId: () => string;
}

/** An importer for one file. Nothing else may import at the same time. As a preview it only counts, and stores nothing. */
export function createChatImporter({ store, files, newId }: PartDeps, isPreview = false) {
  const held: HeldFile[] = [];
  const result: Imported = { imported: 0, copied: 0, skipped: 0, chatIds: [] };
  let long: Choice | null = null;
  let hasBegun = false;

  function note({ comes, chat }: Choice): void {
    result[comes] += 1;
    if (comes !== 'skipped') result.chatIds.push(chat.id);
  }

  return {
    /** What has been imported so far, all on disk. */
    result,
    /** Stores short chats in one transaction. */
    async add(chats: readonly SettledChat[]): Promise<void> {
      if (isPreview) {
        store.read((reader) => chats.map((chat) => choose(reader, chat, newId))).forEach(note);
        return breathe();
      }
      store.requireRoom();
      const choices = await store.write((writer) =>
        chats.map((settled) => {
          const choice = choose(writer, settled, newId);
          if (choice.comes !== 'skipped') {
            createChat(writer, inKnownProject(writer, choice.chat));
            createImportedMessages(writer, choice.chat, withIds(settled.messages, choice.idOf));
          }
          return choice;
        }),
      );
      choices.forEach(note);
      await breathe();
    },
    /** Starts a long chat, whose messages come next. */
    begin(head: ChatHead): void {
      if (!isPreview) store.requireRoom();
      long = store.read((reader) => choose(reader, head, newId));
      hasBegun = false;
    },
    /** Stores the next messages of the long chat that was begun. */
    async addMessages(messages: readonly ImportedMessage[], areLast: boolean): Promise<void> {
      if (long === null) throw new Error('No long chat has begun.');
      const { comes, chat, idOf } = long;
      if (comes !== 'skipped' && !isPreview)
        await store.write((writer) => {
          if (!hasBegun) beginLongChat(writer, chat.id);
          createImportedMessages(writer, chat, withIds(messages, idOf));
          if (areLast) finishLongChat(writer, inKnownProject(writer, chat));
        });
      hasBegun = true;
      if (areLast) note(long);
    },
    /** Keeps a file for the chats that come after it. */
    async addFile(data: Uint8Array): Promise<void> {
      if (isPreview) return;
      store.requireRoom();
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
  for (const id of store.read(listBegun)) {
    while (!(await store.write((writer) => clearBegun(writer, id, PIECE_ROWS)))) await breathe();
  }
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
 * the same file repeatedly makes only one copy; otherwise it gets new ids.
 */
function choose(reader: Reader, { chat, fileIds }: ChatHead, newId: () => string): Choice {
  const seed = createHash('sha256')
    .update([chat.workspaceId, chat.id, ...fileIds].join('\n'))
    .digest('hex');
  const renamed = new Map<string, string>();
  const newIdOf = (id: string): string => {
    const known = renamed.get(id) ?? newId();
    renamed.set(id, known);
    return known;
  };
  for (const idOf of [(id: string) => id, (id: string) => idFrom(seed, id), newIdOf]) {
    const candidate = { ...chat, id: idOf(chat.id) };
    const found = lookUp(reader, candidate, fileIds.map(idOf));
    if (found === 'there') return { comes: 'skipped', chat: candidate, idOf };
    if (found === 'free')
      return { comes: candidate.id === chat.id ? 'imported' : 'copied', chat: candidate, idOf };
  }
  throw new Error(`There is no free id for the chat ${chat.id}.`);
}

function lookUp(reader: Reader, chat: NewChat, ids: readonly string[]): 'free' | 'there' | 'other' {
  const place = findChatPlace(reader, chat.id);
  if (place === null) return hasAnyMessage(reader, ids) ? 'other' : 'free';
  if (place.workspaceId !== chat.workspaceId || place.deletedAt !== null) return 'other';
  return countHeldMessages(reader, chat.id, ids) === ids.length ? 'there' : 'other';
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
