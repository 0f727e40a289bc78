import { Type, type Static } from 'typebox';

/** A kind of agent that a chat can have. */
export const Agent = Type.Object({
  /** The `agentType` of its chats. */
  agentType: Type.String(),
  /** What people call it. */
  name: Type.String(),
  /** One sentence on what it is for. */
  description: Type.String(),
  /** It comes with the app, and can't be changed or removed. */
  builtIn: Type.Boolean(),
  /** What the model is told before the conversation. This and what follows: only for the scope `admin`. */
  instructions: Type.Optional(Type.String()),
  /** The model of its new chats; null: the workspace's. */
  model: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  /** Names of the tools it may use, or `all`. */
  tools: Type.Optional(Type.Union([Type.Literal('all'), Type.Array(Type.String())])),
  /** Rounds of model work one reply may take. */
  stepLimit: Type.Optional(Type.Integer()),
});
export type Agent = Static<typeof Agent>;

/** Answer of `GET /api/v1/agents`: the default, then the others that are built in, then those that people made. */
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
