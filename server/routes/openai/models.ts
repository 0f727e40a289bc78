import { Type } from 'typebox';
import { AGENT_PREFIX, type Answerers } from '../../agents/answerers.ts';
import { callerOf } from '../../auth/caller.ts';
import type { App } from '../../plugins/route.ts';
import { requireAnswerer, type AskDeps } from './ask.ts';
import { OpenAiErrorAnswer, OpenAiModel, OpenAiModelList } from './schemas.ts';

const toModel = (id: string, owner: string | null): OpenAiModel => ({
  id,
  object: 'model',
  created: 0,
  owned_by: owner ?? 'parley',
});

/** The endpoints that tell who can answer. */
export function setupOpenAiModelRoutes(
  app: App,
  deps: Pick<AskDeps, 'hasWorkspace'> & { answerers: Answerers },
): void {
  app.get(
    '/v1/models',
    {
      schema: {
        tags: ['OpenAI'],
        summary: 'List models and agents',
        description:
          'All that can answer, as GET /api/v1/models names them; agents as "agent:" and their type.',
        response: { 200: OpenAiModelList, '4xx': OpenAiErrorAnswer },
      },
    },
    async (request) => {
      callerOf(request.raw);
      const { models, agentTypes } = await deps.answerers.list();
      const data = [
        ...models.map(({ name, connection }) => toModel(name, connection)),
        ...agentTypes.map((type) => toModel(`${AGENT_PREFIX}${type}`, null)),
      ];
      return { object: 'list' as const, data };
    },
  );

  app.get(
    // Names of connected models hold slashes, which not everybody encodes.
    '/v1/models/*',
    {
      schema: {
        tags: ['OpenAI'],
        summary: 'Read one model or agent',
        params: Type.Object({ '*': Type.String({ description: 'the name of a model' }) }),
        response: { 200: OpenAiModel, '4xx': OpenAiErrorAnswer },
      },
    },
    async (request) => {
      const name = request.params['*'];
      requireAnswerer(deps, request, name);
      const { models } = await deps.answerers.list();
      return toModel(name, models.find((model) => model.name === name)?.connection ?? null);
    },
  );
}
