import { type Disk, type DiskFile, nodeDisk } from '../../server/store/disk.ts';

/** The calls that a disk can be made to refuse. */
export type DiskCall =
  | 'open'
  | 'read'
  | 'write'
  | 'datasync'
  | 'truncate'
  | 'rename'
  | 'stat'
  | 'readdir'
  | 'unlink'
  | 'mkdir'
  | 'syncDir';

export interface Fault {
  calls: readonly DiskCall[];
  /** As Node gives it: `ENOSPC`, `EIO`, `EROFS`, … */
  code: string;
  /** Only for files whose path it matches; all when absent. */
  path?: RegExp;
  /** How many bytes can be written in all before writes are refused; the last one is cut short. */
  afterBytes?: number;
  /** How often it fails; until healed when absent. */
  times?: number;
}

/** A real disk that fails on demand. */
export interface FaultyDisk extends Disk {
  /** Makes calls fail until {@link FaultyDisk.heal}. */
  fail(fault: Fault): void;
  /** Makes the `count`-th next changing call, and all changing calls after it, fail until {@link FaultyDisk.heal}. */
  failFrom(count: number, code: string): void;
  /** Whether a call was refused since the last {@link FaultyDisk.failFrom}. */
  readonly hasFailed: boolean;
  /** Ends all faults. */
  heal(): void;
  /** Makes calls wait, for files whose path matches or for all; returns a function that lets them continue. */
  hang(calls: readonly DiskCall[], path?: RegExp): () => void;
  /** Reports that many bytes as free; null: the real number. */
  leaveFree(bytes: number | null): void;
  /** Writes at most that many bytes at a time. */
  takeAtMost(bytes: number): void;
  /** From the `count`-th next changing call on, nothing has any effect, as if the power had gone. */
  loseAfter(count: number): void;
  /** Whether that point was reached. */
  readonly lost: boolean;
  /** How many changing calls were made, by name. */
  readonly counts: ReadonlyMap<DiskCall, number>;
}

const CHANGING: readonly DiskCall[] = [
  'write',
  'datasync',
  'truncate',
  'rename',
  'unlink',
  'mkdir',
  'syncDir',
];

/** A disk over the real file system, without faults at first. */
export function faultyDisk(): FaultyDisk {
  const real = nodeDisk();
  let faults: Fault[] = [];
  let hanging: { calls: readonly DiskCall[]; path: RegExp | undefined; until: Promise<void> }[] = [];
  let mostBytes = Infinity;
  let left = Infinity;
  let freeBytes: number | null = null;
  let steps: { left: number; code: string } | null = null;
  let hasFailed = false;
  const counts = new Map<DiskCall, number>();

  const refusal = (code: string): Error => Object.assign(new Error(`${code}: made to fail`), { code });

  async function pass(call: DiskCall, path: string): Promise<void> {
    for (const each of hanging)
      if (each.calls.includes(call) && (each.path?.test(path) ?? true)) await each.until;
    counts.set(call, (counts.get(call) ?? 0) + 1);
    if (CHANGING.includes(call)) left -= 1;
    if (left < 0) throw refusal('EIO');
    if (steps && CHANGING.includes(call)) step(steps);
    const fault = faults.find((each) => applies(each, call, path) && each.afterBytes === undefined);
    if (!fault) return;
    if (fault.times !== undefined) {
      fault.times -= 1;
      if (fault.times <= 0) faults = faults.filter((each) => each !== fault);
    }
    throw refusal(fault.code);
  }
  function step(counted: NonNullable<typeof steps>): void {
    counted.left -= 1;
    if (counted.left > 0) return;
    hasFailed = true;
    throw refusal(counted.code);
  }
  const applies = (fault: Fault, call: DiskCall, path: string): boolean =>
    fault.calls.includes(call) && (fault.path?.test(path) ?? true);

  /** How many of that many bytes may be written; throws when none may. */
  function allowance(path: string, wanted: number): number {
    const fault = faults.find((each) => applies(each, 'write', path) && each.afterBytes !== undefined);
    const allowed = Math.min(wanted, mostBytes, fault?.afterBytes ?? Infinity);
    if (fault && allowed === 0) throw refusal(fault.code);
    if (fault) fault.afterBytes = (fault.afterBytes ?? 0) - allowed;
    return allowed;
  }

  const wrap = (file: DiskFile, path: string): DiskFile => ({
    async read(position, length) {
      await pass('read', path);
      return file.read(position, length);
    },
    async write(data, position) {
      await pass('write', path);
      return file.write(data.subarray(0, allowance(path, data.length)), position);
    },
    async datasync() {
      await pass('datasync', path);
      return file.datasync();
    },
    async truncate(length) {
      await pass('truncate', path);
      return file.truncate(length);
    },
    size: () => file.size(),
    async isAt(at) {
      await pass('stat', at);
      return file.isAt(at);
    },
    close: () => file.close(),
  });

  return {
    async open(path, mode) {
      await pass('open', path);
      if (left <= 0 && mode === 'create') throw refusal('EIO');
      if (steps && mode !== 'read') step(steps);
      return wrap(await real.open(path, mode), path);
    },
    async rename(from, to) {
      await pass('rename', from);
      return real.rename(from, to);
    },
    async readdir(path) {
      await pass('readdir', path);
      return real.readdir(path);
    },
    async unlink(path) {
      await pass('unlink', path);
      return real.unlink(path);
    },
    async mkdir(path) {
      await pass('mkdir', path);
      return real.mkdir(path);
    },
    freeBytes: (path) => (freeBytes === null ? real.freeBytes(path) : Promise.resolve(freeBytes)),
    leaveFree(bytes) {
      freeBytes = bytes;
    },
    async syncDir(path) {
      await pass('syncDir', path);
      return real.syncDir(path);
    },
    fail: (fault) => faults.push({ ...fault }),
    failFrom(count, code) {
      steps = { left: count, code };
      hasFailed = false;
    },
    get hasFailed() {
      return hasFailed;
    },
    heal() {
      faults = [];
      steps = null;
      left = Infinity;
    },
    hang(calls, path) {
      const { promise, resolve } = Promise.withResolvers<undefined>();
      const entry = { calls, path, until: promise };
      hanging.push(entry);
      return () => {
        hanging = hanging.filter((each) => each !== entry);
        resolve(undefined);
      };
    },
    takeAtMost(bytes) {
      mostBytes = bytes;
    },
    loseAfter(count) {
      left = count;
    },
    get lost() {
      return left < 0;
    },
    counts,
  };
}
