/** Reads chats of other apps, and finds them in a ZIP archive. */
import type { ImportApp, OmittedParts } from '../../../shared/api/data.ts';
import { kindOfFile } from '../file-kind.ts';
import { IN_FILE, type Findings } from '../findings.ts';
import { jsonParts, type JsonPart } from '../json-parts.ts';
import { isObject } from '../../lib/fields.ts';
import type { BackupPart } from '../read-backup.ts';
import { badArchive, listZip, unzip, type ZippedFile } from '../unzip.ts';
import { convertChat } from './convert-chat.ts';
import { CHATGPT } from './chatgpt.ts';
import { CLAUDE } from './claude.ts';
import { DEEPSEEK } from './deepseek.ts';
import { LM_STUDIO } from './lm-studio.ts';
import { OPEN_WEBUI } from './open-webui.ts';
import type { AppReader, SourceChat } from './source-chat.ts';

/** An import whose app is known. */
export interface ImportSource {
  app: ImportApp;
  /** The workspace that it names; may not be a string. */
  workspaceId?: unknown;
  /** Its chats, one after the other. */
  parts(findings: Findings): AsyncGenerator<BackupPart>;
  /** What the chats read so far contain that can't be imported; only of other apps. */
  omitted?: OmittedParts;
}

/** DeepSeek's chats look like ChatGPT's, with more to them. */
const READERS: readonly AppReader[] = [DEEPSEEK, CHATGPT, CLAUDE, OPEN_WEBUI, LM_STUDIO];

/** Largest total size of an archive's chats once unpacked, in bytes. */
const MAX_UNPACKED_BYTES = 1024 ** 3;
/** Larger than any chat. */
export const MAX_ARCHIVE_CHAT_BYTES = 64 * 1024 ** 2;

/** The reader of the app whose chat this is, if it is one. */
export const readerOf = (value: unknown): AppReader | undefined =>
  isObject(value) ? READERS.find((reader) => reader.recognises(value)) : undefined;

/** An archive of that app with these chats. */
export function archiveOf(
  reader: AppReader,
  values: () => AsyncIterable<unknown> | Iterable<unknown>,
): ImportSource {
  const omitted: OmittedParts = { images: 0, files: 0, recordings: 0, instructions: 0 };
  return {
    app: reader.app,
    omitted,
    async *parts(findings) {
      const ids = new Set<string>();
      let number = 0;
      for await (const value of values()) {
        const other = (isObject(value) && reader.readOther?.(value)) || null;
        if (other !== null) {
          omitted.instructions += other.instructions;
          if (other.leftOut !== null) findings.leaveOut(IN_FILE, other.leftOut);
          continue;
        }
        number += 1;
        const leaveOut = (what: string): void => findings.leaveOut({ chat: number, message: null }, what);
        if (!isObject(value) || !reader.recognises(value)) {
          leaveOut(`This is no chat of ${reader.name}, or it is damaged or too large, so it is left out.`);
          continue;
        }
        const source = reader.read(value);
        if (ids.has(source.id)) {
          leaveOut('It stands in the file twice, so it is left out here.');
          continue;
        }
        ids.add(source.id);
        countOmitted(source, omitted);
        const chat = convertChat(source, reader.app, number, findings);
        if (chat !== null) yield { chat };
      }
    },
  };
}

const TALLIES = { image: 'images', file: 'files', recording: 'recordings' } as const;

function countOmitted({ nodes, hasInstruction = false }: SourceChat, omitted: OmittedParts): void {
  omitted.instructions += Number(hasInstruction);
  for (const { parts, isInstruction = false } of nodes.values()) {
    omitted.instructions += Number(isInstruction);
    for (const part of parts) if (part.kind === 'missing') omitted[TALLIES[part.what]] += 1;
  }
}

/** A second download has a number. */
const CHATS_FILE = /(^|\/)conversations(-\d+| ?\(\d+\))?\.json$/i;
/** What Claude exports beside the chats: since 2026, each project in a file of its own. */
const BESIDE_CHATS = /(^|\/)(memories|projects|projects\/[^/]+)\.json$/i;
const LM_STUDIO_FILE = /\.conversation\.json$/i;
/** Files that macOS adds next to each file. */
const RESOURCE_FORK = /(^|\/)(__MACOSX\/|\._)/;

/** Chats are in one list or several, or, for LM Studio, in one file each. */
export async function zipParts(path: string): Promise<() => AsyncGenerator<JsonPart>> {
  const isWanted = (name: string): boolean =>
    [CHATS_FILE, LM_STUDIO_FILE, BESIDE_CHATS].some((kind) => kind.test(name)) && !RESOURCE_FORK.test(name);
  const found = (await listZip(path, isWanted)).sort(byName);
  if (found.every(({ name }) => BESIDE_CHATS.test(name)))
    throw badArchive(
      'There is no conversations.json in the archive, so it is no export of ChatGPT, Claude or DeepSeek.',
    );
  const hasLists = found.some(({ name }) => CHATS_FILE.test(name));
  const files = found.filter(({ name }) => LM_STUDIO_FILE.test(name) !== hasLists);
  // unzip() checks the real sizes against these.
  if (files.reduce((sum, { bytes }) => sum + bytes, 0) > MAX_UNPACKED_BYTES)
    throw badArchive(
      `Unpacked, its chats take more than ${MAX_UNPACKED_BYTES / 1024 ** 3} GiB. Split conversations.json, and import it in parts.`,
    );
  return async function* () {
    for (const file of files) {
      const pieces = unzip(path, file);
      yield* CHATS_FILE.test(file.name) ? jsonParts(pieces, MAX_ARCHIVE_CHAT_BYTES) : wholeFile(pieces);
    }
  };
}

const byName = (a: ZippedFile, b: ZippedFile): number => (a.name < b.name ? -1 : 1);

async function* wholeFile(pieces: AsyncIterable<Buffer>): AsyncGenerator<JsonPart> {
  const taken: Buffer[] = [];
  let bytes = 0;
  for await (const piece of pieces) {
    bytes += piece.length;
    if (bytes <= MAX_ARCHIVE_CHAT_BYTES) taken.push(piece);
  }
  const text = bytes > MAX_ARCHIVE_CHAT_BYTES ? null : Buffer.concat(taken);
  if (text !== null && kindOfFile(text) === 'list') yield* jsonParts([text], MAX_ARCHIVE_CHAT_BYTES);
  else yield { list: '', text };
}
