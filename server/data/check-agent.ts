import {
  AGENT_TYPE_PATTERN,
  MAX_AGENT_DESCRIPTION_CHARACTERS,
  MAX_AGENT_INSTRUCTIONS_CHARACTERS,
  MAX_AGENT_STEPS,
  MAX_AGENT_TOOLS,
  MAX_NAME_CHARACTERS,
} from '../../shared/limits.ts';
import { cleanName, storableText } from '../lib/clean-name.ts';
import type { StoredAgent } from '../store/agent-repository.ts';

const AGENT_TYPE = new RegExp(AGENT_TYPE_PATTERN);

/** An agent of a backup; null when it isn't as it was written. */
export function checkAgent(value: unknown): StoredAgent | null {
  if (typeof value !== 'object' || value === null) return null;
  const agent: Partial<Record<keyof StoredAgent, unknown>> = value;
  const { agentType, stepLimit, model, createdAt, updatedAt } = agent;
  const name = typeof agent.name === 'string' ? cleanName(agent.name) : null;
  const tools = readTools(agent.tools);
  const isSound =
    isText(agentType, 64) &&
    AGENT_TYPE.test(agentType) &&
    isText(name, MAX_NAME_CHARACTERS) &&
    isText(agent.description, MAX_AGENT_DESCRIPTION_CHARACTERS) &&
    isText(agent.instructions, MAX_AGENT_INSTRUCTIONS_CHARACTERS) &&
    (model === null || isText(model, 400)) &&
    typeof stepLimit === 'number' &&
    Number.isInteger(stepLimit) &&
    stepLimit >= 1 &&
    stepLimit <= MAX_AGENT_STEPS &&
    isTime(createdAt) &&
    isTime(updatedAt);
  if (!isSound || tools === null) return null;
  return {
    agentType,
    name,
    description: storableText(agent.description as string),
    instructions: storableText(agent.instructions as string),
    model: model === null ? null : storableText(model),
    tools,
    stepLimit,
    createdAt,
    updatedAt,
  };
}

/** Lengths count as the API counts them: in characters, not in halves of them. */
const isText = (value: unknown, limit: number): value is string =>
  typeof value === 'string' && (value.length <= limit || Array.from(value).length <= limit);

const isTime = (value: unknown): value is string =>
  typeof value === 'string' && !Number.isNaN(Date.parse(value));

function readTools(value: unknown): StoredAgent['tools'] | null {
  if (value === 'all') return value;
  const isList = Array.isArray(value) && value.length <= MAX_AGENT_TOOLS;
  return isList && value.every((tool) => isText(tool, 64)) ? [...value] : null;
}
