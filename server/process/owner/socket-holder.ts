import { readdir, readFile, readlink, stat } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * The process of this user's that listens under an abstract name, as Linux tells it; null when it is another user's, or
 * can't be found out.
 */
export async function findHolder(name: string): Promise<number | null> {
  try {
    const sockets = await socketsOf(name);
    for (const pid of (await readdir('/proc')).filter((entry) => /^\d+$/.test(entry))) {
      const folder = join('/proc', pid);
      if ((await stat(folder).catch(() => null))?.uid !== process.getuid?.()) continue;
      if (await holdsOne(join(folder, 'fd'), sockets)) return Number(pid);
    }
  } catch {
    // No /proc, or not as it is on Linux.
  }
  return null;
}

/** As links to what is open are written. */
async function socketsOf(name: string): Promise<ReadonlySet<string>> {
  // Num RefCount Protocol Flags Type St Inode Path
  const rows = (await readFile('/proc/net/unix', 'utf8')).split('\n').map((line) => line.trim().split(/\s+/));
  return new Set(rows.flatMap(({ 6: inode, 7: path }) => (path === `@${name}` ? [`socket:[${inode}]`] : [])));
}

async function holdsOne(folder: string, sockets: ReadonlySet<string>): Promise<boolean> {
  const open = await readdir(folder).catch(() => []);
  const links = await Promise.all(open.map((each) => readlink(join(folder, each)).catch(() => '')));
  return links.some((link) => sockets.has(link));
}
