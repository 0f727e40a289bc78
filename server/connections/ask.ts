/**
 * One request to a model server from the service's own thread, bounded in time and size. It tells what came of it instead
 * of throwing. A redirect is followed only within the same server: a key goes nowhere else.
 */
import type { IncomingMessage } from 'node:http';

/** How far a request may go. */
export interface AskLimits {
  /** Until there is a connection. */
  connectMs: number;
  /** Until the answer is there to its end. */
  wholeMs: number;
  maxBytes: number;
  /** Ends it at once, as if it took too long. */
  signal?: AbortSignal;
}

/** Limits of what a person waits for. */
export const ASK_LIMITS: AskLimits = { connectMs: 3_000, wholeMs: 10_000, maxBytes: 8 * 1024 * 1024 };

/** A request to a model server. */
export interface Ask {
  url: string;
  headers: Record<string, string>;
  /** Sent with POST; GET when absent. */
  json?: unknown;
  limits: AskLimits;
}

/** What came of a request. */
export type Answer =
  /** `json` undefined: it is none. */
  | { state: 'answered'; status: number; json: unknown; retryAfter: string | null }
  /** It points to another server, or in circles. */
  | { state: 'redirected'; to: string }
  /** `code`: as the system names the trouble. */
  | { state: 'unreachable'; code: string }
  /** Somebody answers who speaks another protocol. */
  | { state: 'not_http' }
  | { state: 'too_slow' }
  | { state: 'too_large' };

type Step = Answer | { state: 'moved'; url: string };

const MAX_REDIRECTS = 3;
const REDIRECTS = [301, 302, 303, 307, 308];
const KEEPS_METHOD = [307, 308];
const OTHER_PROTOCOL = /^HPE_|^EPROTO$|^ERR_SSL_(?:WRONG_VERSION|PACKET_LENGTH|HTTP_REQUEST)/;

/** Asks, and resolves with what came of it; never rejects. */
export async function ask(request: Ask): Promise<Answer> {
  const deadline = performance.now() + request.limits.wholeMs;
  let url = request.url;
  for (let count = 0; count <= MAX_REDIRECTS; count += 1) {
    const wholeMs = Math.max(1, deadline - performance.now());
    const step = await askOnce({ ...request, url, limits: { ...request.limits, wholeMs } });
    if (step.state !== 'moved') return step;
    if (new URL(step.url).origin !== new URL(url).origin) return { state: 'redirected', to: step.url };
    url = step.url;
  }
  return { state: 'redirected', to: url };
}

async function askOnce({ url, headers, json, limits }: Ask): Promise<Step> {
  const isSecure = url.startsWith('https:');
  // Loaded when first needed: most services never speak TLS.
  const { request } = isSecure ? await import('node:https') : await import('node:http');
  const body = json === undefined ? null : JSON.stringify(json);
  return new Promise((resolve) => {
    const outgoing = request(url, {
      method: body === null ? 'GET' : 'POST',
      agent: false,
      headers: {
        accept: 'application/json',
        'accept-encoding': 'identity',
        ...(body === null
          ? {}
          : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
        ...headers,
      },
    });
    const wholeTimer = setTimeout(() => end({ state: 'too_slow' }), limits.wholeMs);
    const connectTimer = setTimeout(() => end({ state: 'unreachable', code: 'ETIMEDOUT' }), limits.connectMs);

    const giveUp = (): void => end({ state: 'too_slow' });
    const { signal } = limits;
    signal?.addEventListener('abort', giveUp);

    function end(step: Step): void {
      signal?.removeEventListener('abort', giveUp);
      clearTimeout(wholeTimer);
      clearTimeout(connectTimer);
      outgoing.destroy();
      resolve(step);
    }

    outgoing.on('socket', (socket) => {
      socket.once(isSecure ? 'secureConnect' : 'connect', () => clearTimeout(connectTimer));
    });
    // It stays for what comes after the end, too.
    outgoing.on('error', (error: NodeJS.ErrnoException) => {
      const code = error.code ?? '';
      end(OTHER_PROTOCOL.test(code) ? { state: 'not_http' } : { state: 'unreachable', code });
    });
    outgoing.on('response', (response) => readResponse(response, { url, isGet: body === null, limits, end }));
    outgoing.end(body ?? undefined);
    if (signal?.aborted === true) giveUp();
  });
}

interface Reading {
  url: string;
  isGet: boolean;
  limits: AskLimits;
  end: (step: Step) => void;
}

function readResponse(response: IncomingMessage, { url, isGet, limits, end }: Reading): void {
  const status = response.statusCode ?? 0;
  const { location } = response.headers;
  if (location !== undefined && REDIRECTS.includes(status)) {
    const to = URL.parse(location, url);
    const canFollow = to !== null && (isGet || KEEPS_METHOD.includes(status));
    end(canFollow ? { state: 'moved', url: to.href } : { state: 'redirected', to: to?.href ?? location });
    return;
  }
  const pieces: Buffer[] = [];
  let size = 0;
  response.on('data', (piece: Buffer) => {
    size += piece.length;
    if (size > limits.maxBytes) end({ state: 'too_large' });
    else pieces.push(piece);
  });
  response.on('error', () => end({ state: 'unreachable', code: 'ECONNRESET' }));
  response.on('end', () => {
    const retryAfter = response.headers['retry-after'] ?? null;
    end({ state: 'answered', status, json: parse(Buffer.concat(pieces).toString('utf8')), retryAfter });
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
