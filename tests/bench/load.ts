/** Load on a server over real connections: as many requests as it answers, or a fixed number. */
import autocannon from 'autocannon';
import type { RunningServer } from './servers.ts';

export const CONNECTIONS = 16;

/** One request, repeated in turn with the others. */
export interface LoadRequest {
  method: 'GET' | 'POST';
  path: string;
  body?: string;
  headers?: Record<string, string>;
}

/** How much load: for that many seconds, or until that many answers. */
export type Amount = { seconds: number } | { requests: number };

/**
 * Answers per second over {@link CONNECTIONS} connections, without a pause; each connection goes through its own share of `requests`.
 * Throws when an answer is not 2xx: a server that refuses is not faster. With `mayRefuse` refusals are left out instead.
 */
export async function load(
  server: RunningServer,
  requests: LoadRequest[],
  amount: Amount,
  { mayRefuse = false } = {},
): Promise<number> {
  let connection = 0;
  let startedAt = 0;
  let endedAt = 0;
  const result = await autocannon({
    url: server.baseUrl,
    connections: CONNECTIONS,
    ...('seconds' in amount ? { duration: amount.seconds } : { amount: amount.requests, duration: 600 }),
    setupClient: (client) => {
      const offset = connection;
      connection += 1;
      startedAt ||= performance.now();
      // It checks its end once a second, so that may be long after the last answer.
      client.on('response', () => (endedAt = performance.now()));
      client.setRequests(
        requests
          .filter((_, index) => requests.length < CONNECTIONS || index % CONNECTIONS === offset % CONNECTIONS)
          .map(({ headers, ...request }) => ({
            ...request,
            headers: {
              ...server.headers,
              ...headers,
              ...(request.body === undefined ? {} : { 'content-type': 'application/json' }),
            },
          })),
      );
    },
  });
  const seconds = 'seconds' in amount ? result.duration : (endedAt - startedAt) / 1000;
  if ((result.non2xx > 0 && !mayRefuse) || result.errors > 0) {
    throw new Error(`${server.name}: ${result.non2xx} answers were not 2xx, ${result.errors} had no answer.`);
  }
  return result['2xx'] / seconds;
}
