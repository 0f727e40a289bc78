import type { Parameters } from '../../shared/api/parameters.ts';
import { DEFAULT_AGENT_TYPE } from '../../shared/limits.ts';
import { OFFLINE_MODEL_NAME } from '../../shared/models.ts';
import { BUILT_IN_AGENTS, findAgent, type AgentDefinition } from '../agents/definitions.ts';
import { findAgentOfType, listAgents, type StoredAgent } from '../store/agent-repository.ts';
import type { Reader } from '../store/types.ts';

/** Each brings its instructions along. */
const MAX_HELPERS = 30;

/**
 * The chat's agent, then those that it may ask: the default one may ask the others that are built in, and those that people
 * made. The offline assistant asks nobody.
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
 * The agent as a chat, and then a message, wants it: of each parameter the last one given counts, in place of its own; the last
 * instructions are told besides its own.
 */
export function withParameters(
  agent: AgentDefinition,
  ...given: readonly (Parameters | null)[]
): AgentDefinition {
  const { instructions = '', ...parameters } = [agent.parameters, ...given].reduce<Parameters>(
    (sum, more) => ({ ...sum, ...more }),
    {},
  );
  return { ...withInstructions(agent, instructions.trim()), parameters };
}

/** The agent that is told something besides its own instructions; empty: nothing. */
export const withInstructions = (agent: AgentDefinition, more: string): AgentDefinition => ({
  ...agent,
  instructions: [agent.instructions, more].filter((text) => text !== '').join('\n\n'),
});

const toDefinition = ({
  agentType,
  name,
  description,
  instructions,
  tools,
  stepLimit,
  parameters,
}: StoredAgent): AgentDefinition => ({
  name: agentType,
  title: name,
  description,
  instructions,
  tools,
  stepLimit,
  parameters,
});
