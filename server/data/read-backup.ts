/**
 * Reads a backup line by line, so that only one chat at a time is in memory. Reads everything readable of a damaged
 * one: somebody may have nothing else.
 */
import type { Project } from '../../shared/api/project.ts';
import type { KeptSchedule } from '../../shared/api/schedule.ts';
import { AppError } from '../errors.ts';
import type { StoredAgent } from '../store/agent-repository.ts';
import { BACKUP_FORMAT, BACKUP_VERSION, type BackupHead, type BackupWorkspace } from './backup-lines.ts';
import { storableText } from '../lib/clean-name.ts';
import { IN_FILE, type Findings } from './findings.ts';
import {
  finishChat,
  MAX_CHAT_MESSAGES,
  openReadChat,
  takeMessage,
  type OpenChat,
  type ReadChat,
} from './read-chat.ts';
import { repairRows } from './repair-rows.ts';
import { isObject, isTime, type Fields } from '../lib/fields.ts';
import { takeFile } from './files-in.ts';
import { idFrom, isId } from './repair-fields.ts';
import { parseBounded, parsedBytes } from './parse-bounded.ts';
import { unpackLines } from './unpack-lines.ts';

/** The parts of a file, in order. In a backup, a chat belongs to the workspace before it. */
export type BackupPart =
  | { agents: StoredAgent[]; settings: BackupHead['settings'] }
  | { workspace: BackupWorkspace }
  /** Of the workspace that an export is brought into. */
  | { projects: Project[]; schedules: KeptSchedule[] }
  /** A file of messages of the chat that comes next. */
  | { file: Uint8Array }
  | { chat: ReadChat };

/**
 * How much memory one chat may take, in bytes: at least 256 Mi characters of plain text. A larger one is imported as
 * several.
 */
const MAX_CHAT_BYTES = 1024 ** 3;

const UNREADABLE = 'A line of the file could not be read, so it is left out.';
const CUT_OFF = 'The file ends too early; everything after this point is missing.';

/**
 * Throws AppError `invalid_request` when it isn't a backup or can't be read at all, and `unsupported_import` when it is
 * newer.
 */
export async function* readBackup(path: string, findings: Findings): AsyncGenerator<BackupPart> {
  const reader = createReader(findings);
  let hasBegun = false;
  try {
    for await (const lines of unpackLines(path)) {
      for (const line of lines) {
        if (hasBegun) yield* reader.take(line);
        else yield reader.begin(line);
        hasBegun = true;
      }
    }
  } catch (error) {
    if (!hasBegun) throw error instanceof AppError ? error : noBackup(error);
    yield* reader.end(damageWords(error));
    return;
  }
  if (!hasBegun) throw noBackup();
  yield* reader.end(CUT_OFF);
}

const noBackup = (cause?: unknown): AppError =>
  new AppError(
    'invalid_request',
    'This is not a Parley backup, or its beginning is damaged. Nothing was changed.',
    { cause },
  );

const damageWords = (error: unknown): string =>
  `The file is damaged: everything after this point could not be read, and texts near it may be wrong (${(error as NodeJS.ErrnoException).code ?? String(error)}).`;

