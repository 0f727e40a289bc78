/**
 * One request over Node's own HTTP: the only way Parley sends requests to other servers.
 * There are no redirects; callers unpack a response (unpacked.ts), and limit its time and size.
 * Node's `fetch` parses responses with WebAssembly, which has crashed the whole process when several threads used it
 * while one of them ended.
 */
import type { ClientRequest, IncomingMessage } from 'node:http';
import type { RequestOptions } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { promisify } from 'node:util';
import { agentFor } from './agents.ts';
import { networkError } from './trouble.ts';
import { DIRECT, type Route } from './route.ts';

/** A request to be made. */
export interface Sending {
  method: string;
  headers: Record<string, string>;
  /** Null: none. */
  body: string | null;
  /** Until there is a connection, in milliseconds; absent: as long as the signal allows. */
  connectMs?: number;
  signal: AbortSignal | null;
  /** Reuses a connection that an earlier request left open, and leaves this one open too. */
  keepsConnection?: boolean;
  /** The way to the server; {@link DIRECT} unless given. */
  route?: Route;
  /**
   * Resolves the name to an address; the system's resolver by default. A proxy is then given that address, not the name, which
   * only works with https.
   */
  lookup?: LookupFunction;
}

const MAX_HEADER_BYTES = 32 * 1024;
const MAX_NOTICES = 20;

/**
 * Resolves with the response once it starts. Rejects with the network's error, which has a `code`, or with the signal's
 * reason; the signal also ends a response that has started.
 */
export async function send(url: URL, sending: Sending): Promise<IncomingMessage> {
  sending.signal?.throwIfAborted();
  const { keepsConnection = false } = sending;
  try {
    return await sendOnce(url, { ...sending, keepsConnection });
  } catch (error) {
    if (!(error instanceof StaleConnectionError)) throw error;
    // The server had closed the kept connection, and never saw the request.
    return await sendOnce(url, { ...sending, keepsConnection: false });
  }
}

async function sendOnce(
  url: URL,
  { method, headers, body, connectMs, signal, keepsConnection = false, lookup, route = DIRECT }: Sending,
): Promise<IncomingMessage> {
  const isProxied = route.proxy !== null;
  const agent = await agentFor(url, route, keepsConnection);
  const target = isProxied && lookup !== undefined ? await fixedTarget(url, lookup) : null;
  const { request } = url.protocol === 'https:' ? await import('node:https') : await import('node:http');
  signal?.throwIfAborted();
  const outgoing = request(url, {
    method,
    agent,
    maxHeaderSize: MAX_HEADER_BYTES,
    ...(lookup !== undefined && !isProxied && { lookup }),
    ...target,
    headers: { ...target?.headers, ...headers },
  });
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const abort = (): void => void outgoing.destroy(signal?.reason as Error);
  signal?.addEventListener('abort', abort, { once: true });
  outgoing.once('close', () => signal?.removeEventListener('abort', abort));
  if (connectMs !== undefined) limitConnecting(outgoing, connectMs, url.protocol === 'https:');
  // Stays for errors after the end too.
  outgoing.on('error', (error) => {
    const isStale = outgoing.reusedSocket && 'code' in error && error.code === 'ECONNRESET';
    if (isStale && signal?.aborted !== true) reject(new StaleConnectionError());
    else reject(isProxied && isOfProxy(error) ? networkError('ERR_PROXY', error.message) : error);
  });
  // Nobody asked for another protocol; the connection no longer belongs to the request then, and nothing else would
  // close it.
  outgoing.once('upgrade', (_answer, socket) => {
    socket.destroy();
    reject(networkError('EPROTO', 'The server switches to another protocol.'));
  });
  // Informational responses (100 to 199) may come first, and the library doesn't limit them.
  let notices = 0;
  outgoing.on('information', () => {
    notices += 1;
    if (notices > MAX_NOTICES) outgoing.destroy(networkError('EPROTO', 'The server never answered.'));
  });
  outgoing.once('response', resolve);
  if (signal?.aborted === true) abort();
  else outgoing.end(body ?? undefined);
  return promise;
}

/** Options of a request to an address that was resolved for its name. */
interface FixedTarget extends RequestOptions {
  headers?: Record<string, string>;
}

/** The request's target with its address resolved, so that a proxy can't be led anywhere else. */
async function fixedTarget(url: URL, lookup: LookupFunction): Promise<FixedTarget> {
  const { protocol, host, hostname } = url;
  if (protocol !== 'https:')
    throw networkError('ERR_PROXY_PLAIN', 'Only https can be proxied to an address.');
  const name = hostname.replace(/^\[(.*)\]$/, '$1');
  const found = await promisify(lookup)(name, {});
  const address = typeof found === 'string' ? found : found[0]?.address;
  return { hostname: address, headers: { host }, ...(isIP(name) === 0 && { servername: name }) };
}

/** With a proxy, the only thing that is connected to and resolved is the proxy. */
const isOfProxy = (error: NodeJS.ErrnoException): boolean =>
  error instanceof AggregateError ||
  /^ERR_PROXY/.test(error.code ?? '') ||
  ['connect', 'getaddrinfo'].includes(error.syscall ?? '');

function limitConnecting(outgoing: ClientRequest, connectMs: number, isSecure: boolean): void {
  const late = (): void =>
    void outgoing.destroy(networkError('ETIMEDOUT', 'The server could not be connected to in time.'));
  const timer = setTimeout(late, connectMs);
  const stop = (): void => clearTimeout(timer);
  outgoing.once('close', stop);
  outgoing.once('socket', (socket) => {
    if (!socket.connecting) stop();
    else socket.once(isSecure ? 'secureConnect' : 'connect', stop);
  });
}

/** A kept connection that turned out to be closed. */
class StaleConnectionError extends Error {
  override name = 'StaleConnectionError';
}
