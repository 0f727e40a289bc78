/**
 * Finding the running service of a data folder. A kill leaves connection.json behind, and another program may have the port
 * since, so the service proves itself before anybody gets the key: whatever uses the key goes through here.
 */
import { isSameService } from '../auth/identity.ts';
import { readConnection, type ConnectionInfo } from '../process/owner/connection-file.ts';
import { CommandError, EXIT } from './exit-codes.ts';

/** How long a service may take to prove itself. */
const PROOF_MS = 5_000;

/** The service can't be reached; the message says why, and what to do. */
export class NoServiceError extends CommandError {
  override name = 'NoServiceError';

  constructor(message: string, options?: ErrorOptions) {
    super(message, EXIT.noService, options);
  }
}

/**
 * The address and the local key of the service that has this data folder, once it has proved to be that one. Throws
 * {@link NoServiceError} when there is none, it doesn't answer in 5 s, or the port belongs to another program, and the
 * signal's reason when that aborts.
 */
export async function findService(
  dataDir: string,
  signal?: AbortSignal,
): Promise<Pick<ConnectionInfo, 'baseUrl' | 'apiKey'>> {
  let connection: Awaited<ReturnType<typeof readConnection>>;
  try {
    connection = await readConnection(dataDir);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') throw notRunning(dataDir);
    const why = code === 'EISDIR' ? 'Something else has that name' : 'Only the person who runs Parley may';
    throw new NoServiceError(
      `connection.json in ${dataDir} can't be read (${code ?? String(error)}). ${why}.`,
      { cause: error },
    );
  }
  if (connection === null) {
    throw new NoServiceError(`connection.json in ${dataDir} is invalid. Start Parley again to rewrite it.`);
  }
  const { baseUrl, apiKey, publicKey } = connection;
  if (!(await hasProved(baseUrl, publicKey, dataDir, signal))) {
    throw new NoServiceError(
      `What answers at ${baseUrl} is not the Parley of ${dataDir}, so it was not sent the key. Start Parley; it finds a free port.`,
    );
  }
  return { baseUrl, apiKey };
}

async function hasProved(
  baseUrl: string,
  publicKey: string,
  dataDir: string,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const timeout = AbortSignal.timeout(PROOF_MS);
  try {
    return await isSameService(baseUrl, publicKey, AbortSignal.any([timeout, ...(signal ? [signal] : [])]));
  } catch (error) {
    signal?.throwIfAborted();
    if (timeout.aborted) {
      throw new NoServiceError(silentAt(baseUrl), { cause: error });
    }
    const { code } = ((error as Error).cause ?? {}) as NodeJS.ErrnoException;
    if (code === 'ECONNREFUSED' || code === 'ECONNRESET') throw notRunning(dataDir);
    // It answers, but not as Parley does.
    return false;
  }
}

/** The message for a service that accepts a request but doesn't answer. */
export const silentAt = (baseUrl: string): string =>
  `Parley doesn't answer at ${baseUrl}. If it is not just very busy, stop it and start it again.`;

const notRunning = (dataDir: string): NoServiceError =>
  new NoServiceError(
    `Parley isn't running with the data folder ${dataDir}. Open the app or start the service (parley serve), and try again.`,
  );
