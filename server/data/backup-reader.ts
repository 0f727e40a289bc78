/**
 * Reads a backup line by line, so that one chat at a time is in memory. Everything is checked as an import checks it;
 * whatever isn't as it was written means that the file was damaged or isn't one of ours.
 */
import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';
import { pipeline } from 'node:stream/promises';
import type { ExportedChat } from '../../shared/api/data.ts';
import { AppError } from '../errors.ts';
import { BACKUP_FORMAT, BACKUP_VERSION, type BackupHead, type BackupNote } from './backup-lines.ts';
import type { BackupWorkspace } from './backup-lines.ts';
import { checkHead, checkMessage, type SeenIds } from './check-chat.ts';
import { checkAgent } from './check-agent.ts';
import { storableText } from '../clean-name.ts';
import type { StoredAgent } from '../store/agent-repository.ts';
import { breathe } from './pieces.ts';

/** What comes out of a backup, in the order of the file. A chat belongs to the workspace before it. */
export type BackupPart = { agents: StoredAgent[] } | { workspace: BackupWorkspace } | { chat: ExportedChat };

/** Longer than any line there is. */
const MAX_LINE_CHARACTERS = 64 * 1024 * 1024;
const LINES_AT_ONCE = 100;
const CHUNK_BYTES = 64 * 1024;
const ID = /^[A-Za-z0-9_-]{1,64}$/;

const damaged = (cause?: unknown): AppError =>
  new AppError('invalid_request', 'This backup is damaged and can not be restored. Nothing was changed.', {
    cause,
  });

/** Reads the whole backup; throws AppError `invalid_request` when it is damaged and `unsupported_import` when it is newer. */
export async function* readBackup(path: string): AsyncGenerator<BackupPart> {
  const parser = createParser();
  for await (const lines of readLines(path)) {
    for (const line of lines) {
      const part = parser.take(line);
      if (part !== null) yield part;
    }
    await breathe();
  }
  parser.end();
}

/** The lines of a compressed file, some at a time. */
async function* readLines(path: string): AsyncGenerator<string[]> {
  const source = createReadStream(path);
  const text = createGunzip({ chunkSize: CHUNK_BYTES });
  // The reader below sees every error of either: this promise only joins the two.
  pipeline(source, text).catch(() => undefined);
  let rest = '';
  try {
    text.setEncoding('utf8');
    for await (const piece of text as AsyncIterable<string>) {
      if (rest.length > MAX_LINE_CHARACTERS) throw damaged();
      if (!piece.includes('\n')) {
        rest += piece;
        continue;
      }
      const lines = `${rest}${piece}`.split('\n');
      rest = lines.pop() ?? '';
      for (let start = 0; start < lines.length; start += LINES_AT_ONCE) {
        yield lines.slice(start, start + LINES_AT_ONCE);
      }
    }
  } catch (error) {
    throw error instanceof AppError ? error : damaged(error);
  } finally {
    source.destroy();
    text.destroy();
  }
  if (rest !== '') throw damaged();
}

interface Parser {
  take(line: string): BackupPart | null;
  end(): void;
}

function createParser(): Parser {
  const seen: SeenIds = { chats: new Set(), messages: new Set() };
  const workspaces = new Set<string>();
  let place: 'start' | 'workspaces' | 'chats' | 'messages' | 'end' = 'start';
  let chat: ExportedChat | null = null;
  let chats = 0;

  function open(line: string, list: string): Record<string, unknown> {
    const value = parse(`${line}]}`);
    if (!line.endsWith('[') || !Array.isArray(value[list])) throw damaged();
    return value;
  }

  /** Whether the line ends a list, as opposed to being a member of one. */
  const isEnd = (line: string): boolean => line === ']}' || line === ']},';

  function takeMessage(line: string, to: ExportedChat): void {
    const message: unknown = parse(line.endsWith(',') ? line.slice(0, -1) : line);
    checkMessage(message, { chat: chats, message: to.messages.length }, seen);
    to.messages.push(message as ExportedChat['messages'][number]);
  }

  return {
    take(line) {
      if (place === 'start') {
        const head = open(line, 'workspaces');
        checkFile(head);
        place = 'workspaces';
        return { agents: checkAgents(head['agents']) };
      } else if (place === 'workspaces') {
        if (isEnd(line)) place = 'end';
        else {
          const workspace = checkWorkspace(open(line, 'chats'));
          if (workspaces.has(workspace.workspace.id)) throw damaged();
          workspaces.add(workspace.workspace.id);
          place = 'chats';
          return { workspace };
        }
      } else if (place === 'chats') {
        if (isEnd(line)) place = 'workspaces';
        else {
          const head = open(line, 'messages');
          checkHead(head, chats, seen);
          chat = { ...(head as ExportedChat), messages: [] };
          place = 'messages';
        }
      } else if (place === 'messages' && chat !== null) {
        if (!isEnd(line)) takeMessage(line, chat);
        else {
          place = 'chats';
          chats += 1;
          return { chat };
        }
      } else throw damaged();
      return null;
    },
    end() {
      if (place !== 'end') throw damaged();
    },
  };
}

function parse(line: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
  } catch {
    // As below.
  }
  throw damaged();
}

function checkFile({ format, version }: Partial<BackupHead>): void {
  if (format !== BACKUP_FORMAT || !Number.isInteger(version)) throw damaged();
  if (version !== BACKUP_VERSION) {
    throw new AppError(
      'unsupported_import',
      `This backup was written by another version of Parley (format ${String(version)}, this version reads ${BACKUP_VERSION}); update Parley to restore it.`,
    );
  }
}

function checkAgents(value: unknown = []): StoredAgent[] {
  if (!Array.isArray(value)) throw damaged();
  return value.map((agent: unknown) => checkAgent(agent) ?? fail());
}

function fail(): never {
  throw damaged();
}

function checkWorkspace(value: Record<string, unknown>): BackupWorkspace {
  const { workspace, notes } = value as Partial<BackupWorkspace>;
  if (!isNamed(workspace) || typeof workspace.name !== 'string' || !Array.isArray(notes)) throw damaged();
  if (!notes.every((note): note is BackupNote => isNamed(note) && typeof note.text === 'string')) {
    throw damaged();
  }
  return {
    workspace: { ...workspace, name: storableText(workspace.name) },
    notes: notes.map((note) => ({ ...note, text: storableText(note.text) })),
  };
}

const isNamed = (
  value: Partial<BackupNote & { name: string }> | undefined | null,
): value is BackupNote & { name: string } =>
  typeof value?.id === 'string' &&
  ID.test(value.id) &&
  typeof value.createdAt === 'string' &&
  !Number.isNaN(Date.parse(value.createdAt));
