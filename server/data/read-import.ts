/**
 * Opens an import of any app, and reads exports of Parley. The file is on disk and read twice: first all of it, so that
 * a damaged one is refused before anything is imported, then chat by chat, since all of it could take all memory.
 */
import { isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { EXPORT_VERSION } from '../../shared/api/data.ts';
import { MAX_IMPORT_BYTES, MAX_PROJECTS, MAX_SCHEDULES } from '../../shared/limits.ts';
import { EXPORT_FORMAT } from '../../shared/choices.ts';
import { AppError } from '../errors.ts';
import { isObject, listOf, type Fields } from '../lib/fields.ts';
import {
  archiveOf,
  MAX_ARCHIVE_CHAT_BYTES,
  readerOf,
  zipParts,
  type ImportSource,
} from './archives/read-archive.ts';
import type { AppReader } from './archives/source-chat.ts';
import { BEGINNING_BYTES, kindOfFile, type FileKind } from './file-kind.ts';
import { IN_FILE, type Findings } from './findings.ts';
import { markedEncoding, otherEncoding, otherFormat, utf8Pieces } from './import-text.ts';
import { jsonParts, type JsonPart } from './json-parts.ts';
import { finishChat, MAX_CHAT_MESSAGES, openReadChat, takeMessage } from './read-chat.ts';
import { parseBounded } from './parse-bounded.ts';
import type { BackupPart } from './read-backup.ts';
import { repairRows } from './repair-rows.ts';
import { takeFile } from './files-in.ts';
import { badArchive } from './unzip.ts';

/** How many chats one file may hold. */
const MAX_IMPORT_CHATS = 100_000;
/** How much memory one chat may take, in bytes: enough for all files that an export may have. */
const MAX_CHAT_BYTES = 768 * 1024 ** 2;
/** How many chats are checked to find out which app they come from. */
const MAX_INSPECTED = 100;

const CUT_OFF = 'The file is no JSON, or was cut off; export or download it again.';
const NOT_UTF8 = 'The file is not valid UTF-8, so it is damaged or no export.';
const TOO_MANY = `The file holds more than ${MAX_IMPORT_CHATS.toLocaleString('en')} chats; import it in parts.`;

/**
 * Opens a file of any encoding. Throws AppError `invalid_json`, `unsupported_import` if it is no export that can be read, and `invalid_request` if an
 * export of Parley has no chats or too many.
 */
export async function openImport(path: string): Promise<ImportSource> {
  const beginning = await buffer(createReadStream(path, { end: BEGINNING_BYTES - 1 }));
  const kind = kindOfFile(beginning);
  if (kind === 'zip') return openAs(path, kind, null);
  try {
    return await openAs(path, kind, markedEncoding(beginning));
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'invalid_json') throw error;
    throw (await otherFormat(path)) ?? error;
  }
}

/** Opens it as a text of that encoding; null: UTF-8, unless it turns out to be another one. */
async function openAs(path: string, kind: FileKind, encoding: string | null): Promise<ImportSource> {
  const maxBytes = kind === 'object' ? MAX_IMPORT_BYTES : MAX_ARCHIVE_CHAT_BYTES;
  const parts = kind === 'zip' ? await zipParts(path) : () => jsonParts(utf8Pieces(path, encoding), maxBytes);
  const members: Buffer[] = [];
  let memberBytes = 0;
  let chats = 0;
  let reader: AppReader | undefined;
  for await (const { list, text } of orCutOff(parts())) {
    if (list !== null) chats += 1;
    if (chats > MAX_IMPORT_CHATS) throw list === '' ? badArchive(TOO_MANY) : unfit(TOO_MANY);
    if (text === null) continue;
    if (!isUtf8(text)) {
      const other = kind === 'zip' ? null : await otherEncoding(text);
      if (other === null) throw new AppError('invalid_json', NOT_UTF8);
      return withFinding(await openAs(path, kind, other), `The file is not UTF-8. It was read as ${other}.`);
    }
    if (list === null && (memberBytes += text.length) <= MAX_ARCHIVE_CHAT_BYTES) members.push(text);
    if (list === '' && chats <= MAX_INSPECTED) reader ??= readerOf(parseBounded(text.toString()));
  }
  const head = parseBounded(`{${members.join(',')}}`);
  if (!isObject(head)) throw new AppError('invalid_json', CUT_OFF);
  if (head['format'] === EXPORT_FORMAT && Number.isInteger(head['version'])) return openExport(head, parts);
  if (reader !== undefined) return archiveOf(reader, () => elementsOf(parts()));
  if (chats === 0 && members.length === 0)
    throw new AppError('unsupported_import', 'There are no chats in this file.');
  // A single chat of another app is an object too.
  reader = readerOf(head);
  if (reader === undefined) throw new AppError('unsupported_import');
  return archiveOf(reader, () => [head]);
}

