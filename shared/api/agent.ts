import { Type, type Static } from 'typebox';
import {
  DEFAULT_AGENT_STEPS,
  MAX_AGENT_DESCRIPTION_CHARACTERS,
  MAX_AGENT_INSTRUCTIONS_CHARACTERS,
  MAX_AGENT_STEPS,
  MAX_AGENT_TOOLS,
} from '../limits.ts';
import { withThousands } from '../numbers.ts';
import { Agent } from './catalog.ts';
import { AgentType, described } from './common.ts';
import { ModelParameters } from './parameters.ts';
import { Name } from './workspace.ts';

const Description = Type.String({
  maxLength: MAX_AGENT_DESCRIPTION_CHARACTERS,
  expected: `text of at most ${MAX_AGENT_DESCRIPTION_CHARACTERS} characters`,
});
const Instructions = Type.String({
  maxLength: MAX_AGENT_INSTRUCTIONS_CHARACTERS,
  expected: `text of at most ${withThousands(MAX_AGENT_INSTRUCTIONS_CHARACTERS)} characters`,
});
const AgentModel = Type.Union([Type.String({ minLength: 1, maxLength: 400 }), Type.Null()], {
  expected: 'a model that GET /api/v1/models names, or null',
});
const Tools = Type.Union(
  [Type.Literal('all'), Type.Array(Type.String({ maxLength: 64 }), { maxItems: MAX_AGENT_TOOLS })],
  { expected: '"all", or a list of tools that GET /api/v1/tools names' },
);
const StepLimit = Type.Integer({
  minimum: 1,
  maximum: MAX_AGENT_STEPS,
  expected: `a whole number from 1 to ${MAX_AGENT_STEPS}`,
});

/** Body of `POST /api/v1/agents`; needs the scope `admin`. */
export const CreateAgentBody = Type.Object({
  agentType: Type.Optional(described(AgentType, 'Default: made from the name. Must be unique.')),
  name: Name,
  description: Type.Optional(described(Description, 'One sentence on what it is for. Default: empty.')),
  instructions: Type.Optional(
    described(Instructions, 'What the model is told before the conversation. Default: empty.'),
  ),
  model: Type.Optional(described(AgentModel, "The model of its new chats. Null or absent: the workspace's.")),
  tools: Type.Optional(described(Tools, 'Default: `all`.')),
  stepLimit: Type.Optional(
    described(
      StepLimit,
      `How many rounds of model work one reply may take. Default: ${DEFAULT_AGENT_STEPS}.`,
    ),
  ),
  parameters: Type.Optional(ModelParameters),
});
export type CreateAgentBody = Static<typeof CreateAgentBody>;

/** Body of `PATCH /api/v1/agents/:agentType`; needs the scope `admin`. Absent fields stay as they are. */
export const UpdateAgentBody = Type.Partial(
  Type.Object({
    name: Name,
    description: Description,
    instructions: Instructions,
    model: AgentModel,
    tools: Tools,
    stepLimit: StepLimit,
    parameters: described(ModelParameters, 'Replaces all of its parameters.'),
  }),
);
export type UpdateAgentBody = Static<typeof UpdateAgentBody>;

/** Answer of every endpoint about one agent. */
export const AgentAnswer = Type.Object({ agent: Agent });
export type AgentAnswer = Static<typeof AgentAnswer>;

/** Kinds of Parley's own tools. */
export const TOOL_GROUPS = ['built_in', 'files', 'web'] as const;
export type ToolGroup = (typeof TOOL_GROUPS)[number];

export const ToolInfo = Type.Object(
  {
    name: Type.String({ description: 'The tool’s name.', examples: ['calculate'] }),
    title: Type.String({ description: 'Its display name.', examples: ['Add to a date'] }),
    group: Type.Enum([...TOOL_GROUPS], {
      description: '`built_in` needs no permission, `files` works in allowed folders, `web` fetches pages.',
    }),
    description: Type.String({ examples: ['Calculates.'], description: 'One sentence on what it does.' }),
    tokens: Type.Integer({
      description: "About how many tokens of a connected model's context its description takes.",
    }),
    input: Type.Record(Type.String(), Type.Unknown(), {
      description: 'JSON Schema of its input, an object. Models get this, and forms are built from it.',
    }),
  },
  { description: 'A tool that agents can use.' },
);
export type ToolInfo = Static<typeof ToolInfo>;

/** Answer of `GET /api/v1/tools`. */
export const ToolList = Type.Object({ tools: Type.Array(ToolInfo, { description: 'By name.' }) });
export type ToolList = Static<typeof ToolList>;
