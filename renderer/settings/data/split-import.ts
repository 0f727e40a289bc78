/**
 * An export file on its way back in. The service takes files up to a limit; a page can take larger ones apart, since each
 * chat stands for itself, and has something to tell between the parts.
 */
import {
  EXPORT_FORMAT,
  EXPORT_VERSION,
  type ExportedChat,
  type ExportFile,
  type ImportResult,
} from '../../../shared/api/data.ts';
import { MAX_FILE_PROBLEMS, MAX_IMPORT_BYTES } from '../../../shared/limits.ts';
import type { ApiClient } from '../../api/client.ts';

/** What a part may hold, in bytes and chats, unless one chat alone is larger. */
const PART_BYTES = 7 * 1024 * 1024;
const PART_CHATS = 1_000;
/** Larger files than browsers can take as one text. */
const MAX_FILE_BYTES = 400 * 1024 * 1024;
/** How much of a file tells what it is. */
const SEEN_BYTES = 1024;
const BEGINS_AS_EXPORT = new RegExp(`^\\ufeff?\\s*\\{\\s*"format"\\s*:\\s*"${EXPORT_FORMAT}"`);

/** Why a file can't be sent at all. */
export type Unfit =
  | { kind: 'unreadable' }
  | { kind: 'too_large' }
  | { kind: 'not_json' }
  /** Begins as an export does, and can't be read to its end. */
  | { kind: 'damaged' }
  | { kind: 'not_an_export' }
  | { kind: 'is_a_backup' }
  | { kind: 'newer' }
  /** `number`: which chat of the file, from 1. */
  | { kind: 'chat_too_large'; number: number };

/** The file is not what it should be; nothing was sent. */
export class UnfitFile extends Error {
  override readonly name = 'UnfitFile';
  readonly reason: Unfit;

  constructor(reason: Unfit) {
    super(reason.kind);
    this.reason = reason;
  }
}

/** The service refused a part: what came before is in. */
export class ImportStopped extends Error {
  override readonly name = 'ImportStopped';
  /** Why. */
  readonly problem: unknown;
  /** What came of the parts before. */
  readonly result: ImportResult;

  constructor(problem: unknown, result: ImportResult) {
    super('The import was stopped.');
    this.problem = problem;
    this.result = result;
  }
}

/** Chats that are sent in one request. */
export type Part = ExportedChat[];

/** How far an import has come, in chats. */
export interface ImportProgress {
  done: number;
  total: number;
}

/** Whether a file is sent to the service as it is: an archive, or a list, as only other apps export them. */
export async function isArchive(file: Blob): Promise<boolean> {
  const start = await file
    .slice(0, SEEN_BYTES)
    .text()
    .catch(() => '');
  return /^(?:PK|\ufeff?\s*\[)/.test(start);
}

/** Reads an export file and takes it apart. Rejects with {@link UnfitFile}. */
export async function readExport(file: Blob): Promise<Part[]> {
  if (file.size > MAX_FILE_BYTES) throw new UnfitFile({ kind: 'too_large' });
  let text: string;
  try {
    text = await file.text();
  } catch {
    throw new UnfitFile({ kind: 'unreadable' });
  }
  let content: unknown;
  try {
    content = JSON.parse(text.replace(/^\ufeff/, ''));
  } catch {
    throw new UnfitFile({ kind: kindOfUnreadable(text) });
  }
  return partsOf(chatsOf(content));
}

function kindOfUnreadable(text: string): 'is_a_backup' | 'damaged' | 'not_json' {
  // A backup is compressed; somebody may well take it for an export.
  if (text.startsWith('\u001f')) return 'is_a_backup';
  return BEGINS_AS_EXPORT.test(text) ? 'damaged' : 'not_json';
}

function chatsOf(content: unknown): ExportedChat[] {
  const { format, version, chats } = (content ?? {}) as Partial<Record<string, unknown>>;
  if (format === 'parley-backup') throw new UnfitFile({ kind: 'is_a_backup' });
  if (format !== EXPORT_FORMAT || !Array.isArray(chats)) throw new UnfitFile({ kind: 'not_an_export' });
  if (version !== EXPORT_VERSION) throw new UnfitFile({ kind: 'newer' });
  return chats as ExportedChat[];
}

function partsOf(chats: ExportedChat[]): Part[] {
  const encoder = new TextEncoder();
  const parts: Part[] = [];
  let part: Part = [];
  let bytes = 0;
  for (const [index, chat] of chats.entries()) {
    const size = encoder.encode(JSON.stringify(chat)).length;
    // Leaves room for what stands around the chats.
    if (size > MAX_IMPORT_BYTES - 1024) throw new UnfitFile({ kind: 'chat_too_large', number: index + 1 });
    if (part.length > 0 && (bytes + size > PART_BYTES || part.length === PART_CHATS)) {
      parts.push(part);
      part = [];
      bytes = 0;
    }
    part.push(chat);
    bytes += size;
  }
  if (part.length > 0) parts.push(part);
  return parts;
}

/** Sends the parts one after the other. Rejects with {@link ImportStopped}. */
export async function sendParts(
  api: Pick<ApiClient, 'importChats'>,
  parts: readonly Part[],
  onProgress: (progress: ImportProgress) => void,
): Promise<ImportResult> {
  const total = parts.reduce((sum, part) => sum + part.length, 0);
  const result: ImportResult = {
    imported: 0,
    copied: 0,
    skipped: 0,
    chatIds: [],
    mended: 0,
    leftOut: 0,
    problems: [],
  };
  let done = 0;
  onProgress({ done, total });
  for (const chats of parts) {
    const file: ExportFile = {
      format: EXPORT_FORMAT,
      version: EXPORT_VERSION,
      exportedAt: new Date().toISOString(),
      chats,
    };
    let answer: ImportResult;
    try {
      answer = await api.importChats(file);
    } catch (problem) {
      throw new ImportStopped(problem, result);
    }
    result.imported += answer.imported;
    result.copied += answer.copied;
    result.skipped += answer.skipped;
    for (const id of answer.chatIds) result.chatIds.push(id);
    result.mended += answer.mended;
    result.leftOut += answer.leftOut;
    // Chats are counted within each part.
    for (const problem of answer.problems.slice(0, MAX_FILE_PROBLEMS - result.problems.length))
      result.problems.push({ ...problem, chat: problem.chat === null ? null : problem.chat + done });
    done += chats.length;
    onProgress({ done, total });
  }
  return result;
}
