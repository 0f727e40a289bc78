/** Reads an export chat by chat and message by message: parsed as a whole, a file made for it would take all memory. */
import { isUtf8 } from 'node:buffer';
import { EXPORT_FORMAT, EXPORT_VERSION } from '../../shared/api/data.ts';
import { MAX_PROJECTS } from '../../shared/limits.ts';
import { AppError } from '../errors.ts';
import type { Findings } from './findings.ts';
import { elementsOf, isList, membersOf, textOf, wholeValue, type Slice } from './json-slices.ts';
import { MAX_CHAT_MESSAGES, openChat, takeMessage, type OpenChat } from './mend-chat.ts';
import { takeFile } from './take-file.ts';
import { parseBounded, parsedBytes } from './parse-bounded.ts';
import type { SourcePart } from './read-backup.ts';
import { soundRows } from './sound-rows.ts';

/** How many chats one file may hold. */
export const MAX_IMPORT_CHATS = 100_000;
/** How much memory one chat may take, in bytes: more than any ordinary chat of this many bytes of text takes. */
const MAX_CHAT_BYTES = 512 * 1024 ** 2;

/** An export that was taken apart. */
export interface ImportFile {
  /** The workspace that the body names; may not be a string. */
  workspaceId: unknown;
  json: Buffer;
  /** Missing in older files. */
  projects: Slice[];
  chats: Slice[];
}

/** Throws AppError `invalid_json`, `unsupported_import` if it isn't an export, and `invalid_request` if it has no chats. */
export function openImport(json: Buffer): ImportFile {
  if (json.length === 0) throw new AppError('unsupported_import');
  const members = topMembers(json);
  const field = (name: string): unknown => {
    const value = members.get(name);
    return value === undefined ? undefined : parseBounded(textOf(json, value));
  };
  const version = field('version');
  if (field('format') !== EXPORT_FORMAT || !Number.isInteger(version))
    throw new AppError('unsupported_import');
  if (version !== EXPORT_VERSION) {
    throw new AppError(
      'unsupported_import',
      `This file was written by another version of Parley (format ${String(version)}, this version reads ${EXPORT_VERSION}); update Parley to import it.`,
    );
  }
  const list = members.get('chats');
  if (list === undefined || !isList(json, list)) throw unfit('The file is damaged: "chats" must be a list.');
  const chats = orInvalid(() =>
    elementsOf(json, list)
      .take(MAX_IMPORT_CHATS + 1)
      .toArray(),
  );
  if (chats.length > MAX_IMPORT_CHATS)
    throw unfit(
      `The file holds more than ${MAX_IMPORT_CHATS.toLocaleString('en')} chats; import it in parts.`,
    );
  return {
    workspaceId: field('workspaceId'),
    json,
    projects: projectsOf(json, members.get('projects')),
    chats,
  };
}

/** A damaged list of projects doesn't matter: the chats are imported without it. */
function projectsOf(json: Buffer, list: Slice | undefined): Slice[] {
  try {
    return list === undefined || !isList(json, list)
      ? []
      : elementsOf(json, list).take(MAX_PROJECTS).toArray();
  } catch {
    return [];
  }
}

/** The projects of an import, then its chats, one after the other. */
export async function* readChats(
  { json, projects, chats }: ImportFile,
  findings: Findings,
): AsyncGenerator<SourcePart> {
  const told = projects.map((slice) => parseBounded(textOf(json, slice)));
  const sound = soundRows('project', told, findings);
  if (sound.length > 0) yield { projects: sound };
  for (const [index, slice] of chats.entries()) {
    const members = membersOrNone(json, slice);
    const messages = members.get('messages');
    const head: Record<string, unknown> = {};
    for (const name of ['chat', 'titleSource']) {
      const value = members.get(name);
      if (value !== undefined) head[name] = parseBounded(textOf(json, value));
    }
    const open = openChat(head, index + 1, findings);
    if (open === null) continue;
    if (messages === undefined || !isList(json, messages)) {
      findings.leaveOut(open.place, 'It has no list of messages, so it is left out.');
      continue;
    }
    const files = members.get('files');
    if (files !== undefined && isList(json, files)) yield* readFiles(json, files, open, findings);
    try {
      let bytes = 0;
      for (const message of elementsOf(json, messages)) {
        const text = textOf(json, message);
        bytes += parsedBytes(text);
        if (bytes > MAX_CHAT_BYTES || open.read === MAX_CHAT_MESSAGES) {
          findings.leaveOut(open.place, 'It is too large, so the rest of its messages is left out.');
          break;
        }
        takeMessage(parseBounded(text), open, findings);
      }
    } catch {
      findings.damage(open.place, 'Its list of messages is damaged, so everything after this is left out.');
    }
    yield { chat: open.exported };
  }
}

/** Damaged files are reported with the messages that name them. */
async function* readFiles(
  json: Buffer,
  list: Slice,
  open: OpenChat,
  findings: Findings,
): AsyncGenerator<SourcePart> {
  try {
    for (const slice of elementsOf(json, list)) {
      const file = await takeFile(parseBounded(textOf(json, slice)), open);
      if (file !== null) yield { file };
    }
  } catch {
    findings.damage(open.place, 'Its list of files is damaged, so everything after this was left out of it.');
  }
}

function topMembers(json: Buffer): Map<string, Slice> {
  // Decoding would replace broken bytes by U+FFFD and store a message that nobody sent.
  if (!isUtf8(json)) throw new AppError('invalid_json');
  const value = orInvalid(() => wholeValue(json));
  if (json[value.start] !== 0x7b) {
    if (parseBounded(textOf(json, value)) === undefined) throw new AppError('invalid_json');
    throw new AppError('unsupported_import');
  }
  return orInvalid(() => membersOf(json, value));
}

function membersOrNone(json: Buffer, object: Slice): Map<string, Slice> {
  try {
    return membersOf(json, object);
  } catch {
    return new Map();
  }
}

function orInvalid<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new AppError('invalid_json', undefined, { cause: error });
  }
}

const unfit = (message: string): AppError =>
  new AppError('invalid_request', `${message} Nothing was imported.`, {
    details: [{ path: '/chats', message }],
  });
