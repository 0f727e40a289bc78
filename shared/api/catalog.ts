import { Type, type Static } from 'typebox';
import { choice, described, flag, list, object, optional, orNull, text, whole } from './common.ts';
import { ModelParameters, PARAMETER_NAMES } from './parameters.ts';

export const Agent = object('An agent that can answer in chats.', {
  agentType: text('The `agentType` of its chats.', 'orchestrator'),
  name: text('Its display name.', 'Assistant'),
  description: text('One sentence on what it is for.', 'Answers, and uses tools.'),
  builtIn: flag("Whether it comes with Parley. Built-in agents can't be changed or deleted."),
  ...optional({
    instructions: text(
      'What the model is told before the conversation. This field and those below are only sent to keys with the scope `admin`.',
    ),
    model: orNull(Type.String(), "The model of its new chats; null: the workspace's."),
    tools: Type.Union([Type.Literal('all'), Type.Array(Type.String())], {
      description: 'Names of the tools it may use, or `all`.',
    }),
    stepLimit: whole('How many rounds of model work one reply may take.'),
    parameters: described(
      ModelParameters,
      'Parameters for its model. Absent: the defaults of the model’s server.',
    ),
  }),
});
export type Agent = Static<typeof Agent>;

/** Answer of `GET /api/v1/agents`: the default agent, then the other built-in ones, then those that people created. */
export const AgentList = Type.Object({ agents: list(Agent, 'The default first.') });
export type AgentList = Static<typeof AgentList>;

export const Model = object('A model that can answer.', {
  name: text('The `model` of its chats, e.g. `offline-assistant` or `ollama/llama3.2`.'),
  offline: flag('Whether it works without a connection.'),
  connection: orNull(Type.String(), 'Name of the connection it comes from; null: it is built in.'),
  contextTokens: orNull(Type.Integer(), 'Its context size in tokens; null: unknown.'),
  ...optional({
    pictures: flag(
      "Whether it can see pictures. `false`: messages with pictures are refused, except by the built-in models, which accept them and say that they can't see them. Absent: unknown, so pictures are sent.",
    ),
    tools: flag('Whether its server says that it uses tools. Absent: it doesn’t say.'),
    reasoning: flag('Whether its server says that it can think before it answers. Absent: it doesn’t say.'),
  }),
  parameters: list(
    choice([...PARAMETER_NAMES]),
    'The parameters that its provider supports. Others are not sent.',
  ),
});
export type Model = Static<typeof Model>;

/** Answer of `GET /api/v1/models`, the default first. */
export const ModelList = Type.Object({ models: list(Model, 'The default first.') });
export type ModelList = Static<typeof ModelList>;

export const Rehearsal = object('A model that plays one of Parley’s scripts.', {
  model: text('The `model` to name in a chat or message.', 'rehearsal:tools'),
  title: text('Its display name.'),
  description: text('What it shows, in one sentence.'),
  prompt: text('A user message that fits the script.'),
  script: text('The script it plays. Sent as a message to the model `rehearsal`, the script does the same.'),
});
export type Rehearsal = Static<typeof Rehearsal>;

/** Answer of `GET /api/v1/rehearsals`. */
export const RehearsalList = Type.Object({
  rehearsals: list(Rehearsal, 'All of them, in display order.'),
});
export type RehearsalList = Static<typeof RehearsalList>;
