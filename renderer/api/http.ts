/** Requests to the service: the basis of the client. */
import createOpenApiClient, {
  type Client,
  type ClientPathsWithMethod,
  type MethodResponse,
  type RequestBodyOption,
} from 'openapi-fetch';
import type { paths } from '../../out/api.d.ts';
import type { ErrorBody } from '../../shared/api/common.ts';
import { attempt } from '../../shared/attempt.ts';
import { timeLimit } from '../lib/time-limit.ts';
import { ApiProblem, ConnectionProblem } from './problem.ts';

/** Longest wait for an answer, in milliseconds, unless a request says otherwise: the service needs less for most. */
const REQUEST_TIMEOUT_MS = 20_000;

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';
/** The operations by their path below `/api/v1`. */
type Api = Client<{ [P in keyof paths as P extends `/api/v1${infer Rest}` ? Rest : never]: paths[P] }>;
type Operation<M extends Method, P extends string> = paths[`/api/v1${P}` & keyof paths] extends infer Item
  ? Item[M & keyof Item]
  : never;
type Parts<T> = T extends { parameters: infer Parameters }
  ? Parameters & RequestBodyOption<T> & { timeoutMs?: number }
  : never;

/**
 * Requests an operation of the API, with its parameters (`path`, `query`, `header`), its `body`, and the longest wait
 * (`timeoutMs`); resolves with the answer. The service's own document (`/openapi.json`) checks the types.
 */
export type ApiCall = <M extends Method, P extends ClientPathsWithMethod<Api, M>>(
  method: M,
  path: P,
  ...parts: object extends Parts<Operation<M, P>> ? [Parts<Operation<M, P>>?] : [Parts<Operation<M, P>>]
) => Promise<MethodResponse<Api, M, P>>;

/** Takes one field out of an answer. */
export const only =
  <K extends string>(field: K) =>
  <T>(answer: Record<K, T>): T =>
    answer[field];

/** Runs a request with the headers it needs. */
type Run = <T>(request: (headers: Record<string, string>) => Promise<T>) => Promise<T>;

/** Makes requests through `run`. They reject with {@link ApiProblem} or {@link ConnectionProblem}. */
export function createCall(run: Run): ApiCall {
  const callApi = (
    method: Method,
    path: string,
    { body, timeoutMs = REQUEST_TIMEOUT_MS, ...params }: { body?: unknown; timeoutMs?: number } = {},
  ): Promise<unknown> =>
    run(async (headers) => {
      const { request } = createOpenApiClient({
        baseUrl: `${location.origin}/api/v1`,
        headers,
        cache: 'no-store',
        fetch: fetchOk,
      });
      const call = request as (...call: unknown[]) => Promise<{ data?: unknown }>;
      const signal = timeLimit(timeoutMs);
      return (await readToEnd(call(method, path, { params, body, signal }))).data;
    });
  return callApi as ApiCall;
}

/** An answer's body. If it breaks off, or isn't the service's, that counts as no answer. */
export async function readToEnd<T>(reading: Promise<T>): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof ApiProblem || error instanceof ConnectionProblem) throw error;
    throw new ConnectionProblem('The answer broke off.', { cause: error });
  }
}

/** Fetches; rejects with {@link ConnectionProblem} if there is no answer, and with an {@link ApiProblem} if its status isn't 2xx. */
export async function fetchOk(request: Request | string, init?: RequestInit): Promise<Response> {
  const response = await fetchAnswer(request, init);
  if (!response.ok) throw problemOf(response.status, parseBody(await readToEnd(response.text())));
  return response;
}

/** Fetches, with any status; rejects with {@link ConnectionProblem} if there is no answer. */
export async function fetchAnswer(request: Request | string, init?: RequestInit): Promise<Response> {
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
export const parseBody = (text: string): unknown => attempt<unknown>(() => JSON.parse(text), null);
