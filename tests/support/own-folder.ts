/** Claims the data folder named on the command line, says so, and keeps it: `node own-folder.ts DIR`. Exits with 3 when it is taken. */
import { OwnedError, ownDataDir } from '../../server/process/owner/owner.ts';

try {
  const ownership = await ownDataDir(process.argv[2] ?? '');
  ownership.announce('http://127.0.0.1:4141');
  console.log('mine');
  setInterval(() => undefined, 60_000);
} catch (error) {
  console.log(error instanceof Error ? error.message : String(error));
  process.exit(error instanceof OwnedError ? 3 : 1);
}
