import { type Disk, type DiskFile, nodeDisk } from '../../server/store/disk.ts';

/** The real disk under one process's life, which can end at any moment, and which can fill up. */
export interface MortalDisk extends Disk {
  /** Writes fail with ENOSPC while this is true. */
  isFull: boolean;
  /**
   * From now on nothing reaches the disk and no call ever returns, as for a process that was killed. Resolves when
   * calls under way have ended, so that the folder can be opened again.
   */
  kill(): Promise<void>;
}

/** A disk for one life. */
export function createMortalDisk(): MortalDisk {
  const real = nodeDisk();
  const underWay = new Set<Promise<unknown>>();
  let isDead = false;

  function live<T>(call: () => Promise<T>): Promise<T> {
    if (isDead) return new Promise(() => undefined);
    const promise = call();
    underWay.add(promise);
    return new Promise((resolve, reject) => {
      promise.then(
        (value) => {
          underWay.delete(promise);
          if (!isDead) resolve(value);
        },
        (error: unknown) => {
          underWay.delete(promise);
          if (!isDead) reject(error instanceof Error ? error : new Error(String(error)));
        },
      );
    });
  }

  const mortalFile = (file: DiskFile): DiskFile => ({
    read: (position, length) => live(() => file.read(position, length)),
    write: (data, position) =>
      live(() => (disk.isFull ? Promise.reject(noSpace()) : file.write(data, position))),
    datasync: () => live(() => file.datasync()),
    truncate: (length) => live(() => file.truncate(length)),
    size: () => live(() => file.size()),
    isAt: (path) => live(() => file.isAt(path)),
    close: () => live(() => file.close()),
  });

  const disk: MortalDisk = {
    isFull: false,
    async kill() {
      isDead = true;
      await Promise.allSettled(underWay);
    },
    open: (path, mode) => live(async () => mortalFile(await real.open(path, mode))),
    rename: (from, to) => live(() => real.rename(from, to)),
    readdir: (path) => live(() => real.readdir(path)),
    unlink: (path) => live(() => real.unlink(path)),
    mkdir: (path) => live(() => real.mkdir(path)),
    freeBytes: (path) => live(() => real.freeBytes(path)),
    syncDir: (path) => live(() => real.syncDir(path)),
  };
  return disk;
}

const noSpace = (): Error => Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
