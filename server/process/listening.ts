import type { App } from '../plugins/route.ts';

const HOST = '127.0.0.1';
/** The ports that are tried when none was asked for, in order. */
const DEFAULT_PORTS = { first: 4141, last: 4160 };
const ANY_PORT = 0;

/** The port that was asked for can't be had. */
export class PortUnavailableError extends Error {
  override name = 'PortUnavailableError';
  readonly port: number;

  constructor(port: number, code: string) {
    super(
      code === 'EADDRINUSE'
        ? `Port ${port} is in use by another program. Choose another, or leave it out and Parley finds a free one.`
        : `Port ${port} can't be used (${code}); choose another, or leave it out and Parley finds a free one.`,
    );
    this.port = port;
  }
}

/**
 * Listens on loopback and nowhere else; returns the port. `port` null: 4141, else the next free up to 4160, else any.
 * A port that was asked for is that port or {@link PortUnavailableError}; 0 asks for any.
 */
export async function listenOnLoopback(
  app: App,
  port: number | null,
  defaults = DEFAULT_PORTS,
): Promise<number> {
  if (port !== null) {
    const code = await tryPort(app, port);
    if (code !== null) throw new PortUnavailableError(port, code);
  } else {
    let candidate = defaults.first;
    while ((await tryPort(app, candidate)) !== null) {
      if (candidate === ANY_PORT) throw new PortUnavailableError(ANY_PORT, 'no port is free');
      candidate = candidate < defaults.last ? candidate + 1 : ANY_PORT;
    }
  }
  const address = app.server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  return address.port;
}

/**
 * Listens on the port that is `wanted`; else on the one that the settings name, or in the default range when they name none. A
 * port that is taken must not lock a person out of the very settings it stands in, so the default range takes its place, and
 * `note` says so. Throws {@link PortUnavailableError} for a wanted one.
 */
export async function listenWhereSet(
  app: App,
  wanted: number | null,
  setPort: number | null,
): Promise<{ port: number; note: string | null }> {
  if (wanted !== null || setPort === null) return { port: await listenOnLoopback(app, wanted), note: null };
  try {
    return { port: await listenOnLoopback(app, setPort), note: null };
  } catch (error) {
    if (!(error instanceof PortUnavailableError)) throw error;
    const port = await listenOnLoopback(app, null);
    return {
      port,
      note: `Port ${setPort} from the settings can't be used. Parley is on port ${port} instead.`,
    };
  }
}

/** Null when it listens, else why the port can't be had. */
async function tryPort(app: App, port: number): Promise<string | null> {
  try {
    await app.listen({ host: HOST, port });
    return null;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // EACCES: reserved for privileged programs, or by Windows for others.
    if (code === 'EADDRINUSE' || code === 'EACCES') return code;
    throw error;
  }
}

/** How long requests under way may take to be answered once the service stops. */
const REQUEST_GRACE_MS = 1_000;
const IDLE_SWEEP_MS = 25;

/** Stops listening, answers what is under way and ends all connections; requests that take longer are cut off. */
export async function closeApp(app: App): Promise<void> {
  const { server } = app;
  // A connection that was busy when closing began is only closed when it is found idle later.
  const sweep = setInterval(() => server.closeIdleConnections(), IDLE_SWEEP_MS);
  const cut = setTimeout(() => server.closeAllConnections(), REQUEST_GRACE_MS);
  try {
    await app.close();
  } finally {
    clearInterval(sweep);
    clearTimeout(cut);
  }
}
