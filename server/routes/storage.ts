import { StorageAnswer, type Storage } from '../../shared/api/storage.ts';
import { adminOnly, type App } from '../plugins/route.ts';

/** Tells how the store stands. */
export function setupStorageRoute(app: App, usage: () => Storage): void {
  app.get(
    '/api/v1/storage',
    {
      schema: {
        operationId: 'getStorage',
        summary: 'How full the store is',
        tags: ['Service'],
        response: { 200: StorageAnswer },
      },
      onRequest: adminOnly,
    },
    async () => ({ storage: usage() }),
  );
}
