import { RecentRequests, RequestsQuery } from '../../shared/api/request-log.ts';
import type { RequestLog } from '../plugins/request-log.ts';
import { adminOnly, type App } from '../plugins/route.ts';

/** `GET /api/v1/requests`: what the service was asked lately. */
export function setupRequestRoutes(app: App, requests: RequestLog): void {
  app.get(
    '/api/v1/requests',
    {
      schema: {
        operationId: 'listRequests',
        summary: 'List recent requests',
        tags: ['Service'],
        description:
          'The last 300, newest first; never a key, a body or the words of a search. With `external=true` those of Parley’s own window are left out, of which 300 more are kept.',
        querystring: RequestsQuery,
        response: { 200: RecentRequests },
      },
      onRequest: adminOnly,
    },
    async (request) => {
      const { after, external } = request.query;
      return {
        requests: requests.list({
          externalOnly: external === 'true',
          ...(after === undefined ? {} : { after: Number(after) }),
        }),
      };
    },
  );
}
