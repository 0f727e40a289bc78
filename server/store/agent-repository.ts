import type { ModelParameters } from '../../shared/api/parameters.ts';
import { defineTable, json, plain, text, type Initialised, type RowOf } from './table.ts';

const parameters: Initialised<ModelParameters> = {
  initial: {},
  read: (stored) => (stored === null ? {} : (JSON.parse(stored as string) as ModelParameters)),
  write: (value) => JSON.stringify(value),
};

/** Agents that people made. */
const AGENTS = defineTable('agents', {
  /** The `agentType` of its chats; no two have the same. */
  agentType: text(),
  /** Its display name. */
  name: text(),
  description: text(),
  instructions: text(),
  /** The model of its new chats; null: the workspace's. */
  model: plain<string | null>(),
  tools: json<'all' | string[]>(),
  stepLimit: plain<number>(),
  /** Empty or null: none. */
  parameters,
  createdAt: text(),
  updatedAt: text(),
});

/** An agent that a person made. */
export type StoredAgent = RowOf<typeof AGENTS.columns>;

/** All agents that people made, oldest first. */
export const listAgents = AGENTS.list('ORDER BY created_at, agent_type');

/** The agent of that type, or null. */
export const findAgentOfType = AGENTS.first<[agentType: string]>('WHERE agent_type = ?');

/** How many agents people made. */
export const countAgents = AGENTS.count();

/** Stores a new agent. */
export const createAgent = AGENTS.insert;

/** Stores the fields of an agent that people can change, by its type. */
export const updateAgent = AGENTS.update(
  ['name', 'description', 'instructions', 'model', 'tools', 'stepLimit', 'parameters', 'updatedAt'],
  'WHERE agent_type = ?',
);

/** Removes an agent; false: there was none. Its chats keep their type. */
export const deleteAgent = AGENTS.delete<[agentType: string]>('WHERE agent_type = ?');