/** The same, with a finding about the whole file. */
const withFinding = (source: ImportSource, what: string): ImportSource => ({
  ...source,
  async *parts(findings) {
    findings.repaired(IN_FILE, what);
    yield* source.parts(findings);
  },
});

async function* orCutOff(parts: AsyncIterable<JsonPart>): AsyncGenerator<JsonPart> {
  try {
    yield* parts;
  } catch (error) {
    throw error instanceof AppError ? error : new AppError('invalid_json', CUT_OFF, { cause: error });
  }
}

/** The elements of all lists; undefined for one that is damaged or too large. */
async function* elementsOf(parts: AsyncIterable<JsonPart>, maxBytes?: number): AsyncGenerator {
  for await (const { list, text } of parts)
    if (list !== null) yield text === null ? undefined : parseBounded(text.toString(), maxBytes);
}

function openExport(
  { version, workspaceId, projects, schedules, chats }: Fields,
  parts: () => AsyncIterable<JsonPart>,
): ImportSource {
  if (version !== EXPORT_VERSION) {
    throw new AppError(
      'unsupported_import',
      `This file was written by another version of Parley (format ${String(version)}, this version reads ${EXPORT_VERSION}); update Parley to import it.`,
    );
  }
  if (listOf(chats) === null) throw unfit('The file is damaged: "chats" must be a list.');
  return {
    app: 'parley',
    workspaceId,
    async *parts(findings) {
      const rest = {
        projects: repairRows('project', listOf(projects)?.slice(0, MAX_PROJECTS), findings),
        schedules: repairRows('schedule', listOf(schedules)?.slice(0, MAX_SCHEDULES), findings),
      };
      if (rest.projects.length + rest.schedules.length > 0) yield rest;
      let number = 0;
      for await (const chat of elementsOf(parts(), MAX_CHAT_BYTES)) {
        number += 1;
        yield* readChat(chat, number, findings);
      }
    },
  };
}

async function* readChat(value: unknown, number: number, findings: Findings): AsyncGenerator<BackupPart> {
  const open = openReadChat(value, number, findings);
  if (open === null || !isObject(value)) return;
  const messages = listOf(value['messages']);
  if (messages === null) {
    findings.leaveOut(open.location, 'It has no list of messages, so it is left out.');
    return;
  }
  for (const each of listOf(value['files']) ?? []) {
    const file = await takeFile(each, open);
    if (file !== null) yield { file };
  }
  for (const message of messages.slice(0, MAX_CHAT_MESSAGES)) takeMessage(message, open, findings);
  if (messages.length > MAX_CHAT_MESSAGES)
    findings.leaveOut(open.location, 'It is too large, so the rest of its messages is left out.');
  yield { chat: finishChat(open, findings) };
}

const unfit = (message: string): AppError =>
  new AppError('invalid_request', `${message} Nothing was imported.`, {
    details: [{ path: '/chats', message }],
  });
