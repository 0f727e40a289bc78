/** Requests to the service: what every part of the client is made of. */
import createOpenApiClient, { type Client } from 'openapi-fetch';
import type { paths } from '../../out/api.d.ts';
import type { ErrorBody } from '../../shared/api/common.ts';
import { ApiProblem, ConnectionProblem } from './problem.ts';

/** Longest wait for an answer, in milliseconds. Nothing the page asks for takes the service this long. */
const REQUEST_TIMEOUT_MS = 20_000;

/** The operations of the API, as its own document (`/openapi.json`) types them. */
export type Api = Client<paths>;

/** A call of an operation. */
type Call<T> = (api: Api) => Promise<{ data?: T }>;

/** A client's way to call operations; the answer is waited for `timeoutMs` at most, 20 seconds unless given. */
export type Ask = <T>(call: Call<T>, timeoutMs?: number) => Promise<T>;

/** What a request carries besides its own parts. */
export interface AskOptions {
  apiKey: string;
  headers?: Record<string, string>;
  /** Longest wait for the answer, in milliseconds; 20 seconds unless given. */
  timeoutMs?: number | undefined;
}

/** Calls an operation; resolves with what it answers. Rejects with {@link ApiProblem} or {@link ConnectionProblem}. */
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

/** An answer's body. One that breaks off, or is none of the service's, is as good as no answer. */
export async function whole<T>(reading: Promise<T>): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof ApiProblem || error instanceof ConnectionProblem) throw error;
    throw new ConnectionProblem('The answer broke off.', { cause: error });
  }
}

/** Fetches; rejects with {@link ConnectionProblem} where there is no answer, and with what any but those of the 200s comes to. */
export async function send(request: Request | string, init?: RequestInit): Promise<Response> {
  const response = await reach(request, init);
  if (!response.ok) throw problemOf(response.status, parseJson(await whole(response.text())));
  return response;
}

/** Fetches, whatever the answer is; rejects with {@link ConnectionProblem} where there is none. */
export async function reach(request: Request | string, init?: RequestInit): Promise<Response> {
  try {
    return await fetch(request, init);
  } catch (error) {
    throw new ConnectionProblem('The service did not answer.', { cause: error });
  }
}

/** What an answer that is not of the 200s comes to. */
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

/** What a body holds; `null` when it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
