/** The part of the API that makes and edits agents; it needs the scope `admin`. */
import type {
  AgentAnswer,
  CreateAgentBody,
  ToolInfo,
  ToolList,
  UpdateAgentBody,
} from '../../shared/api/agent.ts';
import type { Agent } from '../../shared/api/catalog.ts';
import type { Request } from './http.ts';

/** Making and editing agents; they are listed by the admin API. */
export interface AgentApi {
  createAgent(body: CreateAgentBody): Promise<Agent>;
  updateAgent(agentType: string, body: UpdateAgentBody): Promise<Agent>;
  deleteAgent(agentType: string): Promise<Agent>;
  /** The tools that agents can use. */
  listTools(): Promise<ToolInfo[]>;
}

/** The part of a client that {@link AgentApi} describes. */
export function agentApi(request: Request): AgentApi {
  const all = '/api/v1/agents';
  const one = (agentType: string): string => `${all}/${encodeURIComponent(agentType)}`;
  return {
    createAgent: async (body) => (await request<AgentAnswer>('POST', all, { body })).agent,
    updateAgent: async (agentType, body) =>
      (await request<AgentAnswer>('PATCH', one(agentType), { body })).agent,
    deleteAgent: async (agentType) => (await request<AgentAnswer>('DELETE', one(agentType))).agent,
    listTools: async () => (await request<ToolList>('GET', '/api/v1/tools')).tools,
  };
}
