/**
 * Reads imports and backups in a thread, where unpacking, parsing and checking them holds up nobody, and where a file made to take all
 * memory ends nothing but that thread.
 */
import type { FileFindings, ImportPreview } from '../../shared/api/data.ts';
import type { ApiErrorCode } from '../../shared/errors.ts';
import { AppError, type ErrorDetail } from '../errors.ts';
import { startThread } from '../lib/threads.ts';
import type { FilePart } from './file-parts.ts';

/** What a thread reads. */
export type FileSource = { kind: 'import' } | { kind: 'backup'; path: string };

/** An import that is too large for the memory. */
export interface FileOnDisk {
  path: string;
  isZip: boolean;
}

/** What is known of an import without a look at the store. */
export type FileSummary = Pick<ImportPreview, 'app' | 'omitted' | 'messages' | 'firstAt' | 'lastAt'>;

/** What a thread does when it is asked to, one thing after the other. */
export interface FileMethods {
  /** Takes the next bytes of an import. */
  take(piece: Uint8Array): void;
  /**
   * All bytes are there, or in that file: gives the workspace that the import names. Throws AppError when it is no export, of Parley
   * or of another app.
   */
  open(onDisk: FileOnDisk | null): Promise<unknown>;
  /** Chats go into that workspace, until a backup names another. Those of other apps get that model. */
  into(workspaceId: string, model: string): void;
  next(): Promise<FilePart>;
  /** What the chats of an import were, as far as they have been read. */
  summary(): FileSummary;
  /** Reads all of a backup as a restore would, and counts what would come in. */
  count(): Promise<{ chats: number; messages: number; isDamaged: boolean; found: FileFindings }>;
}

/** A call as it is sent to the thread, and what comes back. */
export interface ThreadCall {
  method: keyof FileMethods;
  args: unknown[];
}
export type ThreadAnswer =
  | { value: unknown }
  | { refusal: { code: ApiErrorCode; message: string; details?: ErrorDetail[] } }
  | { fault: string };

/** A file that is being read. Rejects as the methods throw, and with AppError when there isn't enough memory for it. */
export interface FileReader {
  call<Name extends keyof FileMethods>(
    method: Name,
    ...args: Parameters<FileMethods[Name]>
  ): Promise<Awaited<ReturnType<FileMethods[Name]>>>;
  close(): Promise<void>;
}

/** More than any file takes that fits the other bounds, which hold where a thread can't be ended in time: while it parses. */
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
        // Whoever calls a method gets what that method gives.
        waiting.push({ resolve: resolve as (value: unknown) => void, reject });
        worker.postMessage({ method, args } satisfies ThreadCall);
      }),
    async close() {
      await worker.terminate();
    },
  };
}
