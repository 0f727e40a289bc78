/** Starting the service in the main process: a failed start is reported with its reason, and can be tried again. */
import { EXIT } from '../server/cli/exit-codes.ts';
import { describeFault } from '../server/lib/fault-report.ts';
import type { Service } from '../server/service.ts';
import type { Dialogs } from './dialogs.ts';
import { messageOf } from '../server/lib/message-of.ts';

/** What starting it needs: the start itself, and ways to ask a person. */
export interface StartDeps {
  start: () => Promise<Service>;
  /** Resolves when dialogs can be shown. */
  ready: Promise<unknown>;
  dialogs: Pick<Dialogs, 'notStarted' | 'owned'>;
  /** A link that opens the owner's page signed in; null: it gave none, so the page asks for a key. */
  linkOfOwner: () => Promise<string | null>;
  openExternal: (url: string) => Promise<void>;
  /** Whether the app is quitting; then nothing is asked or started. */
  isQuitting: () => boolean;
  log: (line: string) => void;
}

/** Starts the service with `startService`, any number of times, and closes what the last of them started. */
export function createHost(startService: () => Promise<Service>) {
  let last: Promise<Service> | null = null;
  return {
    /** Call it before Electron is ready, since both take time. */
    start: (): Promise<Service> => (last = startService()),
    /** Waits for a start that is still under way. Never rejects. */
    close: async (): Promise<void> => {
      await last?.then((service) => service.close()).catch(() => undefined);
    },
  };
}

/** Without a service there is an exit code. */
type NoService = { exitCode: number };

/** Starts the service; when that fails, asks what to do, until it runs or the person gives up. */
export async function startWithHelp(deps: StartDeps): Promise<Service | NoService> {
  for (;;) {
    try {
      return await deps.start();
    } catch (error) {
      if (!deps.isQuitting()) await deps.ready;
      if (deps.isQuitting()) return { exitCode: EXIT.done };
      const outcome = await reportFailure(error, deps);
      if (outcome !== 'again') return outcome;
      if (deps.isQuitting()) return { exitCode: EXIT.done };
    }
  }
}

async function reportFailure(error: unknown, deps: StartDeps): Promise<'again' | NoService> {
  const { OwnedError } = await import('../server/process/owner/owner.ts');
  if (error instanceof OwnedError) return reportOwner(error.owner, deps);
  deps.log(`Parley could not start: ${describeFault(error)}`);
  const answer = await deps.dialogs.notStarted(messageOf(error));
  return answer === 'again' ? answer : { exitCode: EXIT.failed };
}

async function reportOwner(
  owner: { pid: number | null; baseUrl: string | null },
  { dialogs, linkOfOwner, openExternal, log }: StartDeps,
): Promise<'again' | NoService> {
  log(
    `Another process is using the data folder: ${owner.pid ?? 'unknown'}, ${owner.baseUrl ?? 'no address'}.`,
  );
  const answer = await dialogs.owned(owner);
  if (answer === 'again') return answer;
  if (answer === 'quit' || owner.baseUrl === null) return { exitCode: EXIT.owned };
  try {
    await openExternal((await linkOfOwner()) ?? owner.baseUrl);
  } catch {
    // The reason may contain the link, which signs in.
    log('The browser could not be opened.');
    return 'again';
  }
  return { exitCode: EXIT.done };
}
