import { adminApi, answererApi } from './admin.ts';
import { chatApi, messageApi } from './chats.ts';
import { createCall, fetchOk, type ApiCall } from './http.ts';
import { ApiProblem, ConnectionProblem } from './problem.ts';

/** The outcome of a request for the connection; `not_stored`: the service answered that its disk refuses writes. */
export type RequestOutcome = 'answered' | 'no_answer' | 'unauthorized' | 'not_stored';

/** What {@link createApiClient} needs. */
export interface ApiClientOptions {
  /** The API key for every request; usually a session key. */
  apiKey: string;
  /** Gets a new key when the service no longer accepts this one; null: there is none. */
  renew?: () => Promise<string | null>;
  /** Proves the service before each request; null or absent: not needed. */
  prove?: (() => Promise<unknown>) | null;
  /** The workspace that every request names; empty: the key is bound to one. */
  workspaceId?: string;
  /** Called with the outcome of each request, before its caller gets the answer. */
  onOutcome?: (outcome: RequestOutcome) => void;
}

/** The window's requests to the API. */
const operations = (call: ApiCall) => ({
  ...chatApi(call),
  ...messageApi(call),
  ...adminApi(call),
  ...answererApi(call),
});
type Operations = ReturnType<typeof operations>;

/**
 * The service's HTTP API, as far as the window uses it. Every method rejects with {@link ApiProblem} when the service
 * answered with an error and with {@link ConnectionProblem} when it did not answer.
 */
export interface ApiClient extends Operations {
  /**
   * Starts a request whose answer is read as it arrives (an event stream, a download), with the key and workspace. `quiet`:
   * a failure isn't reported to the connection.
   */
  open(path: string, init?: RequestInit, quiet?: boolean): Promise<Response>;
}

/** Creates a client of the service that the page came from. */
export function createApiClient(options: ApiClientOptions): ApiClient {
  const { workspaceId = '', onOutcome, prove = null } = options;
  let { apiKey } = options;
  let renewing: Promise<boolean> | null = null;
  const headersWith = (key: string): Record<string, string> => ({
    Authorization: `Bearer ${key}`,
    ...(workspaceId !== '' && { 'X-Workspace-Id': workspaceId }),
  });

  const report = (error: unknown): void => {
    if (error instanceof ConnectionProblem) onOutcome?.('no_answer');
    else if (error instanceof ApiProblem && error.status === 401) onOutcome?.('unauthorized');
    else if (error instanceof ApiProblem && error.code?.startsWith('storage_')) onOutcome?.('not_stored');
    else onOutcome?.('answered');
  };
  /** Gets a new key, once for all requests that were refused with the old one; resolves with whether there is one. */
  const renew = (refused: string): Promise<boolean> => {
    if (apiKey !== refused) return Promise.resolve(true);
    renewing ??= (options.renew?.() ?? Promise.resolve(null))
      .then((renewed) => {
        if (renewed !== null) apiKey = renewed;
        return renewed !== null;
      })
      .finally(() => {
        renewing = null;
      });
    return renewing;
  };
  /** Runs a request with the key, and once more with a new one when the service no longer accepts it. */
  const withKey = async <T>(work: (headers: Record<string, string>) => Promise<T>): Promise<T> => {
    const key = apiKey;
    try {
      return await work(headersWith(key));
    } catch (error) {
      if (!(error instanceof ApiProblem && error.status === 401 && (await renew(key)))) throw error;
      return work(headersWith(apiKey));
    }
  };
  /** The same once the service has proved itself, and reports the outcome. */
  const run = async <T>(
    work: (headers: Record<string, string>) => Promise<T>,
    isQuiet = () => false,
  ): Promise<T> => {
    try {
      await prove?.();
      const answer = await withKey(work);
      onOutcome?.('answered');
      return answer;
    } catch (error) {
      if (!isQuiet()) report(error);
      throw error;
    }
  };
  const open = (path: string, init: RequestInit = {}, quiet = false): Promise<Response> =>
    run(
      (own) => {
        const headers = { ...own, ...(init.headers as Record<string, string> | undefined) };
        return fetchOk(`${location.origin}${path}`, { ...init, headers, cache: 'no-store' });
      },
      () => quiet || init.signal?.aborted === true,
    );
  return { open, ...operations(createCall((request) => run(request))) };
}
