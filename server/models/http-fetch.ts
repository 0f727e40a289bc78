/**
 * `fetch` over Node's own HTTP, as far as model requests need it. Node's `fetch` reads answers with WebAssembly, and that has
 * brought the whole process down when several threads used it while one of them ended: agents' threads must not need it.
 */
import type { ClientRequest, IncomingMessage, RequestOptions } from 'node:http';
import { Readable } from 'node:stream';

/** As long as this a connection may take to come about; how long an answer may take is for others to say. */
const CONNECT_MS = 10_000;
/** Answers with these have no body, also where one is announced. */
const BODILESS = [204, 205, 304];

/** A request as {@link httpFetch} makes it. */
export interface HttpRequest {
  method: string;
  headers: Headers;
  body: string | null;
  signal: AbortSignal | null;
}

/**
 * Makes a request, and resolves with its answer once that begins. Redirections are not followed, and nothing is unpacked.
 * Rejects with the network's error, which has its `code`, or with the signal's reason; so does the body that is read.
 */
export async function httpFetch(url: URL, request: HttpRequest): Promise<Response> {
  request.signal?.throwIfAborted();
  try {
    return await send(url, request, {});
  } catch (error) {
    if (!(error instanceof StaleConnectionError)) throw error;
    // The server had closed a connection that was kept, and never saw the request.
    return await send(url, request, { agent: false });
  }
}

async function send(url: URL, given: HttpRequest, options: RequestOptions): Promise<Response> {
  const { method, headers, body, signal } = given;
  // Loaded when first needed: most services never speak TLS.
  const { request } = url.protocol === 'https:' ? await import('node:https') : await import('node:http');
  const outgoing = request(url, {
    ...options,
    method,
    headers: { accept: '*/*', 'accept-encoding': 'identity', ...Object.fromEntries(headers) },
  });
  const { promise, resolve, reject } = Promise.withResolvers<Response>();
  const abort = (): void => void outgoing.destroy(signal?.reason as Error);
  signal?.addEventListener('abort', abort, { once: true });
  outgoing.once('close', () => signal?.removeEventListener('abort', abort));
  limitConnecting(outgoing);
  outgoing.on('error', (error) => {
    const isStale = outgoing.reusedSocket && 'code' in error && error.code === 'ECONNRESET';
    reject(isStale && signal?.aborted !== true ? new StaleConnectionError() : error);
  });
  outgoing.once('upgrade', (_answer, socket) => {
    socket.destroy();
    reject(networkError('EPROTO', 'The server switches to another protocol.'));
  });
  outgoing.once('response', (answer) => {
    try {
      resolve(toResponse(answer));
    } catch (error) {
      outgoing.destroy();
      reject(error);
    }
  });
  if (signal?.aborted === true) abort();
  else outgoing.end(body ?? undefined);
  return promise;
}

function limitConnecting(outgoing: ClientRequest): void {
  outgoing.once('socket', (socket) => {
    if (!socket.connecting) return;
    const late = (): void =>
      void outgoing.destroy(networkError('ETIMEDOUT', 'The server could not be connected to in time.'));
    const timer = setTimeout(late, CONNECT_MS);
    socket.once('connect', () => clearTimeout(timer));
    socket.once('close', () => clearTimeout(timer));
  });
}

function toResponse(answer: IncomingMessage): Response {
  const { statusCode = 0, statusMessage = '', rawHeaders } = answer;
  if (statusCode < 200 || statusCode > 599) {
    throw networkError('EPROTO', `The server answers with the status ${statusCode}.`);
  }
  const headers = new Headers();
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    headers.append(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '');
  }
  const hasBody = !BODILESS.includes(statusCode);
  if (!hasBody) answer.resume();
  const body = hasBody ? (Readable.toWeb(answer) as ReadableStream<Uint8Array>) : null;
  return new Response(body, { status: statusCode, statusText: statusMessage, headers });
}

const networkError = (code: string, message: string): Error => Object.assign(new Error(message), { code });

/** A kept connection that turned out to be closed. */
class StaleConnectionError extends Error {
  override name = 'StaleConnectionError';
}
