/**
 * Reads imports and backups in a thread, so that unpacking, parsing and checking block nobody, and a file made to use
 * up all memory ends only that thread.
 */
import type { ApiErrorCode } from '../../shared/errors.ts';
import { AppError, type ErrorDetail } from '../errors.ts';
import { startThread } from '../lib/threads.ts';
import type { FileEnd, FilePart } from './file-parts.ts';

/** What a thread reads. */
export interface FileToRead {
  kind: 'import' | 'backup';
  path: string;
}

/** The methods of the thread, run one at a time. */
export interface FileMethods {
  /** Opens an import, and returns the workspace that it names. Throws AppError if it is none that can be read (read-import.ts). */
  open(): Promise<unknown>;
  next(): Promise<FilePart>;
  /** Reads all of it as an import or a restore would. */
  count(): Promise<FileEnd & { isDamaged: boolean }>;
}

/** The result of a method. */
export type ThreadAnswer =
  | { value: unknown }
  | { refusal: { code: ApiErrorCode; message: string; details?: ErrorDetail[] } }
  | { fault: string };

/** A file being read. Rejects with what the methods throw, and with AppError when memory runs out. */
export type FileReader = ReturnType<typeof openFile>;

/** More than any file within the other limits needs; those apply while parsing, when a thread can't be ended in time. */
const MAX_MEMORY_MB = 3_072;

const TOO_LARGE = 'Reading this file takes more memory than Parley allows for it, so it cannot be imported.';

/** Starts reading; `maxMemoryMb` is for tests. */
export function openFile(source: FileToRead, maxMemoryMb = MAX_MEMORY_MB) {
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
    call: <Name extends keyof FileMethods>(method: Name): ReturnType<FileMethods[Name]> =>
      new Promise((resolve, reject) => {
        if (ended !== null) {
          reject(ended);
          return;
        }
        // Each call gets the result of its own method.
        waiting.push({ resolve, reject });
        worker.postMessage(method);
      }) as ReturnType<FileMethods[Name]>,
    async close(): Promise<void> {
      await worker.terminate();
    },
  };
}
