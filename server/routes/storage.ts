import { StorageAnswer, type Storage } from '../../shared/api/storage.ts';
import { createEndpoints } from '../plugins/endpoints.ts';
import type { App } from '../plugins/route.ts';

/** Tells how the store stands. */
export function setupStorageRoute(app: App, usage: () => Storage): void {
  const api = createEndpoints(app, 'Service', 'admin');
  api.get('/api/v1/storage', {
    operationId: 'getStorage',
    summary: 'Read how full the store is',
    response: { 200: StorageAnswer },
    handle: async () => ({ storage: usage() }),
  });
}
