import type { TurnRequest } from '../agents/turn.ts';
import { DEFAULT_AGENT_TYPE } from '../../shared/limits.ts';
import { OFFLINE_MODEL_NAME } from '../../shared/models.ts';
import { BUILT_IN_AGENTS, findAgent, type AgentDefinition } from '../agents/definitions.ts';
import { findAgentOfType, listAgents, type StoredAgent } from '../store/agent-repository.ts';
import type { Reader } from '../store/types.ts';

/** Each brings its instructions along. */
const MAX_HELPERS = 30;

/**
 * The chat's agent as a turn takes it along, if a person made it; for the default one, those that it may ask. The offline
 * assistant asks nobody.
 */
export function readAgent(
  reader: Reader,
  { agentType, model }: { agentType: string; model: string },
): Pick<TurnRequest, 'agent' | 'helpers'> {
  const agent = findAgentOfType(reader, agentType);
  if (agent !== null) return { agent: toDefinition(agent) };
  if (model === OFFLINE_MODEL_NAME || findAgent(agentType).name !== DEFAULT_AGENT_TYPE) return {};
  return { helpers: listAgents(reader).slice(0, MAX_HELPERS).map(toDefinition) };
}

/** The types of the agents of such a turn: the chat's own, and those that it may ask. */
export const agentTypesOf = (
  agentType: string,
  { helpers = [] }: Pick<TurnRequest, 'agent' | 'helpers'>,
): string[] => [
  ...new Set([
    agentType,
    ...(helpers.length > 0 || findAgent(agentType).name === DEFAULT_AGENT_TYPE
      ? BUILT_IN_AGENTS.map(({ name }) => name)
      : []),
    ...helpers.map(({ name }) => name),
  ]),
];

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
