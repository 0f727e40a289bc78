/**
 * Claims the data folder named on the command line, says so, and keeps it: `node own-folder.ts DIR`, with a connection.json as an owner
 * that listens at port 4141 would write it. Exits with 3 when the folder is taken.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { OwnedError, ownDataDir } from '../../server/process/owner/owner.ts';

try {
  const dataDir = process.argv[2] ?? '';
  await ownDataDir(dataDir);
  await writeFile(
    join(dataDir, 'connection.json'),
    JSON.stringify({ baseUrl: 'http://127.0.0.1:4141', apiKey: 'a', publicKey: 'b', pid: process.pid }),
  ).catch(() => undefined);
  console.log('mine');
  setInterval(() => undefined, 60_000);
} catch (error) {
  console.log(error instanceof Error ? error.message : String(error));
  process.exit(error instanceof OwnedError ? 3 : 1);
}
