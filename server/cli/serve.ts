/** `parley serve`: runs the service in this process: its output, signals and exit codes. */
import { builtPageDir } from '../config.ts';
import { VERSION } from '../lib/version.ts';
import { withTimeout } from '../lib/with-timeout.ts';
import { END_SIGNALS } from '../process/end-signals.ts';
import { OwnedError } from '../process/owner/owner.ts';
import { endProcess } from '../process/thread-pool.ts';
import type { Service } from '../service.ts';
import { startService } from '../start.ts';
import { EXIT } from './exit-codes.ts';
import { linkOfOwner } from './open.ts';
import { note, say } from './terminal.ts';
import { messageOf } from '../lib/message-of.ts';

/** The service's own limit is shorter, unless it is still reading a large store. */
const STOP_LIMIT_MS = 4_400;

/** Options of the command. */
export interface ServeOptions {
  /** Absent: the port from the settings, or the default. */
  port?: number;
  dataDir: string;
  json?: true;
}

/** Starts the service and says where it is. Never resolves: a signal ends the process. `program`: URL of the program. */
export async function serve({ port, dataDir, json }: ServeOptions, program: string): Promise<never> {
  // The reader of the output may go away; the service keeps running.
  for (const stream of [process.stdout, process.stderr])
    stream.removeAllListeners('error').on('error', () => undefined);
  const starting = startService({ port: port ?? null, dataDir, pageDir: builtPageDir(program) });

  let isEnding = false;
  /** Stops the service, within the same limit if it is still starting. A second call exits at once. */
  const end = (code: number): void => {
    const isAgain = isEnding;
    isEnding = true;
    const stopped = isAgain ? Promise.resolve() : starting.then((service) => service.close());
    void withTimeout(STOP_LIMIT_MS, stopped)
      .catch(() => undefined)
      .finally(() => void endProcess(isAgain ? EXIT.failed : code));
  };
  const fail = (error: unknown): void => {
    note(`Parley failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    end(EXIT.failed);
  };
  process.on('uncaughtException', fail);
  process.on('unhandledRejection', fail);
  for (const signal of END_SIGNALS) process.on(signal, () => end(EXIT.done));

  try {
    announce(await starting, json === true);
  } catch (error) {
    note(messageOf(error));
    if (!(error instanceof OwnedError)) process.exit(EXIT.failed);
    const link = await linkOfOwner(dataDir);
    if (link !== null) note(`\n  Open it    ${link}\n\nThe link works once.`);
    process.exit(EXIT.owned);
  }
  return new Promise(() => undefined);

  function announce(service: Service, isJson: boolean): void {
    if (isEnding) return;
    const { url: baseUrl, apiKey, dataDir: folder, portNote } = service;
    const pageUrl = service.createPageUrl();
    if (isJson) {
      // One line, even on a terminal.
      say(JSON.stringify({ baseUrl, apiKey, pageUrl, dataDir: folder, pid: process.pid }));
      return;
    }
    say(
      `Parley ${VERSION} is running at ${baseUrl}\n${portNote === null ? '' : `${portNote}\n`}\n` +
        `  Open it    ${pageUrl}\n` +
        `  Local key  ${apiKey}\n` +
        `  Data       ${folder}\n\n` +
        'The link works once. Ctrl+C stops Parley.',
    );
  }
}
