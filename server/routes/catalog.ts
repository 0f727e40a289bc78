import { ModelList, RehearsalList } from '../../shared/api/catalog.ts';
import { callerOf } from '../auth/caller.ts';
import { READY_REHEARSALS, readyRehearsalModel } from '../../shared/models.ts';
import type { ConnectionService } from '../connections/connection-service.ts';
import { READY_SCRIPTS } from '../models/rehearsal/ready.ts';
import type { App } from '../plugins/route.ts';

/** The endpoints that tell which models can answer. */
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

  app.get(
    '/api/v1/rehearsals',
    {
      schema: {
        operationId: 'listRehearsals',
        summary: 'List the rehearsals with ready scripts',
        tags: ['Agents and models'],
        description:
          'Models that play a script that comes with Parley, for demos and for testing clients: named as the `model` of a chat or of a message, each plays its script whatever is said. `rehearsal` itself plays the script of the chat’s first message.',
        response: { 200: RehearsalList },
      },
    },
    (request) => {
      callerOf(request.raw);
      return {
        rehearsals: READY_REHEARSALS.map((name) => ({
          model: readyRehearsalModel(name),
          ...READY_SCRIPTS[name],
        })),
      };
    },
  );
}
