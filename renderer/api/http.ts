/** Requests to the service: the basis of the client. */
import createOpenApiClient, { type Client } from 'openapi-fetch';
import type { paths } from '../../out/api.d.ts';
import type { ErrorBody } from '../../shared/api/common.ts';
import { ApiProblem, ConnectionProblem } from './problem.ts';

/** Longest wait for an answer, in milliseconds. No request of the page takes the service this long. */
const REQUEST_TIMEOUT_MS = 20_000;

/** The operations of the API, typed by its own document (`/openapi.json`). */
export type Api = Client<paths>;

/** A call of an operation. */
type Call<T> = (api: Api) => Promise<{ data?: T }>;

/** Calls an operation, waiting at most `timeoutMs` for the answer, 20 seconds unless given. */
export type Ask = <T>(call: Call<T>, timeoutMs?: number) => Promise<T>;

/** What a request carries besides its own parts. */
export interface AskOptions {
  apiKey: string;
  headers?: Record<string, string>;
  /** Longest wait for the answer, in milliseconds; 20 seconds unless given. */
  timeoutMs?: number | undefined;
}

/** Calls an operation; resolves with its answer. Rejects with {@link ApiProblem} or {@link ConnectionProblem}. */
export async function ask<T>(call: Call<T>, options: AskOptions): Promise<T> {
  const { apiKey, headers = {}, timeoutMs = REQUEST_TIMEOUT_MS } = options;
  const api = createOpenApiClient<paths>({
    baseUrl: location.origin,
    headers: { Authorization: `Bearer ${apiKey}`, ...headers },
    cache: 'no-store',
    signal: AbortSignal.timeout(timeoutMs),
    fetch: send,
  });
  const { data } = await whole(call(api));
  return data as T;
}

/** An answer's body. If it breaks off, or isn't the service's, that counts as no answer. */
export async function whole<T>(reading: Promise<T>): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof ApiProblem || error instanceof ConnectionProblem) throw error;
    throw new ConnectionProblem('The answer broke off.', { cause: error });
  }
}

/** Fetches; rejects with {@link ConnectionProblem} if there is no answer, and with an {@link ApiProblem} if its status isn't 2xx. */
export async function send(request: Request | string, init?: RequestInit): Promise<Response> {
  const response = await reach(request, init);
  if (!response.ok) throw problemOf(response.status, parseJson(await whole(response.text())));
  return response;
}

/** Fetches, with any status; rejects with {@link ConnectionProblem} if there is no answer. */
export async function reach(request: Request | string, init?: RequestInit): Promise<Response> {
  try {
    return await fetch(request, init);
  } catch (error) {
    throw new ConnectionProblem('The service did not answer.', { cause: error });
  }
}

/** The problem for an answer whose status isn't 2xx. */
function problemOf(status: number, body: unknown): ApiProblem | ConnectionProblem {
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

/** A parsed body; `null` when it isn't JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
