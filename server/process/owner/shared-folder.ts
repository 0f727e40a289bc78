import { statfs } from 'node:fs/promises';

/** By their numbers in Linux, see statfs(2). Windows drives under WSL and folders shared with a virtual machine are 9p. */
const SHARED: ReadonlyMap<number, string> = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'SMB'],
  [0xfe534d42, 'SMB'],
  [0x01021997, '9p'],
  [0x786f4256, 'a folder shared by VirtualBox'],
  [0xbacbacbc, 'a folder shared by VMware'],
  [0x00c36400, 'Ceph'],
  [0x5346414f, 'AFS'],
  [0x6b414653, 'AFS'],
  [0x01161970, 'GFS2'],
  [0x7461636f, 'OCFS2'],
  [0x0bd00bd0, 'Lustre'],
  [0x65735546, 'FUSE'],
]);

/** A folder of another computer, as Windows writes it; drives that stand for one can't be told from others. */
const isOnAnotherComputer = (path: string): boolean =>
  process.platform === 'win32' && /^[\\/]{2}(?![.?][\\/](?!UNC))/i.test(path);

/** The name of a folder's file system, if other computers may share it; null: they can't, or it isn't known. */
export async function nameSharedFileSystem(dataDir: string): Promise<string | null> {
  if (isOnAnotherComputer(dataDir)) return 'a network folder';
  if (process.platform !== 'linux') return null;
  // 32 bits, with a sign on some systems.
  const type = await statfs(dataDir).then(
    (found) => found.type >>> 0,
    () => 0,
  );
  return SHARED.get(type) ?? null;
}
