/** Agents as a turn gets them: from the rows, and with what a chat and a message add. */
import type { Parameters } from '../../shared/api/parameters.ts';
import { DEFAULT_AGENT_TYPE } from '../../shared/limits.ts';
import { OFFLINE_MODEL_NAME } from '../../shared/models.ts';
import { findAgentOfType, listAgents, type StoredAgent } from '../store/agent-repository.ts';
import type { Reader } from '../store/types.ts';
import { BUILT_IN_AGENTS, findAgent, type AgentDefinition } from './definitions.ts';

/** The request carries the instructions of each. */
const MAX_HELPERS = 30;

/**
 * The chat's agent, then those that it may ask. Only the default agent may ask others: built-in ones and those that people made.
 * The offline assistant asks nobody.
 */
export function readAgents(
  reader: Reader,
  { agentType, model }: { agentType: string; model: string },
): [AgentDefinition, ...AgentDefinition[]] {
  const made = findAgentOfType(reader, agentType);
  const agent = made === null ? findAgent(agentType) : toDefinition(made);
  if (model === OFFLINE_MODEL_NAME || agent.name !== DEFAULT_AGENT_TYPE) return [agent];
  const helpers = listAgents(reader).slice(0, MAX_HELPERS).map(toDefinition);
  const types = new Set([DEFAULT_AGENT_TYPE, ...helpers.map(({ name }) => name)]);
  return [agent, ...BUILT_IN_AGENTS.filter(({ name }) => !types.has(name)), ...helpers];
}

/**
 * The agent with the parameters of a chat and of a message. The last value of each parameter counts; the last instructions are
 * added to the agent's own.
 */
export function withParameters(
  agent: AgentDefinition,
  ...later: readonly (Parameters | null)[]
): AgentDefinition {
  const { instructions = '', ...parameters } = [agent.parameters, ...later].reduce<Parameters>(
    (sum, more) => ({ ...sum, ...more }),
    {},
  );
  return { ...withInstructions(agent, instructions.trim()), parameters };
}

/** The agent with additional instructions; empty: none. */
export const withInstructions = (agent: AgentDefinition, ...more: string[]): AgentDefinition => ({
  ...agent,
  instructions: [agent.instructions, ...more].filter((text) => text !== '').join('\n\n'),
});

const toDefinition = ({
  agentType,
  name,
  model: _model,
  createdAt: _created,
  updatedAt: _updated,
  ...agent
}: StoredAgent): AgentDefinition => ({ ...agent, name: agentType, title: name });
