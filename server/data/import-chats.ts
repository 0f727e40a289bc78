/**
 * Writes chats from a file into the store: each whole or not at all, many short ones in one transaction, a long one in
 * several (see import-repository.ts), so that the event loop is never held for long. Nothing that is there is changed.
 */
import type { ImportResult } from '../../shared/api/data.ts';
import {
  beginLongChat,
  clearBegun,
  countHeldMessages,
  createImportedMessages,
  findChatPlace,
  finishLongChat,
  hasAnyMessage,
  listBegun,
} from '../store/import-repository.ts';
import type { HeldFile } from '../files/file-store.ts';
import { createChat, type NewChat } from '../store/chat-repository.ts';
import { hasProject } from '../store/project-repository.ts';
import type { Reader, Store, Writer } from '../store/types.ts';
import { asCandidate, CANDIDATES, type Candidate } from './chat-copy.ts';
import type { FileReader } from './file-reader.ts';
import type { PartDeps } from './import-file.ts';
import { PIECE_ROWS, breathe } from '../store/pieces.ts';
import type { SettledChat } from './settle-chat.ts';

/** What came of a chat: it came in under its own id, as a copy, or was there already. */
type Outcome = { kind: 'imported' | 'copied'; id: string } | { kind: 'skipped' };

/** What has come in. */
export type Imported = Pick<ImportResult, 'imported' | 'copied' | 'skipped' | 'chatIds'>;

/** Brings in chats, one after the other. */
export interface ChatImporter {
  /** Stores short chats in one transaction. */
  add(chats: readonly SettledChat[]): Promise<void>;
  /** Stores the long chat that the file's reader has come to. */
  addLong(file: FileReader, chatId: string): Promise<void>;
  /** Keeps a file for the chats that come after it. */
  addFile(data: Uint8Array): Promise<void>;
  /** Lets go of the files: those that came in with no chat are removed. */
  end(): Promise<void>;
  /** What has come in so far: all of it is on disk. */
  readonly result: Imported;
}

/** An importer for one file. Nothing else may import at the same time. As a preview it only counts, and stores nothing. */
export function createChatImporter({ store, files, newId }: PartDeps, isPreview = false): ChatImporter {
  const held: HeldFile[] = [];
  const result: Imported = { imported: 0, copied: 0, skipped: 0, chatIds: [] };

  function note(outcome: Outcome): void {
    result[outcome.kind] += 1;
    if (outcome.kind !== 'skipped') result.chatIds.push(outcome.id);
  }

  return {
    result,
    async add(chats) {
      if (isPreview) {
        store.read((reader) => chats.map((chat) => outcomeOf(choose(reader, chat, newId)))).forEach(note);
        return breathe();
      }
      store.requireRoom();
      const outcomes = await store.write((writer) => chats.map((chat) => placeChat(writer, chat, newId)));
      outcomes.forEach(note);
      await breathe();
    },
    async addLong(file, chatId) {
      if (!isPreview) store.requireRoom();
      const choice = await chooseLong(store, file, chatId);
      if (!choice.isThere && !isPreview) await createLongChat(store, file, choice);
      note(outcomeOf(choice));
    },
    async addFile(data) {
      if (isPreview) return;
      store.requireRoom();
      held.push(await files.keep(IMPORTED_NAME, [data]));
    },
    async end() {
      for (const file of held.splice(0)) await file.release();
    },
  };
}

/** Its messages name it. */
const IMPORTED_NAME = 'file';

/** Removes what an import left behind that ended half-way; rejects when the store refuses to be written. */
export async function clearUnfinished(store: Store): Promise<void> {
  for (const id of store.read(listBegun)) {
    while (!(await store.write((writer) => clearBegun(writer, id, PIECE_ROWS)))) await breathe();
  }
}

function placeChat(writer: Writer, settled: SettledChat, newId: () => string): Outcome {
  const choice = choose(writer, settled, newId);
  if (!choice.isThere) {
    createChat(writer, inKnownProject(writer, choice.chat));
    createImportedMessages(writer, choice.chat, choice.messages);
  }
  return outcomeOf(choice);
}

/** A chat whose project the workspace hasn't comes in without. */
const inKnownProject = (reader: Reader, chat: NewChat): NewChat =>
  typeof chat.projectId === 'string' && hasProject(reader, chat.workspaceId, chat.projectId)
    ? chat
    : { ...chat, projectId: null };

/** How a chat comes in; or it is there already. */
interface Choice {
  as: Candidate;
  chat: NewChat;
  isThere: boolean;
}

function choose(reader: Reader, settled: SettledChat, newId: () => string): Choice & SettledChat {
  for (const as of CANDIDATES) {
    const candidate = asCandidate(settled, as, newId);
    const found = lookUp(reader, candidate.chat, candidate.fileIds);
    if (found !== 'other') return { ...candidate, as, isThere: found === 'there' };
  }
  throw new Error(`There is no free id for the chat ${settled.chat.id}.`);
}

async function chooseLong(
  store: Store,
  file: FileReader,
  chatId: string,
): Promise<Choice & { pieces: number }> {
  for (const as of CANDIDATES) {
    const { chat, idPieces, pieces } = await file.call('longHead', as);
    const found = await lookUpLong(store, file, as, { chat, idPieces });
    if (found !== 'other') return { as, chat, pieces, isThere: found === 'there' };
  }
  throw new Error(`There is no free id for the chat ${chatId}.`);
}

const outcomeOf = ({ as, chat: { id }, isThere }: Choice): Outcome =>
  isThere ? { kind: 'skipped' } : { kind: as === 'own' ? 'imported' : 'copied', id };

async function createLongChat(
  store: Store,
  file: FileReader,
  { as, chat, pieces }: Choice & { pieces: number },
): Promise<void> {
  try {
    for (let index = 0; index < pieces; index += 1) {
      const piece = await file.call('longPiece', as, index);
      await store.write((writer) => {
        if (index === 0) beginLongChat(writer, chat.id);
        createImportedMessages(writer, chat, piece);
        if (index === pieces - 1) finishLongChat(writer, inKnownProject(writer, chat));
      });
    }
  } catch (error) {
    // If this can't be written either, the next import or the next start does it.
    await clearUnfinished(store).catch(() => undefined);
    throw error;
  }
}

type Found = 'free' | 'there' | 'other';

function lookUp(reader: Reader, chat: NewChat, fileIds: readonly string[]): Found {
  const place = findChatPlace(reader, chat.id);
  if (place === null) return hasAnyMessage(reader, fileIds) ? 'other' : 'free';
  if (place.workspaceId !== chat.workspaceId || place.deletedAt !== null) return 'other';
  return countHeldMessages(reader, chat.id, fileIds) === fileIds.length ? 'there' : 'other';
}

/** As {@link lookUp}, with the event loop free in between. */
async function lookUpLong(
  store: Store,
  file: FileReader,
  as: Candidate,
  { chat, idPieces }: { chat: NewChat; idPieces: number },
): Promise<Found> {
  const answers = new Set<Found>();
  for (let index = 0; index < idPieces; index += 1) {
    const ids = await file.call('longIds', as, index);
    answers.add(store.read((reader) => lookUp(reader, chat, ids)));
    if (answers.has('other')) return 'other';
  }
  return answers.has('there') ? 'there' : 'free';
}
