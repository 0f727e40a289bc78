import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { networkError } from './trouble.ts';
import type { Route } from './route.ts';
import { send, type Sending } from './send.ts';
import { unpacked } from './unpacked.ts';

/** How long connecting may take; the caller limits the answer. */
const CONNECT_MS = 10_000;
/** Responses with these statuses have no body, even if one is announced. */
const BODILESS = [204, 205, 304];

/** A request as {@link httpFetch} makes it. */
export interface HttpRequest {
  method: string;
  headers: Headers;
  body: string | null;
  signal: AbortSignal | null;
  /** Direct unless given. */
  route?: Route;
  /** As in {@link Sending}; each request then has a connection of its own. */
  lookup?: NonNullable<Sending['lookup']>;
}

/** `fetch` as far as requests to model servers and tool servers need it. It and reading the body reject as {@link send} does. */
export async function httpFetch(url: URL, { headers, ...request }: HttpRequest): Promise<Response> {
  const answer = await send(url, {
    ...request,
    headers: { accept: '*/*', 'accept-encoding': 'identity', ...Object.fromEntries(headers) },
    connectMs: CONNECT_MS,
    keepsConnection: request.lookup === undefined,
  });
  try {
    return toResponse(answer);
  } catch (error) {
    answer.destroy();
    throw error;
  }
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
  const body = hasBody ? (Readable.toWeb(unpacked(answer)) as ReadableStream<Uint8Array>) : null;
  return new Response(body, { status: statusCode, statusText: statusMessage, headers });
}
