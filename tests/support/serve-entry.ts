/** Shared by entries that run the service as a separate process, which tests may kill; run/bundle.ts bundles them. */
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import type { StartOptions } from '../../server/service.ts';
import { startService } from '../../server/start.ts';

/** Seen from the entry, which is a source here or a bundle in out/tests. */
const PAGE = fileURLToPath(new URL('../../out/renderer', pathToFileURL(process.argv[1] ?? '')));

/** An entry's own parts of the service, given its own flags. */
type Given = (flag: (name: string) => string) => Partial<StartOptions>;

/**
 * Serves until SIGTERM: `node ENTRY --port 0 --data-dir DIR --json`. Prints what `npm run serve -- --json` does, and serves
 * the built page when there is one. `own` names the entry's further flags, all of which must be given.
 */
export async function serveEntry(given: Given, own: readonly string[] = []): Promise<void> {
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: '0' },
      'data-dir': { type: 'string' },
      json: { type: 'boolean' },
      ...Object.fromEntries(own.map((name) => [name, { type: 'string' } as const])),
    },
  });
  const flag = (name: string): string => {
    const value = (values as Record<string, unknown>)[name];
    if (typeof value !== 'string') throw new Error(`--${name} is missing.`);
    return value;
  };
  const service = await startService({
    port: Number(flag('port')),
    dataDir: flag('data-dir'),
    pageDir: PAGE,
    ...given(flag),
  });
  process.once('SIGTERM', () => void service.close().then(() => process.exit(0)));
  console.log(
    JSON.stringify({
      baseUrl: service.url,
      apiKey: service.apiKey,
      pageUrl: service.createPageUrl(),
      dataDir: service.dataDir,
      pid: process.pid,
    }),
  );
}
