import type { TurnRequest } from '../agents/turn.ts';
import { DEFAULT_AGENT_TYPE } from '../../shared/limits.ts';
import { findAgent, type AgentDefinition } from '../agents/definitions.ts';
import { findAgentOfType, listAgents, type StoredAgent } from '../store/agent-repository.ts';
import type { Reader } from '../store/types.ts';

/** Each brings its instructions along. */
const MAX_HELPERS = 30;

/** The agent of that type as a turn takes it along, if a person made it; for the default one, those that it may ask. */
export function readAgent(reader: Reader, agentType: string): Pick<TurnRequest, 'agent' | 'helpers'> {
  const agent = findAgentOfType(reader, agentType);
  if (agent !== null) return { agent: toDefinition(agent) };
  if (findAgent(agentType).name !== DEFAULT_AGENT_TYPE) return {};
  return { helpers: listAgents(reader).slice(0, MAX_HELPERS).map(toDefinition) };
}

const toDefinition = ({
  agentType,
  name,
  description,
  instructions,
  tools,
  stepLimit,
}: StoredAgent): AgentDefinition => ({
  name: agentType,
  title: name,
  description,
  instructions,
  tools,
  stepLimit,
});
