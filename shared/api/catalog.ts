import { Type, type Static } from 'typebox';

/** A kind of agent that a chat can have. */
export const Agent = Type.Object({
  /** The `agentType` of its chats. */
  agentType: Type.String(),
  /** What people call it. */
  name: Type.String(),
  /** One sentence on what it is for. */
  description: Type.String(),
});
export type Agent = Static<typeof Agent>;

/** Answer of `GET /api/v1/agents`, the default first. */
export const AgentList = Type.Object({ agents: Type.Array(Agent) });
export type AgentList = Static<typeof AgentList>;

/** A model that can answer. */
export const Model = Type.Object({
  /** The `model` of its chats, e.g. `offline-assistant` or `ollama/llama3.2`. */
  name: Type.String(),
  /** It needs no connection. */
  offline: Type.Boolean(),
  /** What people call the connection it comes from; null: it is built in. */
  connection: Type.Union([Type.String(), Type.Null()]),
  /** Tokens that it reads at most; null: it doesn't say. */
  contextTokens: Type.Union([Type.Integer(), Type.Null()]),
});
export type Model = Static<typeof Model>;

/** Answer of `GET /api/v1/models`, the default first. */
export const ModelList = Type.Object({ models: Type.Array(Model) });
export type ModelList = Static<typeof ModelList>;
