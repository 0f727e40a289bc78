/**
 * Exports, imports and backups, apart from HTTP. Their code is loaded on first use: few processes ever need it, and it
 * would slow down the start.
 */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type {
  Backup,
  CreatedBackup,
  DataInfo,
  ExportFormat,
  ImportPreview,
  ImportResult,
} from '../../shared/api/data.ts';
import { AppError, found } from '../errors.ts';
import type { FileStore } from '../files/file-store.ts';
import { removeFile } from '../lib/held-files.ts';
import { sizeOfFolder } from '../lib/size-of-folder.ts';
import type { Disk } from '../store/disk.ts';
import { countData } from '../store/export-repository.ts';
import { clearBegun, listBegun } from '../store/import-repository.ts';
import { orRefusal } from '../store/store-error.ts';
import { readInSlices } from '../store/pieces.ts';
import type { Store } from '../store/types.ts';
import { createBackupFolder } from './backup-folder.ts';
import type { Download } from './exports.ts';
import type { ImportBody, ImportDeps } from './import-file.ts';

/** Files of an interrupted import, and private ones that were being written. */
const LEFT_OVER = /^(?:import(?:-\d+)?|secrets\.json|connection\.json|local-key|identity|open\.html)\.tmp$/;

/**
 * Work on all data. Imports, restores and backups exclude each other: AppError `conflict`
 * while one is under way. AppError `storage_full` or `storage_unavailable` when the disk refuses.
 */
export type DataService = ReturnType<typeof createDataService>;

