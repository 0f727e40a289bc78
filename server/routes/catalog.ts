import { ModelList, RehearsalList } from '../../shared/api/catalog.ts';
import { READY_REHEARSALS, readyRehearsalModel } from '../../shared/models.ts';
import type { ConnectionService } from '../connections/connection-service.ts';
import { READY_SCRIPTS } from '../models/rehearsal/ready.ts';
import type { App } from '../plugins/route.ts';
import { createEndpoints } from '../plugins/endpoints.ts';

/** The endpoints that tell which models can answer. */
export function setupCatalogRoutes(app: App, connections: Pick<ConnectionService, 'models'>): void {
  const api = createEndpoints(app, 'Agents and models');
  api.get('/api/v1/models', {
    operationId: 'listModels',
    summary: 'List the models that can answer',
    description: 'The default first.',
    response: { 200: ModelList },
    handle: async () => ({ models: await connections.models() }),
  });

  api.get('/api/v1/rehearsals', {
    operationId: 'listRehearsals',
    summary: 'List the rehearsals with ready scripts',
    description:
      'Models that play a script that comes with Parley, for demos and for testing clients: named as the `model` of a chat or of a message, each plays its script whatever is said. `rehearsal` itself plays the script of the chat’s first message.',
    response: { 200: RehearsalList },
    handle: () => ({
      rehearsals: READY_REHEARSALS.map((name) => ({
        model: readyRehearsalModel(name),
        ...READY_SCRIPTS[name],
      })),
    }),
  });
}