function createReader(findings: Findings) {
  let chats = 0;
  let chat: OpenChat | null = null;
  let bytes = 0;
  let isInWorkspace = false;
  let isInFiles = false;
  let isAtEnd = false;

  function* closeChat(): Generator<BackupPart> {
    if (chat !== null) yield { chat: finishChat(chat, findings) };
    chat = null;
    bytes = 0;
  }

  /** A chat too large for memory continues as another one. */
  function* flushIfLong(open: OpenChat, line: string): Generator<BackupPart> {
    const size = parsedBytes(line);
    bytes += size;
    if (bytes <= MAX_CHAT_BYTES && open.messages.length < MAX_CHAT_MESSAGES) return;
    findings.repaired(open.location, 'It is too large for one chat, so it is split into several.');
    yield* closeChat();
    chat = { ...open, chat: { ...open.chat, id: idFrom(open.chat.id, 'continued') }, messages: [] };
    bytes = size;
  }

  return {
    begin(line: string | null): BackupPart {
      const head = parseOpening(line ?? '', 'workspaces');
      if (head?.['format'] !== BACKUP_FORMAT || !Number.isInteger(head['version'])) throw noBackup();
      if (head['version'] !== BACKUP_VERSION) {
        throw new AppError(
          'unsupported_import',
          `This backup was written by another version of Parley (format ${String(head['version'])}, this version reads ${BACKUP_VERSION}); update Parley to restore it.`,
        );
      }
      const { settings } = head;
      return {
        agents: repairRows('agent', head['agents'], findings),
        settings: isObject(settings) ? settings : {},
      };
    },

    async *take(line: string | null): AsyncGenerator<BackupPart> {
      if (line === null || isAtEnd) {
        if (line !== '') findings.damage(chat?.location ?? IN_FILE, UNREADABLE);
        return;
      }
      if (line === ']}' || line === ']},') {
        if (chat !== null) yield* closeChat();
        else if (isInWorkspace) isInWorkspace = false;
        else isAtEnd = true;
        return;
      }
      if (line === '],"messages":[') {
        isInFiles = false;
        return;
      }
      const opened = line.endsWith('[')
        ? (parseOpening(line, 'messages') ?? parseOpening(line, 'files') ?? parseOpening(line, 'chats'))
        : null;
      if (opened !== null) {
        // What came before has ended, though the line that said so could not be read.
        yield* closeChat();
        const isWorkspace = Array.isArray(opened['chats']);
        // Chats whose workspace could not be read go into one of their own.
        if (isWorkspace || !isInWorkspace)
          yield { workspace: takeWorkspace(isWorkspace ? opened : {}, findings) };
        isInWorkspace = true;
        if (isWorkspace) return;
        chats += 1;
        chat = openReadChat(opened, chats, findings);
        isInFiles = Array.isArray(opened['files']);
        return;
      }
      const message = parseBounded(line.endsWith(',') ? line.slice(0, -1) : line);
      if (message === undefined || chat === null) findings.damage(chat?.location ?? IN_FILE, UNREADABLE);
      else if (isInFiles) {
        const file = await takeFile(message, chat);
        if (file !== null) yield { file };
      } else {
        yield* flushIfLong(chat, line);
        takeMessage(message, chat, findings);
      }
    },

    *end(why: string): Generator<BackupPart> {
      if (!isAtEnd || why !== CUT_OFF) findings.damage(chat?.location ?? IN_FILE, why);
      yield* closeChat();
    },
  };
}

/** A line that opens the list of that name; null when it is none. */
function parseOpening(line: string, list: string): Fields | null {
  const value = parseBounded(`${line}]}`);
  return isObject(value) && Array.isArray(value[list]) ? value : null;
}

function takeWorkspace(
  { workspace, notes, projects, prompts, schedules }: Fields,
  findings: Findings,
): BackupWorkspace {
  const { id, name, createdAt } = isObject(workspace) ? workspace : {};
  const taken = {
    id: isId(id) ? id : idFrom(JSON.stringify(workspace)),
    name: typeof name === 'string' ? storableText(name) : 'Restored',
    createdAt: isTime(createdAt) ? createdAt : new Date().toISOString(),
  };
  if (taken.id !== id || taken.createdAt !== createdAt || typeof name !== 'string')
    findings.repaired(IN_FILE, `The workspace “${taken.name}” is damaged and is repaired.`);
  return {
    workspace: taken,
    notes: repairRows('note', notes, findings),
    projects: repairRows('project', projects, findings),
    prompts: repairRows('prompt', prompts, findings),
    schedules: repairRows('schedule', schedules, findings),
  };
}
