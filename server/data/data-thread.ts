/** Entry of the thread that reads one import or backup and returns it part by part on request. */
import { randomUUID } from 'node:crypto';
import { parentPort, workerData } from 'node:worker_threads';
import type { ExportedChat } from '../../shared/api/data.ts';
import { AppError } from '../errors.ts';
import type { FileMethods, FileSource, FileSummary, ThreadAnswer, ThreadCall } from './file-reader.ts';
import { fileParts, type FilePart } from './file-parts.ts';
import { createFindings } from './findings.ts';
import { readBackup, type SourcePart } from './read-backup.ts';
import { openImport, type ImportSource } from './read-import.ts';
import { settleChat } from './settle-chat.ts';

const source = workerData as FileSource;
const findings = createFindings();
let opened: ImportSource | null = null;
let workspaceId = '';
let model = '';

const parts = fileParts(readSource(), (exported) => {
  tally(exported);
  return settleChat(exported, workspaceId, randomUUID);
});

async function* readSource(): AsyncGenerator<SourcePart> {
  if (source.kind === 'import') {
    if (opened !== null) yield* opened.parts(findings, model);
    return;
  }
  for await (const part of readBackup(source.path, findings)) {
    if ('workspace' in part) workspaceId = part.workspace.workspace.id;
    yield part;
  }
}

const times: Pick<FileSummary, 'firstAt' | 'lastAt'> = {};
let messages = 0;

function tally(exported: ExportedChat): void {
  messages += exported.messages.length;
  for (const { createdAt } of exported.messages) {
    if (createdAt < (times.firstAt ?? '~')) times.firstAt = createdAt;
    if (createdAt > (times.lastAt ?? '')) times.lastAt = createdAt;
  }
}

const methods: FileMethods = {
  async open() {
    if (source.kind === 'import') opened = await openImport(source.path, source.fileKind);
    return opened?.workspaceId;
  },
  into(id, modelOfChats) {
    workspaceId = id;
    model = modelOfChats;
  },
  async next(): Promise<FilePart> {
    const part = await parts.next();
    return part.done === true ? { end: findings.found } : part.value;
  },
  summary: () => ({
    app: opened?.app ?? 'parley',
    messages,
    ...times,
    ...(opened?.omitted !== undefined && { omitted: opened.omitted }),
  }),
  async count() {
    let chats = 0;
    let inBackup = 0;
    for await (const part of readSource()) {
      if (!('chat' in part)) continue;
      chats += 1;
      inBackup += settleChat(part.chat, workspaceId, randomUUID).fileIds.length;
    }
    return { chats, messages: inBackup, isDamaged: findings.isDamaged, found: findings.found };
  },
};

function refusalOf(error: unknown): ThreadAnswer {
  if (!(error instanceof AppError))
    return { fault: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  const { code, message, details } = error;
  return { refusal: { code, message, ...(details !== undefined && { details }) } };
}

async function run({ method, args }: ThreadCall): Promise<ThreadAnswer> {
  try {
    // Only the caller's types ensure that the arguments match the method.
    return { value: await (methods[method] as (...args: unknown[]) => unknown)(...args) };
  } catch (error) {
    return refusalOf(error);
  }
}

parentPort?.on('message', (call: ThreadCall) => {
  void run(call).then((answer) => parentPort?.postMessage(answer));
});
