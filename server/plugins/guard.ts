/**
 * Authenticates requests before routing, parsing or anything else. It runs in front of Fastify rather than in a hook because Fastify
 * answers some requests (bad encodings, unknown methods) without running hooks; this way 401 really comes before any other answer.
 * Routes still ask for the caller, so that nothing is open by mistake.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { ERROR_SENTENCES } from '../../shared/errors.ts';
import type { Authenticator } from '../auth/authenticator.ts';
import { setCaller, setRequestId } from '../auth/caller.ts';
import { AppError } from '../errors.ts';
import { writeErrorAnswer } from './error-answer.ts';
import { areaOf, authorityOf } from './request-path.ts';

/** The way into the service. */
export type Guard = ReturnType<typeof createGuard>;

const PREFLIGHT_HEADERS = {
  'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
  'access-control-allow-headers':
    'Authorization, Content-Type, Idempotency-Key, If-None-Match, Last-Event-ID, X-Parley-Chat, X-Workspace-Id, Mcp-Session-Id, Mcp-Protocol-Version, Mcp-Method, Mcp-Name',
  'access-control-max-age': '600',
};
const EXPOSED_HEADERS =
  'ETag, Location, X-Message-Id, X-Request-Id, Retry-After, WWW-Authenticate, X-Parley-Chat, Mcp-Session-Id';

/** The scripts of the frame without an origin (routes/page.ts): public files without anybody's data. */
const SEALED_PATH = /^\/sealed\/[\w.-]+$/;

/** Makes the guard of one service. */
export function createGuard(deps: {
  authenticator: Authenticator;
  /** Origins whose pages may call the service, e.g. `https://example.com`. */
  allowedOrigins: () => readonly string[];
  newRequestId: () => string;
  /** Called with internal errors. */
  onError: (error: unknown, requestId: string) => void;
}) {
  const { authenticator, allowedOrigins, newRequestId, onError } = deps;
  let closing = false;

  const isOwnOrigin = (origin: string, port: number | undefined): boolean =>
    origin.startsWith('http://') && isOwnHost(origin.slice('http://'.length), port);

  const checkHost = (request: IncomingMessage, url: string): void => {
    const port = request.socket.localPort;
    // Node would use the first, and a proxy perhaps the other.
    if ((request.headersDistinct['host']?.length ?? 0) > 1)
      throw new AppError('invalid_request', 'The request has several Host headers; send one.');
    const authority = authorityOf(url);
    if (!isOwnHost(request.headers.host, port) || (authority !== null && !isOwnHost(authority, port))) {
      throw new AppError('wrong_host');
    }
  };

  /** Returns whether it has answered; throws an error to refuse the request. */
  const check = (request: IncomingMessage, response: ServerResponse, requestId: string): boolean => {
    const url = request.url ?? '';
    const { headers, method } = request;
    const { origin } = headers;
    const isSealed = origin === 'null' && method === 'GET' && SEALED_PATH.test(url);
    const isForeign = origin !== undefined && !isSealed && !isOwnOrigin(origin, request.socket.localPort);
    const isAllowed = isForeign && allowedOrigins().includes(origin);
    if (isAllowed) {
      response.setHeader('access-control-allow-origin', origin);
      response.setHeader('access-control-expose-headers', EXPOSED_HEADERS);
      response.setHeader('vary', 'Origin');
    }
    const isPreflight = method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
    if (isAllowed && isPreflight) {
      checkHost(request, url);
      // OpenAI's clients send extra headers that differ between versions.
      const wanted = areaOf(url) === 'openai' ? headers['access-control-request-headers'] : undefined;
      response.writeHead(204, {
        ...PREFLIGHT_HEADERS,
        ...(wanted !== undefined && { 'access-control-allow-headers': wanted }),
        'x-request-id': requestId,
      });
      response.end();
      return true;
    }
    const area = areaOf(url);
    if (area !== 'open') {
      // A browser sends no key with a preflight, so the error is about the origin.
      if (isForeign && isPreflight && headers.authorization === undefined)
        throw new AppError('unauthorized', ERROR_SENTENCES.origin_forbidden);
      const isExchange = area === 'session' && method === 'POST';
      const caller = authenticator.identify(headers.authorization, isExchange);
      setCaller(request, caller);
    }
    checkHost(request, url);
    if (isForeign && !isAllowed) throw new AppError('origin_forbidden');
    if (closing) throw new AppError('shutting_down');
    return false;
  };

  return {
    /** From now on, every request is answered with `shutting_down`. */
    close(): void {
      closing = true;
    },
    /** Whether the request may continue; if not, it has been answered. */
    admit(request: IncomingMessage, response: ServerResponse): boolean {
      const requestId = newRequestId();
      setRequestId(request, requestId);
      try {
        return !check(request, response, requestId);
      } catch (error) {
        if (closing) response.setHeader('connection', 'close');
        if (!(error instanceof AppError)) onError(error, requestId);
        writeErrorAnswer(
          response,
          error instanceof AppError ? error : new AppError('internal_error'),
          requestId,
          areaOf(request.url ?? ''),
        );
        return false;
      }
    },
  };
}

const LOOPBACK_HOSTS = ['127.0.0.1', 'localhost', '[::1]'];
const DEFAULT_HTTP_PORT = 80;

/**
 * Whether a `Host` header, or the authority of a URL, names a loopback address and this port: this stops DNS rebinding and
 * foreign web pages.
 */
function isOwnHost(host: string | undefined, port: number | undefined): boolean {
  if (host === undefined || port === undefined) return false;
  const own = host.toLowerCase();
  return LOOPBACK_HOSTS.some(
    (name) => own === `${name}:${port}` || (port === DEFAULT_HTTP_PORT && own === name),
  );
}
