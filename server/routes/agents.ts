import { AgentAnswer, CreateAgentBody, ToolList, UpdateAgentBody } from '../../shared/api/agent.ts';
import { AgentList, type Agent } from '../../shared/api/catalog.ts';
import type { AgentService } from '../agents/agent-service.ts';
import { TOOL_CATALOG } from '../tools/catalog.ts';
import { createEndpoints, type App } from '../plugins/endpoints.ts';

/** Endpoints about agents, and the tools that they can use. */
export function setupAgentRoutes(app: App, agents: AgentService): void {
  const api = createEndpoints(app, 'Agents and models');
  api.get('/api/v1/agents', 'listAgents', 'List agents', {
    description: 'The default agent first, then the other built-in ones, then those that people created.',
    response: { 200: AgentList },
    handle: async ({ caller }) => {
      const all = await agents.list();
      return { agents: caller.scope === 'admin' ? all : all.map(forEverybody) };
    },
  });

  api.post('/api/v1/agents', 'createAgent', 'Create an agent', {
    description: 'Up to 100.',
    errors: ['conflict'],
    body: CreateAgentBody,
    response: { 201: AgentAnswer },
    access: 'admin',
    result: ({ body }) => agents.create(body),
  });

  api.patch('/api/v1/agents/:agentType', 'updateAgent', 'Change an agent', {
    description: 'Absent fields stay as they are. Built-in agents can’t be changed.',
    errors: ['conflict'],
    body: UpdateAgentBody,
    response: { 200: AgentAnswer },
    access: 'admin',
    result: ({ params, body }) => agents.update(params.agentType, body),
  });

  api.delete('/api/v1/agents/:agentType', 'deleteAgent', 'Delete an agent', {
    description: 'Built-in agents can’t be deleted.',
    errors: ['conflict'],
    response: { 200: AgentAnswer },
    access: 'admin',
    result: ({ params }) => agents.remove(params.agentType),
  });

  api.get('/api/v1/tools', 'listTools', 'List the tools that agents can use', {
    response: { 200: ToolList },
    handle: async () => {
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
  });
}

/** What keys of scope `chat` see: an agent's instructions are only for admins. */
const forEverybody = ({ agentType, name, description, builtIn }: Agent): Agent => ({
  agentType,
  name,
  description,
  builtIn,
});
