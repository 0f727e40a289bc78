import { Type } from 'typebox';
import { AgentAnswer, CreateAgentBody, ToolList, UpdateAgentBody } from '../../shared/api/agent.ts';
import { AgentList, type Agent } from '../../shared/api/catalog.ts';
import type { AgentService } from '../agents/agent-service.ts';
import { callerOf } from '../auth/caller.ts';
import { AppError } from '../errors.ts';
import { TOOL_CATALOG } from '../tools/catalog.ts';
import { absentBodyIsEmpty, adminOnly, type App } from '../plugins/route.ts';

const AgentParams = Type.Object({ agentType: Type.String({ description: 'Type of the agent.' }) });

/** Endpoints about agents, and the tools that they can use. */
export function setupAgentRoutes(app: App, agents: AgentService): void {
  app.get(
    '/api/v1/agents',
    {
      schema: {
        operationId: 'listAgents',
        summary: 'List agents',
        tags: ['Agents and models'],
        description: 'The default, then the others that are built in, then those that people made.',
        response: { 200: AgentList },
      },
    },
    async (request) => {
      const { scope } = callerOf(request.raw);
      const all = await agents.list();
      return { agents: scope === 'admin' ? all : all.map(forEverybody) };
    },
  );

  app.post(
    '/api/v1/agents',
    {
      schema: {
        operationId: 'createAgent',
        summary: 'Make an agent',
        tags: ['Agents and models'],
        description: 'There can be 100.',
        errors: ['conflict'],
        body: CreateAgentBody,
        response: { 201: AgentAnswer },
      },
      onRequest: adminOnly,
      preValidation: absentBodyIsEmpty,
    },
    async (request, reply) => reply.code(201).send({ agent: await agents.create(request.body) }),
  );

  app.patch(
    '/api/v1/agents/:agentType',
    {
      schema: {
        operationId: 'updateAgent',
        summary: 'Change an agent',
        tags: ['Agents and models'],
        description: 'What is absent stays. Built-in ones can’t be changed.',
        errors: ['conflict'],
        params: AgentParams,
        body: UpdateAgentBody,
        response: { 200: AgentAnswer },
      },
      onRequest: adminOnly,
      preValidation: absentBodyIsEmpty,
    },
    async (request) => ({ agent: found(await agents.update(request.params.agentType, request.body)) }),
  );

  app.delete(
    '/api/v1/agents/:agentType',
    {
      schema: {
        operationId: 'deleteAgent',
        summary: 'Delete an agent',
        tags: ['Agents and models'],
        description: 'Built-in ones can’t be deleted.',
        errors: ['conflict'],
        params: AgentParams,
        response: { 200: AgentAnswer },
      },
      onRequest: adminOnly,
    },
    async (request) => ({ agent: found(await agents.remove(request.params.agentType)) }),
  );

  app.get(
    '/api/v1/tools',
    {
      schema: {
        operationId: 'listTools',
        summary: 'List the tools that agents can use',
        tags: ['Agents and models'],
        response: { 200: ToolList },
      },
    },
    async (request) => {
      callerOf(request.raw);
      // The tools themselves, which nobody else needs here.
      const { TOOL_INPUTS } = await import('../tools/inputs.ts');
      return {
        tools: TOOL_CATALOG.map(({ name, title, group, sentence, tokens }) => ({
          name,
          title,
          group,
          description: sentence,
          tokens,
          input: { ...TOOL_INPUTS.get(name) },
        })),
      };
    },
  );
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
