import type { IncomingMessage, RequestListener, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { knownCallerOf } from '../auth/caller.ts';
import { AppError } from '../errors.ts';
import type { RequestLog } from './request-log.ts';
import { part, watchConnections } from './connections.ts';
import { rawErrorAnswer } from './error-answer.ts';
import type { Guard } from './guard.ts';

// An `import` of this module loads all its exports, including WebSocket and with it all of fetch: 10 ms at every start.
const http = process.getBuiltinModule('node:http');

const KEEP_ALIVE_MS = 72_000;
/** How long a request may take to arrive. */
const REQUEST_TIMEOUT_MS = 120_000;
/** How long a request's head may take, for the first one from the start of the connection; checked every few seconds. */
const HEAD_TIMEOUT_MS = 20_000;
const TIMEOUT_CHECK_MS = 5_000;

/** Connections with a request that will be logged when it ends. */
const underWay = new WeakSet<Duplex>();

/** Node's HTTP server with the guard in front of `handler`. Anything that arrives on a socket gets an answer in JSON. */
export function createGuardedServer(
  guard: Guard,
  handler: RequestListener,
  newRequestId: () => string,
  requests: RequestLog,
): Server {
  const listener: RequestListener = (request, response) => {
    requests.watch(request, response);
    const { socket } = request;
    underWay.add(socket);
    response.on('close', () => {
      underWay.delete(socket);
      connections.end(socket);
    });
    const isAdmitted = guard.admit(request, response);
    // Anybody can send requests without a key, and never end them.
    if (knownCallerOf(request) !== null) connections.begin(socket);
    if (isAdmitted) handler(request, response);
  };
  // The guard refuses a missing Host: it has a message for it, and a 401 may come first.
  const server = http.createServer(
    {
      requireHostHeader: false,
      requestTimeout: REQUEST_TIMEOUT_MS,
      headersTimeout: HEAD_TIMEOUT_MS,
      connectionsCheckingInterval: TIMEOUT_CHECK_MS,
    },
    listener,
  );
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  const answerRaw = createRawAnswers(newRequestId, requests);
  const connections = watchConnections(server, (socket, error) =>
    answerRaw(socket, error, { method: '', target: '' }),
  );
  // What a client expects beyond "100-continue" may be ignored; Node would answer 417 without a body.
  server.on('checkExpectation', listener);
  // There is nothing to tunnel to; by default Node would just hang up.
  server.on('connect', (request: IncomingMessage, socket: Duplex) => {
    socket.on('error', () => socket.destroy());
    answerRaw(socket, new AppError('not_found'), { method: 'CONNECT', target: request.url ?? '' });
  });
  return server;
}

const MALFORMED: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: 'The request line and headers are over 16 KiB; send less there.',
  ERR_HTTP_REQUEST_TIMEOUT: 'The request did not arrive whole in time; send it again.',
};

/** Answers on a socket without a valid request, closes the connection and logs it. */
type RawAnswers = (socket: Duplex, error: AppError, what: { method: string; target: string }) => void;

const createRawAnswers =
  (newRequestId: () => string, requests: RequestLog): RawAnswers =>
  (socket, error, what) => {
    const requestId = newRequestId();
    requests.note({ ...what, status: error.status, requestId });
    socket.end(rawErrorAnswer(error, requestId));
    part(socket);
  };

/** Answers a request that isn't HTTP or is incomplete, and closes the connection. */
export function answerMalformed(
  error: NodeJS.ErrnoException,
  socket: Duplex,
  newRequestId: () => string,
  requests: RequestLog,
): void {
  // A client that sent nothing gets no answer: browsers open spare connections.
  const isSilent =
    error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && 'bytesRead' in socket && socket.bytesRead === 0;
  if (error.code === 'ECONNRESET' || !socket.writable || isSilent) {
    socket.destroy();
    return;
  }
  const message =
    MALFORMED[error.code ?? ''] ?? 'This is not a valid HTTP/1.1 request; check how it is put together.';
  socket.on('error', () => socket.destroy());
  const refusal = new AppError('invalid_request', message);
  // A request that broke off within its body is already being logged.
  if (error.code === 'HPE_INVALID_EOF_STATE' && underWay.has(socket)) {
    socket.end(rawErrorAnswer(refusal, newRequestId()));
    part(socket);
    return;
  }
  createRawAnswers(newRequestId, requests)(socket, refusal, { method: '', target: '' });
}
