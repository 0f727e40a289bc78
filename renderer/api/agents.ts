/** The part of the API that makes and edits agents; it needs the scope `admin`. */
import type { CreateAgentBody, ToolInfo, UpdateAgentBody } from '../../shared/api/agent.ts';
import type { Agent } from '../../shared/api/catalog.ts';
import type { Ask } from './http.ts';

const path = (agentType: string) => ({ params: { path: { agentType } } });

/** Making and editing agents; they are listed by the admin API. */
export type AgentApi = ReturnType<typeof agentApi>;

/** The part of a client that {@link AgentApi} is. */
export const agentApi = (ask: Ask) => ({
  createAgent: (body: CreateAgentBody): Promise<Agent> =>
    ask((api) => api.POST('/api/v1/agents', { body })).then(({ agent }) => agent),
  updateAgent: (agentType: string, body: UpdateAgentBody): Promise<Agent> =>
    ask((api) => api.PATCH('/api/v1/agents/{agentType}', { ...path(agentType), body })).then(
      ({ agent }) => agent,
    ),
  deleteAgent: (agentType: string): Promise<Agent> =>
    ask((api) => api.DELETE('/api/v1/agents/{agentType}', path(agentType))).then(({ agent }) => agent),
  /** The tools that agents can use. */
  listTools: (): Promise<ToolInfo[]> => ask((api) => api.GET('/api/v1/tools')).then(({ tools }) => tools),
});
