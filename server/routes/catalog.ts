import { AgentList, ModelList } from '../../shared/api/catalog.ts';
import { OFFLINE_MODEL_NAME } from '../../shared/models.ts';
import { BUILT_IN_AGENTS } from '../agents/definitions.ts';
import { callerOf } from '../auth/caller.ts';
import { MODEL_NAMES } from '../models/names.ts';
import type { App } from './route.ts';

const isOffline = (name: string): boolean => name === OFFLINE_MODEL_NAME;

/** Endpoints that tell what can answer. */
export function setupCatalogRoutes(app: App): void {
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
    return {
      models: MODEL_NAMES.map((name) => ({
        name,
        offline: isOffline(name),
        connection: null,
        contextTokens: null,
      })),
    };
  });
}
