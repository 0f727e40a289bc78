/** Who can answer a request that names no chat: a model by its name, or an agent as `agent:` and its type. */
import { isKnownModel, modelOfNewChats } from '../connections/known-models.ts';
import { findAgentOfType } from '../store/agent-repository.ts';
import type { Reader } from '../store/types.ts';
import { BUILT_IN_AGENTS } from './definitions.ts';

/** Who answers. */
export interface ModelAndAgent {
  model: string;
  /** Null: the model itself was named. */
  agentType: string | null;
}

/** What begins the names of agents. */
export const AGENT_PREFIX = 'agent:';

/** Null: there is none of that name. An agent answers with its own model, or the workspace's, if one is given. */
export function findAnswerer(reader: Reader, name: string, workspaceId: string | null): ModelAndAgent | null {
  if (!name.startsWith(AGENT_PREFIX))
    return isKnownModel(reader, name) ? { model: name, agentType: null } : null;
  const agentType = name.slice(AGENT_PREFIX.length);
  return isKnownAgent(reader, agentType)
    ? { model: modelOfNewChats(reader, workspaceId ?? '', agentType), agentType }
    : null;
}

/** Whether there is an agent of that type. */
export const isKnownAgent = (reader: Reader, agentType: string): boolean =>
  BUILT_IN_AGENTS.some(({ name }) => name === agentType) || findAgentOfType(reader, agentType) !== null;
