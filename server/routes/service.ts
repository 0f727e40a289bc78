import { RecentRequests, RequestsQuery } from '../../shared/api/request-log.ts';
import { StorageAnswer, type Storage } from '../../shared/api/storage.ts';
import { createEndpoints, type App } from '../plugins/endpoints.ts';
import type { RequestLog } from '../plugins/request-log.ts';

/** Endpoints about the service itself: recent requests, and how full the store is. */
export function setupServiceRoutes(app: App, requests: RequestLog, usage: () => Storage): void {
  const api = createEndpoints(app, 'Service', { access: 'admin' });
  api.get('/api/v1/storage', 'getStorage', 'Read how full the store is', {
    response: { 200: StorageAnswer },
    handle: async () => ({ storage: usage() }),
  });

  api.get('/api/v1/requests', 'listRequests', 'List recent requests', {
    description:
      'The last 300, newest first, without keys, bodies or search words. `external=true` leaves out those of Parley’s own window, of which another 300 are kept.',
    query: RequestsQuery,
    response: { 200: RecentRequests },
    handle: async ({ query }) => {
      const { after, external } = query;
      return {
        requests: requests.list({
          externalOnly: external === 'true',
          ...(after === undefined ? {} : { after: Number(after) }),
        }),
      };
    },
  });
}
