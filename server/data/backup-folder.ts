/** The folder `backups` in the data folder: what is in it, by names that are checked before they become paths. */
import { chmod, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { Backup } from '../../shared/api/data.ts';
import { type Disk, nodeDisk, orWhenAbsent, streamOf, writeNew } from '../store/disk.ts';

const NAME = /^parley-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)(?:-(\d{1,4}))?(-scheduled)?\.json\.gz$/;
const MAX_IN_ONE_SECOND = 1_000;

/** The backups of one data folder. */
export type BackupFolder = ReturnType<typeof createBackupFolder>;

/** The name of the newest backup in a data folder; null: there is none, or the folder can't be read. */
export async function findNewestBackup(dataDir: string): Promise<string | null> {
  const backups = await createBackupFolder(join(dataDir, 'backups'))
    .list()
    .catch(() => []);
  return backups[0]?.name ?? null;
}

/** The folder at that path; it is created with the first backup. */
export function createBackupFolder(dir: string, disk: Disk = nodeDisk()) {
  /** The path of a backup. Only for names that `find` knew. */
  const pathOf = (name: string): string => join(dir, name);

  const names = (): Promise<string[]> => orWhenAbsent(disk.readdir(dir), []);

  /** The backup of that name; null when there is none, or no backup can have that name. */
  async function find(name: string): Promise<Backup | null> {
    const read = readName(name);
    if (read === null) return null;
    const { createdAt, isScheduled } = read;
    const file = await orWhenAbsent(stat(pathOf(name)), null);
    if (file?.isFile() !== true) return null;
    return { name, createdAt, bytes: file.size, ...(isScheduled && { scheduled: true }) };
  }

  async function prepare(): Promise<void> {
    await disk.mkdir(dir);
    await chmod(dir, 0o700);
    // Left by a process that died; nobody else writes here.
    for (const name of await names()) if (name.endsWith('.tmp')) await disk.unlink(pathOf(name));
  }

  async function freeName(time: Date, scheduled: boolean): Promise<string> {
    const stem = `parley-${time.toISOString().slice(0, 19).replaceAll(':', '-')}`;
    const taken = new Set(await names());
    for (let count = 1; count <= MAX_IN_ONE_SECOND; count += 1) {
      const name = `${stem}${count === 1 ? '' : `-${count}`}${scheduled ? '-scheduled' : ''}.json.gz`;
      if (!taken.has(name)) return name;
    }
    throw new Error(`There is no free name for a backup made at ${stem}.`);
  }

  return {
    pathOf,
    find,
    /** The bytes of one that `find` knew. */
    read: async ({ name, bytes }: Backup): Promise<Readable> =>
      streamOf(await disk.open(pathOf(name), 'read'), bytes),
    /** Newest first. */
    async list(): Promise<Backup[]> {
      const backups: Backup[] = [];
      for (const name of await names()) {
        const backup = await find(name);
        if (backup !== null) backups.push(backup);
      }
      const newestFirst = (one: Backup, other: Backup): number =>
        other.createdAt.localeCompare(one.createdAt) || orderOf(other.name) - orderOf(one.name);
      return backups.sort(newestFirst);
    },
    /**
     * Writes a backup; it gets its name only once it is fully on disk and `check` has read it. Rejects with the disk's
     * error or as `check` does, and leaves nothing behind. The name shows whether it is a scheduled one.
     */
    async write(
      text: AsyncIterable<string>,
      time: Date,
      check: (path: string) => Promise<void>,
      scheduled = false,
    ): Promise<Backup> {
      await prepare();
      const name = await freeName(time, scheduled);
      const temporary = `${pathOf(name)}.tmp`;
      try {
        const packed = (pieces: AsyncIterable<Buffer>) => writeNew(disk, temporary, pieces);
        await pipeline(Readable.from(text, { objectMode: false }), createGzip(), packed);
        await check(temporary);
        await disk.rename(temporary, pathOf(name));
        await disk.syncDir(dir);
      } catch (error) {
        await disk.unlink(temporary).catch(() => undefined);
        throw error;
      }
      const backup = await find(name);
      if (backup === null) throw new Error(`The backup ${name} is gone as soon as it was written.`);
      return backup;
    },
    async remove(name: string): Promise<void> {
      await disk.unlink(pathOf(name));
      await disk.syncDir(dir);
    },
  };
}

/** What a backup's name says; null when no backup can have it. `order`: which of the backups of one second it is, from 1. */
function readName(name: string): { createdAt: string; order: number; isScheduled: boolean } | null {
  const [, day, hours, minutes, seconds, order, scheduled] = NAME.exec(name) ?? [];
  if (day === undefined) return null;
  const time = Date.parse(`${day}T${hours ?? ''}:${minutes ?? ''}:${seconds ?? ''}.000Z`);
  if (Number.isNaN(time)) return null;
  return {
    createdAt: new Date(time).toISOString(),
    order: Number(order ?? 1),
    isScheduled: scheduled !== undefined,
  };
}

const orderOf = (name: string): number => readName(name)?.order ?? 1;
