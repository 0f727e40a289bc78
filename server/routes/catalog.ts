import { ModelList, RehearsalList } from '../../shared/api/catalog.ts';
import { READY_REHEARSALS, readyRehearsalModel } from '../../shared/models.ts';
import type { ConnectionService } from '../connections/connection-service.ts';
import { READY_SCRIPTS } from '../models/rehearsal/ready.ts';
import { createEndpoints, type App } from '../plugins/endpoints.ts';

/** Endpoints about the models that can answer. */
export function setupCatalogRoutes(app: App, connections: Pick<ConnectionService, 'models'>): void {
  const api = createEndpoints(app, 'Agents and models');
  api.get('/api/v1/models', 'listModels', 'List models', {
    description: 'The default comes first.',
    response: { 200: ModelList },
    result: () => connections.models(),
  });

  api.get('/api/v1/rehearsals', 'listRehearsals', 'List rehearsals', {
    description:
      'Models that play one of Parley’s scripts, for demos and for testing clients. Named as the `model` of a chat or message, a rehearsal plays its script whatever the message says. The model `rehearsal` plays the script in the chat’s first message.',
    response: { 200: RehearsalList },
    handle: () => ({
      rehearsals: READY_REHEARSALS.map((name) => ({
        model: readyRehearsalModel(name),
        ...READY_SCRIPTS[name],
      })),
    }),
  });
}