/** The data service of one store. */
export function createDataService({
  store,
  files,
  dataDir,
  clock,
  disk,
}: {
  store: Store;
  files: FileStore;
  /** The data folder, as an absolute path. */
  dataDir: string;
  clock: () => Date;
  /** Where backups are written; the real one when absent. */
  disk?: Disk | undefined;
}) {
  const folder = createBackupFolder(join(dataDir, 'backups'), disk);
  const now = (): string => clock().toISOString();
  /** Which files for imports are in use. A killed process leaves them behind. */
  const spooling: boolean[] = [];
  let running: { ended: Promise<unknown>; signal: AbortSignal | undefined } | null = null;
  /** Why the last scheduled backup failed, in words; null: it didn't. */
  let scheduleProblem: string | null = null;
  let underWay: { workspaceId: string; chats: number } | null = null;

  function requireIdle(): void {
    if (running !== null && running.signal?.aborted !== true) {
      throw new AppError('conflict', 'An import, backup or restore is running. Try again when it is done.');
    }
  }

  async function alone<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    // Nobody waits for the running one any more, and it is about to end.
    if (running?.signal?.aborted === true) await running.ended;
    requireIdle();
    const done = work();
    const ended = done.catch(() => undefined).then(() => (running = null));
    running = { ended, signal };
    await ended;
    return done;
  }

  /** Others may work until all of an import's file is there: a slow sender keeps nobody waiting. */
  async function received<T>(
    work: (deps: Required<Pick<ImportDeps, 'store' | 'files' | 'spoolPath' | 'turn'>>) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T> {
    requireIdle();
    const slot = spooling.indexOf(false);
    const at = slot === -1 ? spooling.length : slot;
    spooling[at] = true;
    const spoolPath = join(dataDir, at === 0 ? 'import.tmp' : `import-${at}.tmp`);
    const turn = <R>(read: () => Promise<R>): Promise<R> => alone(read, signal);
    return orRefusal(() => work({ store, files, spoolPath, turn })).finally(() => (spooling[at] = false));
  }

  async function makeBackup(scheduled: boolean): Promise<CreatedBackup> {
    const made = await import('./make-backup.ts');
    return orRefusal(() => made.makeBackup({ store, files }, folder, clock(), scheduled));
  }

  async function makeScheduled(everyMs: number, keep: number): Promise<void> {
    const scheduled = (await folder.list()).filter(({ scheduled }) => scheduled);
    const nowMs = clock().getTime();
    // A backup from the future was made while the clock was wrong.
    const newest = scheduled.find(({ createdAt }) => Date.parse(createdAt) <= nowMs);
    const isDue = newest === undefined || nowMs - Date.parse(newest.createdAt) >= everyMs;
    if (isDue) scheduled.unshift((await makeBackup(true)).backup);
    for (const { name } of scheduled.slice(keep)) await orRefusal(() => folder.remove(name));
  }

  const find = async (name: string): Promise<Backup> => found(await folder.find(name), 'backup_not_found');

  return {
    /**
     * Removes what an interrupted import or write left. Call it once, at the start. If the store can't be written, it stays,
     * invisible, until the next import or start.
     */
    async recover(): Promise<void> {
      // If this fails, the files are harmless.
      const left = (await readdir(dataDir).catch(() => [])).filter((name) => LEFT_OVER.test(name));
      for (const name of left) await removeFile(join(dataDir, name)).catch(() => undefined);
      // Nobody has to wait for this: unlike chats of an import, a branch is never begun again under the same id.
      for (const id of store.read((reader) => listBegun(reader, 'branch')))
        void clearBegun(store, 'branch', id).catch(() => undefined);
      if (store.read((reader) => listBegun(reader, 'import')).length === 0) return;
      const { clearUnfinished } = await import('./import-chats.ts');
      try {
        await clearUnfinished(store);
      } catch (error) {
        // A full disk must not prevent the start: everything stored can still be read.
        if (!(error instanceof AppError)) throw error;
      }
    },
    async info(): Promise<DataInfo> {
      await store.settled();
      const backups = await folder.list();
      return {
        dataDir,
        storeBytes: await sizeOfFolder(join(dataDir, 'store')),
        backupBytes: backups.reduce((sum, { bytes }) => sum + bytes, 0),
        ...(await readInSlices(store, countData)),
        ...(scheduleProblem !== null && { backupProblem: scheduleProblem }),
      };
    },
    /** One chat; null when there is none of that id in that workspace (null: any). */
    async exportChat(
      chatId: string,
      workspaceId: string | null,
      format: ExportFormat,
    ): Promise<Download | null> {
      const { exportChat } = await import('./exports.ts');
      return exportChat({ store, files }, chatId, workspaceId, format, now());
    },
    /** All chats of a workspace except deleted ones. */
    async exportWorkspace(workspaceId: string, format: ExportFormat): Promise<Download> {
      const { exportWorkspace } = await import('./exports.ts');
      return exportWorkspace({ store, files }, workspaceId, format, now());
    },
    /** Imports an export, once all of it has arrived and nothing else is under way; see import-file.ts. */
    importFile: (body: ImportBody, workspaceFor: (named: unknown) => string): Promise<ImportResult> =>
      received(async (parts) => {
        const { importFile } = await import('./import-file.ts');
        const into = (named: unknown): string => {
          const workspaceId = workspaceFor(named);
          underWay = { workspaceId, chats: 0 };
          return workspaceId;
        };
        const onProgress = (chats: number): void => {
          if (underWay !== null) underWay.chats = chats;
        };
        const turn = <R>(read: () => Promise<R>): Promise<R> =>
          parts.turn(() => read().finally(() => (underWay = null)));
        return importFile({ ...parts, turn, workspaceFor: into, onProgress }, body);
      }),
    /** What importing it would do. */
    previewFile: (
      body: ImportBody,
      workspaceFor: (named: unknown) => string,
      signal: AbortSignal,
    ): Promise<ImportPreview> =>
      received(async (parts) => {
        const { previewFile } = await import('./import-file.ts');
        return previewFile({ ...parts, workspaceFor, signal }, body);
      }, signal),
    /** How many chats of the import under way in that workspace are done; null when there is none. */
    importProgress: (workspaceId: string): number | null =>
      underWay?.workspaceId === workspaceId ? underWay.chats : null,
    listBackups: (): Promise<Backup[]> => folder.list(),
    /** Makes a backup that was read back; see make-backup.ts. */
    createBackup: (): Promise<CreatedBackup> => alone(() => makeBackup(false)),
    /**
     * Makes a scheduled backup unless one is younger than `everyMs`, and removes the oldest scheduled ones beyond
     * `keep`, after other work that is under way. When it fails, `info` says why until one succeeds.
     */
    async backUpWhenDue(everyMs: number, keep: number): Promise<void> {
      while (running !== null) await running.ended;
      try {
        await alone(() => makeScheduled(everyMs, keep));
        scheduleProblem = null;
      } catch (error) {
        scheduleProblem = error instanceof AppError ? error.message : 'Something went wrong in the service.';
        throw error;
      }
    },
    /** The file itself. This and what follows: AppError `backup_not_found`. */
    async readBackup(name: string): Promise<{ backup: Backup; file: Readable }> {
      const backup = await find(name);
      return { backup, file: await orRefusal(() => folder.read(backup)) };
    },
    /** Adds what the backup holds and the store doesn't; see restore.ts. */
    restoreBackup: (name: string): Promise<ImportResult> =>
      alone(async () => {
        await find(name);
        const { restoreBackup } = await import('./restore.ts');
        return restoreBackup({ store, files }, folder.pathOf(name));
      }),
    /** As {@link restoreBackup}, from a file that was sent. */
    restoreFile: (body: ImportBody): Promise<ImportResult> =>
      received(async ({ spoolPath, turn }) => {
        const [{ receive }, { restoreBackup }] = await Promise.all([
          import('./import-file.ts'),
          import('./restore.ts'),
        ]);
        try {
          await receive(body, spoolPath);
          return await turn(() => restoreBackup({ store, files }, spoolPath));
        } finally {
          await removeFile(spoolPath);
        }
      }),
    deleteBackup: (name: string): Promise<Backup> =>
      alone(async () => {
        const backup = await find(name);
        await orRefusal(() => folder.remove(name));
        return backup;
      }),
  };
}
