/** Entry of the thread that reads one import or backup and returns it part by part on request. */
import { parentPort, workerData } from 'node:worker_threads';
import { AppError } from '../errors.ts';
import { withReadable } from '../lib/held-files.ts';
import type { ImportSource } from './archives/read-archive.ts';
import { fileParts, type FileSummary } from './file-parts.ts';
import type { FileMethods, FileToRead, ThreadAnswer } from './file-reader.ts';
import { createFindings } from './findings.ts';
import { readBackup, type BackupPart } from './read-backup.ts';
import type { ReadChat } from './read-chat.ts';
import { openImport } from './read-import.ts';

const source = workerData as FileToRead;
const findings = createFindings();
let opened: ImportSource | null = null;
const parts = fileParts(readSource());
const summary: FileSummary = { app: 'parley', chats: 0, messages: 0 };

async function* readSource(): AsyncGenerator<BackupPart> {
  const all = source.kind === 'import' ? opened?.parts(findings) : readBackup(source.path, findings);
  for await (const part of all ?? []) {
    if ('chat' in part) tally(part.chat);
    yield part;
  }
}

function tally({ fileIds, messages }: ReadChat): void {
  summary.chats += 1;
  summary.messages += fileIds.length;
  for (const { createdAt } of messages.slice(0, fileIds.length)) {
    if (createdAt < (summary.firstAt ?? '~')) summary.firstAt = createdAt;
    if (createdAt > (summary.lastAt ?? '')) summary.lastAt = createdAt;
  }
}

const ending = () => ({ end: findings.found, summary });

const methods: FileMethods = {
  async open() {
    if (source.kind === 'backup') return undefined;
    opened = await openImport(source.path);
    const { app, omitted } = opened;
    Object.assign(summary, { app, ...(omitted !== undefined && { omitted }) });
    return opened.workspaceId;
  },
  async next() {
    const part = await parts.next();
    return part.done === true ? ending() : part.value;
  },
  async count() {
    const all = readSource();
    for (let part = await all.next(); part.done !== true;) part = await all.next();
    return { ...ending(), isDamaged: findings.isDamaged };
  },
};

function refusalOf(error: unknown): ThreadAnswer {
  if (!(error instanceof AppError))
    return { fault: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  const { code, message, details } = error;
  return { refusal: { code, message, ...(details !== undefined && { details }) } };
}

async function run(method: keyof FileMethods): Promise<ThreadAnswer> {
  try {
    return { value: await withReadable(source.path, () => methods[method]()) };
  } catch (error) {
    return refusalOf(error);
  }
}

parentPort?.on('message', (method: keyof FileMethods) => {
  void run(method).then((answer) => parentPort?.postMessage(answer));
});
