import { Type, type Static } from 'typebox';
import { described, optional, orNull } from './common.ts';
import { ModelParameters, PARAMETER_NAMES } from './parameters.ts';

export const Agent = Type.Object(
  {
    agentType: Type.String({ examples: ['orchestrator'], description: 'The `agentType` of its chats.' }),
    name: Type.String({ examples: ['Assistant'], description: 'Its display name.' }),
    description: Type.String({
      description: 'One sentence on what it is for.',
      examples: ['Answers, and uses tools.'],
    }),
    builtIn: Type.Boolean({
      description: "Whether it comes with Parley. Built-in agents can't be changed or deleted.",
    }),
    ...optional({
      instructions: Type.String({
        description:
          'What the model is told before the conversation. This field and those below are only sent to keys with the scope `admin`.',
      }),
      model: orNull(Type.String(), {
        description: "The model of its new chats; null: the workspace's.",
      }),
      tools: Type.Union([Type.Literal('all'), Type.Array(Type.String())], {
        description: 'Names of the tools it may use, or `all`.',
      }),
      stepLimit: Type.Integer({ description: 'How many rounds of model work one reply may take.' }),
      parameters: described(
        ModelParameters,
        'Parameters for its model. Absent: the defaults of the model’s server.',
      ),
    }),
  },
  { description: 'An agent that can answer in chats.' },
);
export type Agent = Static<typeof Agent>;

/** Answer of `GET /api/v1/agents`: the default agent, then the other built-in ones, then those that people created. */
export const AgentList = Type.Object({ agents: Type.Array(Agent, { description: 'The default first.' }) });
export type AgentList = Static<typeof AgentList>;

export const Model = Type.Object(
  {
    name: Type.String({
      description: 'The `model` of its chats, e.g. `offline-assistant` or `ollama/llama3.2`.',
    }),
    offline: Type.Boolean({ description: 'Whether it works without a connection.' }),
    connection: orNull(Type.String(), {
      description: 'Name of the connection it comes from; null: it is built in.',
    }),
    contextTokens: orNull(Type.Integer(), {
      description: 'Its context size in tokens; null: unknown.',
    }),
    pictures: Type.Optional(
      Type.Boolean({
        description:
          "Whether it can see pictures. `false`: messages with pictures are refused, except by the built-in models, which accept them and say that they can't see them. Absent: unknown, so pictures are sent.",
      }),
    ),
    tools: Type.Optional(
      Type.Boolean({ description: 'Whether its server says that it uses tools. Absent: it doesn’t say.' }),
    ),
    reasoning: Type.Optional(
      Type.Boolean({
        description: 'Whether its server says that it can think before it answers. Absent: it doesn’t say.',
      }),
    ),
    parameters: Type.Array(Type.Enum([...PARAMETER_NAMES]), {
      description: 'The parameters that its provider supports. Others are not sent.',
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
      description: 'The `model` to name in a chat or message.',
    }),
    title: Type.String({ description: 'Its display name.' }),
    description: Type.String({ description: 'What it shows, in one sentence.' }),
    prompt: Type.String({ description: 'A user message that fits the script.' }),
    script: Type.String({
      description:
        'The script it plays. Sent as a message to the model `rehearsal`, the script does the same.',
    }),
  },
  { description: 'A model that plays one of Parley’s scripts.' },
);
export type Rehearsal = Static<typeof Rehearsal>;

/** Answer of `GET /api/v1/rehearsals`. */
export const RehearsalList = Type.Object({
  rehearsals: Type.Array(Rehearsal, { description: 'All of them, in display order.' }),
});
export type RehearsalList = Static<typeof RehearsalList>;
