/**
 * A chat's messages for exports, in pieces; the event loop is free in between.
 *
 * How the messages are linked (versions, deletions, which is the last) is read once, at the start, so that an export is
 * consistent whatever happens meanwhile. Texts are read as they are written, so a reply that grows during the export of
 * a long chat may appear in a slightly later state.
 */
import { findChat, type StoredChat } from '../store/chat-repository.ts';
import { listLinks, type LinkRow } from '../store/export-repository.ts';
import { listFilesOfChat } from '../store/file-repository.ts';
import { findLastSeq, messageTexts } from '../store/message-json.ts';
import { listFilesOf } from '../store/step-file-repository.ts';
import type { Reader, Store } from '../store/types.ts';

/** How much base64 one message may carry: it is read back in one piece. */
const MAX_FILES_CHARACTERS = 16 * 1024 ** 2;

/** A message to be written. */
export interface MessageOut extends Pick<LinkRow, 'versionOf' | 'retryOf' | 'hiddenBy'> {
  /** The JSON text of an API message. */
  json: string;
  /** Ids of its steps' files that are included. */
  fileIds: string[];
}

/** Bytes to be written, and the ids of the files with these bytes. */
export interface FileOut {
  sha256: string;
  bytes: number;
  ids: string[];
}

/** A chat being exported. */
export interface ChatOut {
  chat: StoredChat;
  /** The files of its messages, equal ones together. */
  files: FileOut[];
  /** Its messages, a piece at a time; deleted ones are left out. */
  pieces: () => AsyncGenerator<MessageOut[]>;
}

/** Opens a chat for writing it out; null when there is none of that id, or it was deleted. */
export function openStoredChat(store: Store, chatId: string): ChatOut | null {
  return store.read((reader) => {
    const chat = findChat(reader, chatId);
    if (chat === null) return null;
    const links = listLinks(reader, chatId);
    const lastSeq = findLastSeq(reader, chatId);
    const isOut = findUnreachable(links);
    const files = attachmentsOf(reader, chatId, isOut);
    return { chat, files, pieces: () => readPieces(store, chatId, lastSeq, links, isOut) };
  });
}

function attachmentsOf(reader: Reader, chatId: string, isOut: ReadonlySet<string>): FileOut[] {
  const files: FileOut[] = [];
  for (const { id, messageId, sha256, bytes } of listFilesOfChat(reader, chatId)) {
    if (messageId === null || isOut.has(messageId)) continue;
    const same = files.at(-1);
    if (same?.sha256 === sha256) same.ids.push(id);
    else files.push({ sha256, bytes, ids: [id] });
  }
  return files;
}

async function* readPieces(
  store: Store,
  chatId: string,
  lastSeq: number,
  links: LinkRow[],
  isOut: ReadonlySet<string>,
): AsyncGenerator<MessageOut[]> {
  const byId = new Map(links.map((link) => [link.id, link]));
  for await (const rows of messageTexts(store, chatId, { lastSeq })) {
    const files = store.read((reader) => filesOf(reader, rows));
    yield rows
      .filter(({ id }) => !isOut.has(id))
      .map(({ id, json }) => {
        const { versionOf = null, retryOf = null, hiddenBy = null } = byId.get(id) ?? {};
        return { json, versionOf, retryOf, hiddenBy, fileIds: files.get(id) ?? [] };
      });
  }
}

/** Ids of the files included with each message, as many as fit on a line. */
function filesOf(reader: Reader, messages: readonly { id: string }[]): Map<string, string[]> {
  const files = new Map<string, string[]>();
  const lengths = new Map<string, number>();
  for (const { id, messageId, length } of listFilesOf(
    reader,
    messages.map((message) => message.id),
  )) {
    const all = (lengths.get(messageId) ?? 0) + length;
    if (all > MAX_FILES_CHARACTERS) continue;
    lengths.set(messageId, all);
    files.set(messageId, [...(files.get(messageId) ?? []), id]);
  }
  return files;
}

/**
 * The messages that can't be reached: deleted ones, and the branch of a version that was deleted or whose group has a
 * deleted version chosen. Exporting them would need links to messages that the file doesn't contain.
 */
function findUnreachable(links: LinkRow[]): Set<string> {
  const byId = new Map(links.map((link) => [link.id, link]));
  const chosen = new Map<string, LinkRow>();
  for (const link of links) {
    if (link.versionOf !== null && link.hiddenBy !== link.id) chosen.set(link.versionOf, link);
  }
  const known = new Map<string, boolean>();
  const canBeShown = (version: string): boolean => {
    const answer = known.get(version);
    if (answer !== undefined) return answer;
    known.set(version, false);
    const link = byId.get(version);
    const group = link?.versionOf ?? null;
    const instead = group === null ? undefined : chosen.get(group);
    const can =
      link !== undefined &&
      !link.isDeleted &&
      instead !== undefined &&
      !instead.isDeleted &&
      (instead.hiddenBy === null || canBeShown(instead.hiddenBy));
    known.set(version, can);
    return can;
  };
  const out = links.filter(
    (link) => link.isDeleted || (link.hiddenBy !== null && !canBeShown(link.hiddenBy)),
  );
  return new Set(out.map(({ id }) => id));
}
