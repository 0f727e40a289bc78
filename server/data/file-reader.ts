/**
 * Reads imports and backups in a thread, so that unpacking, parsing and checking block nobody, and a file made to use
 * up all memory ends only that thread.
 */
import type { FileFindings, ImportPreview } from '../../shared/api/data.ts';
import type { ApiErrorCode } from '../../shared/errors.ts';
import { AppError, type ErrorDetail } from '../errors.ts';
import { startThread } from '../lib/threads.ts';
import type { FileKind } from './file-kind.ts';
import type { FilePart } from './file-parts.ts';

/** What a thread reads. */
export type FileSource =
  { kind: 'import'; path: string; fileKind: FileKind } | { kind: 'backup'; path: string };

/** What is known about an import without the store. */
export type FileSummary = Pick<ImportPreview, 'app' | 'omitted' | 'messages' | 'firstAt' | 'lastAt'>;

/** The methods of the thread, run one at a time. */
export interface FileMethods {
  /** Opens an import, and returns the workspace that it names. Throws AppError if it is none that can be read (read-import.ts). */
  open(): Promise<unknown>;
  /** Chats go into that workspace, until a backup names another. Those of other apps get that model. */
  into(workspaceId: string, model: string): void;
  next(): Promise<FilePart>;
  /** A summary of the import's chats read so far. */
  summary(): FileSummary;
  /** Reads all of a backup as a restore would, and counts what would come in. */
  count(): Promise<{ chats: number; messages: number; isDamaged: boolean; found: FileFindings }>;
}

/** A call to the thread, and its result. */
export interface ThreadCall {
  method: keyof FileMethods;
  args: unknown[];
}
export type ThreadAnswer =
  | { value: unknown }
  | { refusal: { code: ApiErrorCode; message: string; details?: ErrorDetail[] } }
  | { fault: string };

/** A file being read. Rejects with what the methods throw, and with AppError when memory runs out. */
export interface FileReader {
  call<Name extends keyof FileMethods>(
    method: Name,
    ...args: Parameters<FileMethods[Name]>
  ): Promise<Awaited<ReturnType<FileMethods[Name]>>>;
  close(): Promise<void>;
}

/** More than any file within the other limits needs; those apply while parsing, when a thread can't be ended in time. */
const MAX_MEMORY_MB = 3_072;

const TOO_LARGE = 'Reading this file takes more memory than Parley allows for it, so it cannot be imported.';

/** Starts reading; `maxMemoryMb` is for tests. */
export function openFile(source: FileSource, maxMemoryMb = MAX_MEMORY_MB): FileReader {
  const worker = startThread('data-thread', {
    workerData: source,
    resourceLimits: { maxOldGenerationSizeMb: maxMemoryMb },
  });
  const waiting: { resolve: (value: unknown) => void; reject: (error: Error) => void }[] = [];
  let ended: Error | null = null;

  function end(error: Error): void {
    ended ??= error;
    for (const { reject } of waiting.splice(0)) reject(ended);
  }
  worker.on('message', (answer: ThreadAnswer) => {
    const call = waiting.shift();
    if ('value' in answer) call?.resolve(answer.value);
    else if ('fault' in answer) call?.reject(new Error(`The data thread failed: ${answer.fault}`));
    else {
      const { code, message, details } = answer.refusal;
      call?.reject(new AppError(code, message, details === undefined ? {} : { details }));
    }
  });
  worker.on('error', (error: NodeJS.ErrnoException) =>
    end(
      error.code === 'ERR_WORKER_OUT_OF_MEMORY'
        ? new AppError('invalid_request', TOO_LARGE, { cause: error })
        : error,
    ),
  );
  worker.on('exit', () => end(new Error('The data thread ended early.')));

  return {
    call: (method, ...args) =>
      new Promise((resolve, reject) => {
        if (ended !== null) {
          reject(ended);
          return;
        }
        // Each call gets the result of its own method.
        waiting.push({ resolve: resolve as (value: unknown) => void, reject });
        worker.postMessage({ method, args } satisfies ThreadCall);
      }),
    async close() {
      await worker.terminate();
    },
  };
}
