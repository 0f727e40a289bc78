import { ModelList } from '../../shared/api/catalog.ts';
import { callerOf } from '../auth/caller.ts';
import type { ConnectionService } from '../connections/connection-service.ts';
import type { App } from '../plugins/route.ts';

/** The endpoint that tells which models can answer. */
export function setupCatalogRoutes(app: App, connections: Pick<ConnectionService, 'models'>): void {
  app.get(
    '/api/v1/models',
    {
      schema: {
        operationId: 'listModels',
        summary: 'List the models that can answer',
        tags: ['Agents and models'],
        description: 'The default first.',
        response: { 200: ModelList },
      },
    },
    async (request) => {
      callerOf(request.raw);
      return { models: await connections.models() };
    },
  );
}
