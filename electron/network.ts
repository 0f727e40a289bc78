/**
 * Parley's windows connect only to the service in this process. They don't use the system's proxy:
 * automatic proxy detection, the default on Windows, asks the network at the first request, and the window would wait for the answer.
 */
import type { Session } from 'electron';

/** Lets the session use the system's proxy if it has something to download; else it uses none. Never rejects. */
export const setupNetwork = (
  session: Pick<Session, 'setProxy'>,
  { loadsFromElsewhere, log }: { loadsFromElsewhere: boolean; log: (line: string) => void },
): Promise<void> =>
  session
    .setProxy({ mode: loadsFromElsewhere ? 'system' : 'direct' })
    .catch((error: unknown) => log(`The proxy could not be set: ${String(error)}`));
