/**
 * A request to a server for JSON, limited in time and size. It returns the outcome instead of throwing. Redirects are
 * followed only within the same server, so that a key goes nowhere else.
 */
import type { IncomingMessage } from 'node:http';
import { parseJson } from '../lib/parse-json.ts';
import type { FindRoute } from './route.ts';
import { send } from './send.ts';
import { codeIn } from './trouble.ts';
import { readBody } from './unpacked.ts';

/** How a request goes, and how far. */
export interface RequestLimits {
  /** Until there is a connection, in milliseconds. */
  connectMs: number;
  /** Until the answer is complete, in milliseconds. */
  wholeMs: number;
  maxBytes: number;
  /** Ends it at once, as if it took too long. */
  signal?: AbortSignal;
  /** Finds the way; direct unless given. */
  findRoute?: FindRoute;
}

/** Limits for requests that a person waits for. */
export const REQUEST_LIMITS: RequestLimits = { connectMs: 3_000, wholeMs: 10_000, maxBytes: 8 * 1024 * 1024 };

/** A request to a server. */
export interface JsonRequest {
  url: string;
  headers: Record<string, string>;
  /** Sent with POST; GET when absent. */
  json?: unknown;
  limits: RequestLimits;
}

/** The outcome of a request. */
export type JsonAnswer =
  /** `json` undefined: it isn't JSON. */
  | { state: 'answered'; status: number; json: unknown }
  /** It points to another server, or in a circle. */
  | { state: 'redirected'; to: string }
  /** `code`: the system's error code. */
  | { state: 'unreachable'; code: string }
  | { state: 'too_slow' }
  | { state: 'too_large' };

type Step = JsonAnswer | { state: 'moved'; url: string };

/** How many redirects of a request are followed. */
export const MAX_REDIRECTS = 3;
const REDIRECTS = [301, 302, 303, 307, 308];
/** Redirects after which a request with a body is made again. */
export const KEEPS_METHOD: readonly number[] = [307, 308];

/** Sends it, and resolves with the outcome; never rejects. */
export async function requestJson(request: JsonRequest): Promise<JsonAnswer> {
  const { wholeMs, signal } = request.limits;
  const late = AbortSignal.timeout(Math.ceil(wholeMs));
  const giveUp = signal === undefined ? late : AbortSignal.any([late, signal]);
  try {
    let url = request.url;
    for (let count = 0; count <= MAX_REDIRECTS; count += 1) {
      const step = await requestOnce({ ...request, url }, giveUp);
      if (step.state !== 'moved') return step;
      if (new URL(step.url).origin !== new URL(url).origin) return { state: 'redirected', to: step.url };
      url = step.url;
    }
    return { state: 'redirected', to: url };
  } catch (error) {
    return giveUp.aborted ? { state: 'too_slow' } : { state: 'unreachable', code: codeIn(error) ?? '' };
  }
}

async function requestOnce({ url, headers, json, limits }: JsonRequest, signal: AbortSignal): Promise<Step> {
  const body = json === undefined ? null : JSON.stringify(json);
  const answer = await send(new URL(url), {
    method: body === null ? 'GET' : 'POST',
    headers: {
      accept: 'application/json',
      'accept-encoding': 'identity',
      ...(body !== null && { 'content-type': 'application/json' }),
      ...headers,
    },
    body,
    connectMs: limits.connectMs,
    signal,
    ...(limits.findRoute !== undefined && { route: await limits.findRoute(url) }),
  });
  try {
    return redirectIn(answer, url, body === null) ?? (await readAnswer(answer, limits.maxBytes));
  } finally {
    answer.destroy();
  }
}

function redirectIn({ statusCode, headers }: IncomingMessage, url: string, isGet: boolean): Step | null {
  const { location } = headers;
  const status = statusCode ?? 0;
  if (location === undefined || !REDIRECTS.includes(status)) return null;
  const to = URL.parse(location, url);
  const canFollow = to !== null && (isGet || KEEPS_METHOD.includes(status));
  return canFollow ? { state: 'moved', url: to.href } : { state: 'redirected', to: to?.href ?? location };
}

async function readAnswer(answer: IncomingMessage, maxBytes: number): Promise<JsonAnswer> {
  const { body, isCut } = await readBody(answer, maxBytes);
  if (isCut) return { state: 'too_large' };
  const json = parse(new TextDecoder().decode(body));
  return { state: 'answered', status: answer.statusCode ?? 0, json };
}

/** A server that streams whatever it is asked says enough with its first event. */
function parse(text: string): unknown {
  const [, event] = /^(?:(?::|event:|id:|retry:).*\n|\r?\n)*data: ?(\{.*\})/.exec(text) ?? [];
  return parseJson(event ?? text);
}
