/** One request at a time, as JSON: what every part of the client is made of. */
import type { ErrorBody } from '../../shared/api/common.ts';
import { ApiProblem, ConnectionProblem } from './problem.ts';

/** Longest wait for an answer, in milliseconds. Nothing the page asks for takes the service this long. */
const REQUEST_TIMEOUT_MS = 20_000;

/** What a request sends besides the key. */
export interface RequestParts {
  body?: unknown;
  headers?: Record<string, string>;
  /** Longest wait for the answer, in milliseconds; 20 seconds unless given. */
  timeoutMs?: number;
}

/** A request's method. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** A client's way to send one request; `path` begins with `/api/v1/`. */
export type Request = <T>(method: Method, path: string, parts?: RequestParts) => Promise<T>;

/** One request with a key. Rejects with {@link ApiProblem} or {@link ConnectionProblem}. */
export async function requestJson<T>(
  method: Method,
  path: string,
  apiKey: string,
  parts: RequestParts = {},
  fetchFrom: typeof fetch = fetch,
): Promise<T> {
  const headers: Record<string, string> = { Authorization: `Bearer ${apiKey}`, ...parts.headers };
  if (parts.body !== undefined) headers['Content-Type'] = 'application/json';
  const init: RequestInit = {
    method,
    headers,
    cache: 'no-store',
    signal: AbortSignal.timeout(parts.timeoutMs ?? REQUEST_TIMEOUT_MS),
    ...(parts.body !== undefined && { body: JSON.stringify(parts.body) }),
  };
  const response = await send(path, init, fetchFrom);
  let body: unknown;
  try {
    // A body that breaks off is as good as no answer; one that isn't JSON is an answer of somebody else's.
    body = parseJson(await response.text());
  } catch (error) {
    throw new ConnectionProblem('The answer broke off.', { cause: error });
  }
  if (response.ok) return body as T;
  throw problemOf(response.status, body);
}

/** Fetches; rejects with {@link ConnectionProblem} where there is no answer. */
export async function send(
  path: string,
  init: RequestInit,
  fetchFrom: typeof fetch = fetch,
): Promise<Response> {
  try {
    return await fetchFrom(path, init);
  } catch (error) {
    throw new ConnectionProblem('The service did not answer.', { cause: error });
  }
}

/** What an answer that is not of the 200s comes to. */
export function problemOf(status: number, body: unknown): ApiProblem | ConnectionProblem {
  const problem = (body as Partial<ErrorBody> | null)?.error;
  if (status === 503 || problem?.code === 'shutting_down') {
    return new ConnectionProblem('The service is going away.');
  }
  return new ApiProblem(
    status,
    problem?.code ?? null,
    problem?.message ?? `HTTP ${status}`,
    problem?.details ?? [],
  );
}

/** What a body holds; `null` when it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
