/**
 * One request over Node's own HTTP: the only way in which Parley asks another server, but for tool servers, whose library brings
 * its own. No proxy is asked, nothing is followed, and nothing is unpacked; how long and how large an answer may be is for
 * those to say who read it. Node's `fetch` reads answers with WebAssembly, and that has brought the whole process down when
 * several threads used it while one of them ended.
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
  /** A connection that an earlier request left open is used, and this one is left open, too. */
  keepsConnection?: boolean;
  /** Says which address a name has; the system does unless given. */
  lookup?: LookupFunction;
}

const MAX_HEADER_BYTES = 32 * 1024;
const MAX_NOTICES = 20;

/**
 * Resolves with the answer once it begins. Rejects with the network's error, which has a `code`, or with the signal's reason;
 * the signal also ends an answer that has begun.
 */
export async function send(url: URL, sending: Sending): Promise<IncomingMessage> {
  sending.signal?.throwIfAborted();
  const { keepsConnection = false } = sending;
  try {
    return await sendOnce(url, { ...sending, keepsConnection });
  } catch (error) {
    if (!(error instanceof StaleConnectionError)) throw error;
    // The server had closed a connection that was kept, and never saw the request.
    return await sendOnce(url, { ...sending, keepsConnection: false });
  }
}

async function sendOnce(
  url: URL,
  { method, headers, body, connectMs, signal, keepsConnection, lookup }: Sending,
): Promise<IncomingMessage> {
  // Loaded when first needed: most services never speak TLS.
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
  // It stays for what comes after the end, too.
  outgoing.on('error', (error) => {
    const isStale = outgoing.reusedSocket && 'code' in error && error.code === 'ECONNRESET';
    reject(isStale && signal?.aborted !== true ? new StaleConnectionError() : error);
  });
  // Nobody asked for another protocol; the connection isn't the request's any more then, and nothing else would end it.
  outgoing.once('upgrade', (_answer, socket) => {
    socket.destroy();
    reject(networkError('EPROTO', 'The server switches to another protocol.'));
  });
  // Before the answer there may be notices (100 to 199), of which the library counts none.
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

/** An error as the network's own are. */
export const networkError = (code: string, message: string): Error =>
  Object.assign(new Error(message), { code });

/** A kept connection that turned out to be closed. */
class StaleConnectionError extends Error {
  override name = 'StaleConnectionError';
}
