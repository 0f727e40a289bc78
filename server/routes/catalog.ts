import { AgentList, ModelList } from '../../shared/api/catalog.ts';
import { BUILT_IN_AGENTS } from '../agents/definitions.ts';
import { callerOf } from '../auth/caller.ts';
import type { ConnectionService } from '../connections/connection-service.ts';
import type { App } from './route.ts';

/** Endpoints that tell what can answer. */
export function setupCatalogRoutes(app: App, connections: Pick<ConnectionService, 'models'>): void {
  app.get('/api/v1/agents', { schema: { response: { 200: AgentList } } }, async (request) => {
    callerOf(request.raw);
    return {
      agents: BUILT_IN_AGENTS.map(({ name, title, description }) => ({
        agentType: name,
        name: title,
        description,
      })),
    };
  });

  app.get('/api/v1/models', { schema: { response: { 200: ModelList } } }, async (request) => {
    callerOf(request.raw);
    return { models: await connections.models() };
  });
}
