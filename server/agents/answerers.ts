/** Who can answer a request that names no chat: a model by its name, or an agent as `agent:` and its type. */
import type { Model } from '../../shared/api/catalog.ts';
import { isKnownModel, listModels, modelOfNewChats } from '../connections/known-models.ts';
import { findAgentOfType, listAgents } from '../store/agent-repository.ts';
import type { Reader, Store } from '../store/types.ts';
import { BUILT_IN_AGENTS } from './definitions.ts';

/** Who answers. */
export interface Answerer {
  model: string;
  /** Null: the model itself was named. */
  agentType: string | null;
}

/** The answerers of a store. */
export interface Answerers {
  /** All models, the default first, then the types of all agents, likewise. */
  list(): Promise<{ models: Model[]; agentTypes: string[] }>;
  /** Null: there is none of that name. An agent answers with its own model, or the workspace's, if one is given. */
  find(name: string, workspaceId: string | null): Answerer | null;
}

/** What begins the names of agents. */
export const AGENT_PREFIX = 'agent:';

/** The answerers of a store. */
export const createAnswerers = (store: Pick<Store, 'read' | 'settled'>): Answerers => ({
  async list() {
    const all = store.read((reader) => ({ models: listModels(reader), agentTypes: typesOf(reader) }));
    await store.settled();
    return all;
  },
  find: (name, workspaceId) =>
    store.read((reader) => {
      if (!name.startsWith(AGENT_PREFIX))
        return isKnownModel(reader, name) ? { model: name, agentType: null } : null;
      const agentType = name.slice(AGENT_PREFIX.length);
      const isThere =
        BUILT_IN_AGENTS.some((agent) => agent.name === agentType) || findAgentOfType(reader, agentType);
      return isThere ? { model: modelOfNewChats(reader, workspaceId ?? '', agentType), agentType } : null;
    }),
});

const typesOf = (reader: Reader): string[] => [
  ...new Set([
    ...BUILT_IN_AGENTS.map(({ name }) => name),
    ...listAgents(reader).map(({ agentType }) => agentType),
  ]),
];
