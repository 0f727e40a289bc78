import type { FastifyRequest } from 'fastify';
import { AGENT_PREFIX } from '../../agents/answerers.ts';
import { createEndpoints, type App } from '../../plugins/endpoints.ts';
import { requireAnswerer } from './ask.ts';
import type { OpenAiDeps } from './deps.ts';
import { OpenAiModel, OpenAiModelList } from './schemas.ts';

const toModel = (id: string, owner: string | null): OpenAiModel => ({
  id,
  object: 'model',
  created: 0,
  owned_by: owner ?? 'parley',
});

/** The endpoints that list models and agents. */
export function setupOpenAiModelRoutes(app: App, deps: OpenAiDeps): void {
  const api = createEndpoints(app, 'OpenAI');
  const { connections, agents } = deps;
  api.get('/v1/models', 'listOpenAiModels', 'List models and agents', {
    description: 'Models as in GET /api/v1/models, and agents as "agent:" and their type.',
    response: { 200: OpenAiModelList },
    handle: async () => {
      const [models, answering] = await Promise.all([connections.models(), agents.list()]);
      const data = [
        ...models.map(({ name, connection }) => toModel(name, connection)),
        ...answering.map(({ agentType }) => toModel(`${AGENT_PREFIX}${agentType}`, null)),
      ];
      return { object: 'list' as const, data };
    },
  });

  const read = async (request: FastifyRequest, name: string): Promise<OpenAiModel> => {
    requireAnswerer(deps, request, name);
    const models = await connections.models();
    return toModel(name, models.find((model) => model.name === name)?.connection ?? null);
  };

  api.get('/v1/models/:modelName', 'getOpenAiModel', 'Read one model or agent', {
    response: { 200: OpenAiModel },
    errors: ['workspace_forbidden', 'workspace_not_found'],
    openAiErrors: { 404: ['model_not_found'] },
    handle: ({ params, request }) => read(request, params.modelName),
  });

  // Names of connected models contain slashes, which not every client encodes.
  app.get<{ Params: { '*': string } }>(
    '/v1/models/*',
    { schema: { response: { 200: OpenAiModel } } },
    (request) => read(request, request.params['*']),
  );
}
