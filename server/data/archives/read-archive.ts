/** Reads what other apps export, chat by chat: from a ZIP archive or a JSON file on disk, or from one JSON object in memory. */
import { isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import type { ImportApp, OmittedParts } from '../../../shared/api/data.ts';
import { AppError } from '../../errors.ts';
import type { Findings } from '../findings.ts';
import { jsonElements } from '../json-elements.ts';
import { withoutMark } from '../file-kind.ts';
import { isObject } from '../mend-fields.ts';
import { MAX_IMPORT_CHATS } from '../read-import.ts';
import { parseBounded } from '../parse-bounded.ts';
import type { SourcePart } from '../read-backup.ts';
import { badArchive, listZip, unzip, type ZippedFile } from '../unzip.ts';
import { bringChat } from './bring-chat.ts';
import { CHATGPT } from './chatgpt.ts';
import { CLAUDE } from './claude.ts';
import { LM_STUDIO } from './lm-studio.ts';
import { OPEN_WEBUI } from './open-webui.ts';
import type { AppReader, SourceChat } from './source-chat.ts';

const READERS: readonly AppReader[] = [CHATGPT, CLAUDE, OPEN_WEBUI, LM_STUDIO];

/** Largest total size of an archive's chats once unpacked, in bytes. */
const MAX_UNPACKED_BYTES = 1024 ** 3;
/** Larger than any chat. */
const MAX_CHAT_BYTES = 64 * 1024 ** 2;
/** How many chats are checked to find out which app they come from. */
const MAX_LOOKED_AT = 100;

const CUT_OFF = 'The file is no JSON, or was cut off; export or download it again.';
const NOT_UTF8 = 'The file is not valid UTF-8, so it is damaged or no export.';

/** An archive whose app is known. */
export interface Archive {
  app: ImportApp;
  /** All chats, whatever is wrong with them. */
  chats(findings: Findings, model: string): AsyncGenerator<SourcePart>;
  /** What the chats read so far contain that can't be imported. */
  omitted: OmittedParts;
}

type Elements = () => AsyncGenerator<Buffer | null>;

/**
 * Opens an archive and reads all of it once, so that a damaged one is refused before anything is imported. Throws
 * AppError `unsupported_import` and `invalid_json`.
 */
export async function openArchive(path: string, isZip: boolean): Promise<Archive> {
  const elements = isZip
    ? await zipElements(path)
    : () => jsonElements(createReadStream(path) as AsyncIterable<Buffer>, MAX_CHAT_BYTES);
  let reader: AppReader | undefined;
  let count = 0;
  for await (const element of orCutOff(elements())) {
    count += 1;
    if (count > MAX_IMPORT_CHATS)
      throw badArchive(
        `The file holds more than ${MAX_IMPORT_CHATS.toLocaleString('en')} chats; import it in parts.`,
      );
    if (element === null) continue;
    if (!isUtf8(element)) throw new AppError('invalid_json', NOT_UTF8);
    if (count <= MAX_LOOKED_AT) reader ??= readerOf(parseBounded(element.toString('utf8')));
  }
  if (reader === undefined) throw new AppError('unsupported_import');
  return archiveOf(reader, elements);
}

/** An object that is one chat of another app; null: it isn't. */
export function openSingle(json: Buffer): Archive | null {
  const text = withoutMark(json);
  const reader = readerOf(parseBounded(text.toString('utf8')));
  if (reader === undefined) return null;
  return archiveOf(reader, async function* () {
    yield text;
  });
}

const readerOf = (value: unknown): AppReader | undefined =>
  isObject(value) ? READERS.find((reader) => reader.recognises(value)) : undefined;

function archiveOf(reader: AppReader, elements: Elements): Archive {
  const omitted: OmittedParts = { images: 0, files: 0, recordings: 0, instructions: 0 };
  async function* chats(findings: Findings, model: string): AsyncGenerator<SourcePart> {
    const ids = new Set<string>();
    let number = 0;
    for await (const element of elements()) {
      number += 1;
      const leaveOut = (what: string): void => findings.leaveOut({ chat: number, message: null }, what);
      if (element === null) {
        leaveOut('It is too large, so it is left out.');
        continue;
      }
      const source = sourceOf(
        reader,
        parseBounded(element.toString('utf8')),
        () => (omitted.instructions += 1),
      );
      if (source === null)
        leaveOut(`This is no chat of ${reader.name}, or it is damaged, so it is left out.`);
      else if (ids.has(source.id)) leaveOut('It stands in the file twice, so it is left out here.');
      else {
        ids.add(source.id);
        countMissing(source, omitted);
        const chat = bringChat({ source, app: reader.app, number, model, findings });
        if (chat !== null) yield { chat };
      }
    }
  }
  return { app: reader.app, omitted, chats };
}

function sourceOf(reader: AppReader, value: unknown, countInstructions: () => void): SourceChat | null {
  if (!isObject(value) || !reader.recognises(value)) return null;
  return reader.read(value, countInstructions);
}

const TALLIES = { image: 'images', file: 'files', recording: 'recordings' } as const;

function countMissing({ nodes }: SourceChat, omitted: OmittedParts): void {
  for (const { parts } of nodes.values())
    for (const part of parts) if (part.kind === 'missing') omitted[TALLIES[part.what]] += 1;
}

const CHATS_FILE = /(^|\/)conversations(-\d+)?\.json$/i;
const LM_STUDIO_FILE = /\.conversation\.json$/i;
/** Files that macOS adds next to each file. */
const RESOURCE_FORK = /(^|\/)(__MACOSX\/|\._)/;

/** Chats are in one list or several, or, for LM Studio, in one file each. */
async function zipElements(path: string): Promise<Elements> {
  const isWanted = (name: string): boolean =>
    (CHATS_FILE.test(name) || LM_STUDIO_FILE.test(name)) && !RESOURCE_FORK.test(name);
  const found = (await listZip(path, isWanted)).sort(byName);
  const lists = found.filter(({ name }) => CHATS_FILE.test(name));
  if (found.length === 0)
    throw badArchive(
      'There is no conversations.json in the archive, so it is no export of ChatGPT or Claude.',
    );
  const files = lists.length > 0 ? lists : found;
  // unzip() checks the real sizes against these.
  if (files.reduce((sum, { bytes }) => sum + bytes, 0) > MAX_UNPACKED_BYTES)
    throw badArchive(
      `Unpacked, its chats take more than ${MAX_UNPACKED_BYTES / 1024 ** 3} GiB. Split conversations.json, and import it in parts.`,
    );
  return async function* () {
    for (const file of files) {
      const pieces = unzip(path, file);
      yield* lists.length > 0 ? jsonElements(pieces, MAX_CHAT_BYTES) : wholeFile(pieces);
    }
  };
}

const byName = (a: ZippedFile, b: ZippedFile): number => (a.name < b.name ? -1 : 1);

async function* wholeFile(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer | null> {
  const taken: Buffer[] = [];
  let bytes = 0;
  for await (const piece of pieces) {
    bytes += piece.length;
    if (bytes <= MAX_CHAT_BYTES) taken.push(piece);
  }
  yield bytes > MAX_CHAT_BYTES ? null : Buffer.concat(taken);
}

async function* orCutOff<T>(elements: AsyncIterable<T>): AsyncGenerator<T> {
  try {
    yield* elements;
  } catch (error) {
    throw error instanceof AppError ? error : new AppError('invalid_json', CUT_OFF, { cause: error });
  }
}
