/**
 * Writes chats from a file into the store: each whole or not at all, many short ones in one transaction, a long one in
 * several (see import-repository.ts), so that the event loop is never held for long. Nothing that is there is changed.
 */
import { createHash } from 'node:crypto';
import type { ExportedChat, ImportResult } from '../../shared/api/data.ts';
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
import { createChat } from '../store/chat-repository.ts';
import type { Reader, Store, Writer } from '../store/types.ts';
import { PIECE_BYTES, PIECE_ROWS, breathe } from './pieces.ts';
import { settleChat, type SettledChat } from './settle-chat.ts';

/** What came of a chat: it came in under its own id, as a copy, or was there already. */
type Outcome = { kind: 'imported' | 'copied'; id: string } | { kind: 'skipped' };

/** Brings in chats, one after the other. */
export interface ChatImporter {
  /** Takes a checked chat; it may be stored only with the next ones, or when the import ends. */
  add(exported: ExportedChat, workspaceId: string): Promise<void>;
  /** Stores what is left. */
  end(): Promise<void>;
  /** What has come in so far: all of it is on disk. */
  readonly result: ImportResult;
}

/** An importer for one file. Nothing else may import at the same time. */
export function createChatImporter(store: Store, newId: () => string): ChatImporter {
  const result: ImportResult = { imported: 0, copied: 0, skipped: 0, chatIds: [] };
  let batch: SettledChat[] = [];
  let batchSize = 0;

  function note(outcome: Outcome): void {
    result[outcome.kind] += 1;
    if (outcome.kind !== 'skipped') result.chatIds.push(outcome.id);
  }

  async function flush(): Promise<void> {
    const chats = batch;
    batch = [];
    batchSize = 0;
    if (chats.length === 0) return;
    const outcomes = await store.write((writer) => chats.map((chat) => placeChat(writer, chat, newId)));
    outcomes.forEach(note);
    await breathe();
  }

  return {
    result,
    async add(exported, workspaceId) {
      store.requireRoom();
      const chat = settleChat(exported, workspaceId, newId);
      const size = sizeOf(chat);
      if (size > 1) {
        await flush();
        note(await placeLongChat(store, chat, newId));
        return;
      }
      if (batchSize + size > 1) await flush();
      batch.push(chat);
      batchSize += size;
    },
    end: flush,
  };
}

/** Removes what an import left behind that ended half-way; rejects when the store refuses to be written. */
export async function clearUnfinished(store: Store): Promise<void> {
  for (const id of store.read(listBegun)) {
    while (!(await store.write((writer) => clearBegun(writer, id, PIECE_ROWS)))) await breathe();
  }
}

function placeChat(writer: Writer, settled: SettledChat, newId: () => string): Outcome {
  for (const candidate of candidates(settled, newId)) {
    const found = lookUp(writer, candidate);
    if (found === 'there') return { kind: 'skipped' };
    if (found === 'other') continue;
    createChat(writer, candidate.chat);
    createImportedMessages(writer, candidate.chat, candidate.messages);
    return outcomeOf(settled, candidate);
  }
  throw new Error(`There is no free id for the chat ${settled.chat.id}.`);
}

async function placeLongChat(store: Store, settled: SettledChat, newId: () => string): Promise<Outcome> {
  for (const candidate of candidates(settled, newId)) {
    const found = await lookUpSlowly(store, candidate);
    if (found === 'there') return { kind: 'skipped' };
    if (found === 'other') continue;
    await createLongChat(store, candidate);
    return outcomeOf(settled, candidate);
  }
  throw new Error(`There is no free id for the chat ${settled.chat.id}.`);
}

/**
 * A chat as it may come in: under its own ids; as the copy whose ids follow from what the file says, so that the same file
 * brings in one copy, however often it is imported; under ids of this very moment.
 */
function* candidates(settled: SettledChat, newId: () => string): Generator<SettledChat> {
  yield settled;
  yield copyOf(settled, derivedIds(settled));
  yield copyOf(settled, () => newId());
}

const outcomeOf = (settled: SettledChat, { chat }: SettledChat): Outcome => ({
  kind: chat.id === settled.chat.id ? 'imported' : 'copied',
  id: chat.id,
});

async function createLongChat(store: Store, { chat, messages }: SettledChat): Promise<void> {
  const pieces = piecesOf(messages);
  try {
    for (const [index, piece] of pieces.entries()) {
      await store.write((writer) => {
        if (index === 0) beginLongChat(writer, chat.id);
        createImportedMessages(writer, chat, piece);
        if (index === pieces.length - 1) finishLongChat(writer, chat);
      });
      await breathe();
    }
  } catch (error) {
    // If this can't be written either, the next import or the next start does it.
    await clearUnfinished(store).catch(() => undefined);
    throw error;
  }
}

type Found = 'free' | 'there' | 'other';

function lookUp(reader: Reader, { chat, fileIds }: SettledChat): Found {
  const place = findChatPlace(reader, chat.id);
  if (place === null) return hasAnyMessage(reader, fileIds) ? 'other' : 'free';
  if (place.workspaceId !== chat.workspaceId || place.deletedAt !== null) return 'other';
  return countHeldMessages(reader, chat.id, fileIds) === fileIds.length ? 'there' : 'other';
}

/** As {@link lookUp}, with the event loop free in between. */
async function lookUpSlowly(store: Store, settled: SettledChat): Promise<Found> {
  const answers = new Set<Found>();
  for (let start = 0; start < settled.fileIds.length; start += PIECE_ROWS) {
    const part = { ...settled, fileIds: settled.fileIds.slice(start, start + PIECE_ROWS) };
    answers.add(store.read((reader) => lookUp(reader, part)));
    if (answers.has('other')) return 'other';
    await breathe();
  }
  return answers.has('there') ? 'there' : 'free';
}

/** The same chat with other ids; `idFor` is asked once for each. */
function copyOf({ chat, messages, fileIds }: SettledChat, idFor: (id: string) => string): SettledChat {
  const ids = new Map(messages.map(({ id }) => [id, idFor(id)]));
  const renamed = (id: string): string => ids.get(id) ?? id;
  const renamedOrNull = (id: string | null): string | null => id && renamed(id);
  return {
    chat: { ...chat, id: idFor(chat.id) },
    messages: messages.map((message) => ({
      ...message,
      id: renamed(message.id),
      replyTo: renamedOrNull(message.replyTo),
      versionOf: renamedOrNull(message.versionOf),
      hiddenBy: renamedOrNull(message.hiddenBy),
    })),
    fileIds: fileIds.map(renamed),
  };
}

/** Ids that look like all others and depend on the workspace, the chat and its messages alone. */
function derivedIds({ chat, fileIds }: SettledChat): (id: string) => string {
  const digest = (parts: string[]): string => createHash('sha256').update(parts.join('\n')).digest('hex');
  const seed = digest([chat.workspaceId, chat.id, ...fileIds]);
  return (id) => digest([seed, id]).replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-8$3-8$4-$5');
}

/** How much of one transaction something takes: 1 is as much as one should hold. */
const shareOf = (message: ImportedMessage): number =>
  1 / PIECE_ROWS +
  (message.content.length + (message.steps.length === 0 ? 0 : JSON.stringify(message.steps).length)) /
    PIECE_BYTES;

const sizeOf = ({ messages }: SettledChat): number =>
  1 / PIECE_ROWS + messages.reduce((sum, message) => sum + shareOf(message), 0);

function piecesOf(messages: ImportedMessage[]): ImportedMessage[][] {
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
