import { Type, type Static } from 'typebox';
import { TOOL_GROUPS } from '../choices.ts';
import {
  DEFAULT_AGENT_STEPS,
  MAX_AGENT_DESCRIPTION_CHARACTERS,
  MAX_AGENT_INSTRUCTIONS_CHARACTERS,
  MAX_AGENT_STEPS,
  MAX_AGENT_TOOLS,
} from '../limits.ts';
import { Agent } from './catalog.ts';
import { AgentType, choice, described, list, object, orNull, partial, text, whole } from './common.ts';
import { ModelParameters } from './parameters.ts';
import { Name } from './workspace.ts';

/** Body of `PATCH /api/v1/agents/:agentType`; needs the scope `admin`. Absent fields stay as they are. */
export const UpdateAgentBody = partial({
  name: Name,
  description: text('One sentence on what it is for. New agents: empty.', {
    maxLength: MAX_AGENT_DESCRIPTION_CHARACTERS,
  }),
  instructions: text('What the model is told before the conversation. New agents: empty.', {
    maxLength: MAX_AGENT_INSTRUCTIONS_CHARACTERS,
  }),
  model: orNull(Type.String({ minLength: 1, maxLength: 400 }), {
    description: "The model of its new chats. Null: the workspace's, as for new agents.",
    expected: 'a model that GET /api/v1/models names, or null',
  }),
  tools: Type.Union(
    [Type.Literal('all'), Type.Array(Type.String({ maxLength: 64 }), { maxItems: MAX_AGENT_TOOLS })],
    {
      description: 'New agents: `all`.',
      expected: '"all", or a list of tools that GET /api/v1/tools names',
    },
  ),
  stepLimit: whole(`How many rounds of model work one reply may take. New agents: ${DEFAULT_AGENT_STEPS}.`, {
    minimum: 1,
    maximum: MAX_AGENT_STEPS,
  }),
  parameters: described(ModelParameters, 'Replaces all of its parameters.'),
});
export type UpdateAgentBody = Static<typeof UpdateAgentBody>;

/** Body of `POST /api/v1/agents`; needs the scope `admin`. */
export const CreateAgentBody = Type.Object({
  ...UpdateAgentBody.properties,
  agentType: Type.Optional(described(AgentType, 'Default: made from the name. Must be unique.')),
  name: Name,
  parameters: Type.Optional(ModelParameters),
});
export type CreateAgentBody = Static<typeof CreateAgentBody>;

/** Answer of every endpoint about one agent. */
export const AgentAnswer = Type.Object({ agent: Agent });
export type AgentAnswer = Static<typeof AgentAnswer>;

export type ToolGroup = (typeof TOOL_GROUPS)[number];

export const ToolInfo = object('A tool that agents can use.', {
  name: text('The tool’s name.', 'calculate'),
  title: text('Its display name.', 'Add to a date'),
  group: choice(
    TOOL_GROUPS,
    '`built_in` needs no permission, `files` works in allowed folders, `web` fetches pages.',
  ),
  description: text('One sentence on what it does.', 'Calculates.'),
  tokens: whole("About how many tokens of a connected model's context its description takes."),
  input: Type.Record(Type.String(), Type.Unknown(), {
    description: 'JSON Schema of its input, an object. Models get this, and forms are built from it.',
  }),
});
export type ToolInfo = Static<typeof ToolInfo>;

/** Answer of `GET /api/v1/tools`. */
export const ToolList = Type.Object({ tools: list(ToolInfo, 'By name.') });
export type ToolList = Static<typeof ToolList>;
