import { Type } from 'typebox';
import { AgentAnswer, CreateAgentBody, ToolList, UpdateAgentBody } from '../../shared/api/agent.ts';
import { AgentList, type Agent } from '../../shared/api/catalog.ts';
import type { AgentService } from '../agents/agent-service.ts';
import { callerOf } from '../auth/caller.ts';
import { AppError } from '../errors.ts';
import { TOOL_CATALOG } from '../tools/catalog.ts';
import { absentBodyIsEmpty, adminOnly, type App } from '../plugins/route.ts';

const AgentParams = Type.Object({ agentType: Type.String() });

/** Endpoints about agents, and the tools that they can use. */
export function setupAgentRoutes(app: App, agents: AgentService): void {
  app.get('/api/v1/agents', { schema: { response: { 200: AgentList } } }, async (request) => {
    const { scope } = callerOf(request.raw);
    const all = await agents.list();
    return { agents: scope === 'admin' ? all : all.map(forEverybody) };
  });

  app.post(
    '/api/v1/agents',
    {
      schema: { body: CreateAgentBody, response: { 201: AgentAnswer } },
      onRequest: adminOnly,
      preValidation: absentBodyIsEmpty,
    },
    async (request, reply) => reply.code(201).send({ agent: await agents.create(request.body) }),
  );

  app.patch(
    '/api/v1/agents/:agentType',
    {
      schema: { params: AgentParams, body: UpdateAgentBody, response: { 200: AgentAnswer } },
      onRequest: adminOnly,
      preValidation: absentBodyIsEmpty,
    },
    async (request) => ({ agent: found(await agents.update(request.params.agentType, request.body)) }),
  );

  app.delete(
    '/api/v1/agents/:agentType',
    { schema: { params: AgentParams, response: { 200: AgentAnswer } }, onRequest: adminOnly },
    async (request) => ({ agent: found(await agents.remove(request.params.agentType)) }),
  );

  app.get('/api/v1/tools', { schema: { response: { 200: ToolList } } }, async (request) => {
    callerOf(request.raw);
    return {
      tools: TOOL_CATALOG.map(({ name, sentence, tokens }) => ({ name, description: sentence, tokens })),
    };
  });
}

/** What those who may only chat are told: what an agent is told to do is its maker's business. */
const forEverybody = ({ agentType, name, description, builtIn }: Agent): Agent => ({
  agentType,
  name,
  description,
  builtIn,
});

function found(agent: Agent | null): Agent {
  if (agent === null) throw new AppError('agent_not_found');
  return agent;
}
