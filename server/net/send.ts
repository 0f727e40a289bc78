/**
 * One request over Node's own HTTP: the only way Parley sends requests to other servers, except tool servers, whose
 * library has its own. There are no proxies, redirects or decompression; callers limit the time and size of a response.
 * Node's `fetch` parses responses with WebAssembly, which has crashed the whole process when several threads used it
 * while one of them ended.
 */
import type { ClientRequest, IncomingMessage } from 'node:http';
import type { LookupFunction } from 'node:net';

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
  /** Resolves a name to an address; the system's resolver by default. */
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
  { method, headers, body, connectMs, signal, keepsConnection, lookup }: Sending,
): Promise<IncomingMessage> {
  // Loaded when first needed: most services never use TLS.
  const { request } = url.protocol === 'https:' ? await import('node:https') : await import('node:http');
  const outgoing = request(url, {
    method,
    headers,
    maxHeaderSize: MAX_HEADER_BYTES,
    ...(keepsConnection !== true && { agent: false }),
    ...(lookup !== undefined && { lookup }),
  });
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const abort = (): void => void outgoing.destroy(signal?.reason as Error);
  signal?.addEventListener('abort', abort, { once: true });
  outgoing.once('close', () => signal?.removeEventListener('abort', abort));
  if (connectMs !== undefined) limitConnecting(outgoing, connectMs, url.protocol === 'https:');
  // Stays for errors after the end too.
  outgoing.on('error', (error) => {
    const isStale = outgoing.reusedSocket && 'code' in error && error.code === 'ECONNRESET';
    reject(isStale && signal?.aborted !== true ? new StaleConnectionError() : error);
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

/** An error like the network's own. */
export const networkError = (code: string, message: string): Error =>
  Object.assign(new Error(message), { code });

/** A kept connection that turned out to be closed. */
class StaleConnectionError extends Error {
  override name = 'StaleConnectionError';
}
