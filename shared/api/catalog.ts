import { Type, type Static } from 'typebox';
import { described } from './common.ts';
import { ModelParameters, PARAMETER_NAMES } from './parameters.ts';

export const Agent = Type.Object(
  {
    agentType: Type.String({ examples: ['orchestrator'], description: 'The `agentType` of its chats.' }),
    name: Type.String({ examples: ['Orchestrator'], description: 'What people call it.' }),
    description: Type.String({
      description: 'One sentence on what it is for.',
      examples: ['Answers, and uses tools.'],
    }),
    builtIn: Type.Boolean({ description: "It comes with the app, and can't be changed or removed." }),
    instructions: Type.Optional(
      Type.String({
        description:
          'What the model is told before the conversation. This and what follows: only for the scope `admin`.',
      }),
    ),
    model: Type.Optional(
      Type.Union([Type.String(), Type.Null()], {
        description: "The model of its new chats; null: the workspace's.",
      }),
    ),
    tools: Type.Optional(
      Type.Union([Type.Literal('all'), Type.Array(Type.String())], {
        description: 'Names of the tools it may use, or `all`.',
      }),
    ),
    stepLimit: Type.Optional(Type.Integer({ description: 'Rounds of model work one reply may take.' })),
    parameters: Type.Optional(
      described(ModelParameters, 'How its model is to choose its words; absent: as it does.'),
    ),
  },
  { description: 'A kind of agent that a chat can have.' },
);
export type Agent = Static<typeof Agent>;

/** Answer of `GET /api/v1/agents`: the default, then the others that are built in, then those that people made. */
export const AgentList = Type.Object({ agents: Type.Array(Agent, { description: 'The default first.' }) });
export type AgentList = Static<typeof AgentList>;

export const Model = Type.Object(
  {
    name: Type.String({
      description: 'The `model` of its chats, e.g. `offline-assistant` or `ollama/llama3.2`.',
    }),
    offline: Type.Boolean({ description: 'It needs no connection.' }),
    connection: Type.Union([Type.String(), Type.Null()], {
      description: 'What people call the connection it comes from; null: it is built in.',
    }),
    contextTokens: Type.Union([Type.Integer(), Type.Null()], {
      description: "Tokens that it reads at most; null: it doesn't say.",
    }),
    pictures: Type.Optional(
      Type.Boolean({
        description:
          "Whether it looks at pictures. `false`: a message with pictures is refused for it; the built-in models take one, and say that they can't look at them. Absent: nobody knows, and it is tried.",
      }),
    ),
    parameters: Type.Array(Type.Enum([...PARAMETER_NAMES]), {
      description: 'The parameters that its provider knows; the others are not sent.',
    }),
  },
  { description: 'A model that can answer.' },
);
export type Model = Static<typeof Model>;

/** Answer of `GET /api/v1/models`, the default first. */
export const ModelList = Type.Object({ models: Type.Array(Model, { description: 'The default first.' }) });
export type ModelList = Static<typeof ModelList>;

export const Rehearsal = Type.Object(
  {
    model: Type.String({
      examples: ['rehearsal:tools'],
      description: 'The `model` of chats and messages that it answers.',
    }),
    title: Type.String({ description: 'What people call it.' }),
    description: Type.String({ description: 'What it shows, in one sentence.' }),
    prompt: Type.String({ description: 'A message that fits before it.' }),
    script: Type.String({
      description: 'What it plays; a message that holds it plays the same with `rehearsal`.',
    }),
  },
  { description: 'A model that plays a script that comes with Parley.' },
);
export type Rehearsal = Static<typeof Rehearsal>;

/** Answer of `GET /api/v1/rehearsals`. */
export const RehearsalList = Type.Object({
  rehearsals: Type.Array(Rehearsal, { description: 'All of them, in the order in which they are shown.' }),
});
export type RehearsalList = Static<typeof RehearsalList>;
