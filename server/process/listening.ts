import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import type { App } from '../plugins/endpoints.ts';

const HOST = '127.0.0.1';
/** Browsers try it first for `localhost`: if another program had it, it would get what pages ask of Parley by that name. */
const HOST_V6 = '::1';
/** The ports to try if none is chosen, in this order; 0 is any. */
const DEFAULT_PORTS = [...Array.from({ length: 20 }, (_, index) => 4141 + index), 0];

/** The port can't be used. */
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
 * Listens on loopback and nowhere else, on the first of these ports that is free; 0 is any. Returns the port. Throws
 * {@link PortUnavailableError} about the first one if none is.
 */
export async function listenOnLoopback(app: App, ports: readonly number[]): Promise<number> {
  let refused: PortUnavailableError | null = null;
  for (const port of ports) {
    const code = await tryPort(app, port);
    const address = app.server.address();
    if (code !== null) refused ??= new PortUnavailableError(port, code);
    else if (address !== null && typeof address === 'object') return address.port;
  }
  throw refused ?? new Error('The server has no port.');
}

/**
 * Listens on the `wanted` port, or fails. Otherwise on the port from the settings, and if that is taken, in the default range, so
 * that it can't lock a person out of those settings; `note` then says so.
 */
export async function listenWhereSet(
  app: App,
  wanted: number | null,
  setPort: number | null,
): Promise<{ port: number; note: string | null }> {
  if (wanted !== null) return { port: await listenOnLoopback(app, [wanted]), note: null };
  const port = await listenOnLoopback(app, setPort === null ? DEFAULT_PORTS : [setPort, ...DEFAULT_PORTS]);
  const isElsewhere = setPort !== null && port !== setPort;
  return {
    port,
    note: isElsewhere
      ? `Port ${setPort} from the settings can't be used. Parley is on port ${port} instead.`
      : null,
  };
}

/** Null: it listens; otherwise why the port can't be used. A port is taken if another program has it on either address. */
async function tryPort(app: App, port: number): Promise<string | null> {
  const v6 = createServer({ allowHalfOpen: true, noDelay: true }, (socket) =>
    app.server.emit('connection', socket),
  );
  try {
    if (port !== 0) await listenOnV6(v6, port);
    await app.listen({ host: HOST, port });
  } catch (error) {
    v6.close();
    const { code } = error as NodeJS.ErrnoException;
    // EACCES: reserved for privileged programs, or by Windows for others.
    if (code === 'EADDRINUSE' || code === 'EACCES') return code;
    throw error;
  }
  app.server.once('close', () => v6.close());
  const address = app.server.address();
  if (port === 0 && typeof address === 'object' && address !== null) await listenOnV6(v6, address.port);
  return null;
}

/** Does nothing where there is no IPv6. */
async function listenOnV6(server: Server, port: number): Promise<void> {
  try {
    await once(server.listen({ host: HOST_V6, port, ipv6Only: true }), 'listening');
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (!['EADDRNOTAVAIL', 'EAFNOSUPPORT', 'EINVAL'].includes(code)) throw error;
  }
}

/** How long open requests may take to be answered when the service stops. */
const REQUEST_GRACE_MS = 1_000;
const IDLE_SWEEP_MS = 25;

/** Stops listening, answers open requests and ends all connections. Requests that take longer are cut off. */
export async function closeApp(app: App): Promise<void> {
  const { server } = app;
  // A connection that is busy now is only closed when it is found to be idle later.
  const sweep = setInterval(() => server.closeIdleConnections(), IDLE_SWEEP_MS);
  const cut = setTimeout(() => server.closeAllConnections(), REQUEST_GRACE_MS);
  try {
    await app.close();
  } finally {
    clearInterval(sweep);
    clearTimeout(cut);
  }
}
