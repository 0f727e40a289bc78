import { RecentRequests, RequestsQuery } from '../../shared/api/request-log.ts';
import type { RequestLog } from '../plugins/request-log.ts';
import { adminOnly, type App } from '../plugins/route.ts';

/** `GET /api/v1/requests`: what the service was asked lately. */
export function setupRequestRoutes(app: App, requests: RequestLog): void {
  app.get(
    '/api/v1/requests',
    { schema: { querystring: RequestsQuery, response: { 200: RecentRequests } }, onRequest: adminOnly },
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
