import { Type, type Static } from 'typebox';
import { MAX_MCP_ARGS, MAX_NAME_CHARACTERS } from '../limits.ts';
import { AgentType, described, Timestamp } from './common.ts';
import { Name } from './workspace.ts';

/** How a tool server (MCP) is reached: `stdio`: a program that Parley starts. `http`: streamable HTTP at an address. */
export const MCP_TRANSPORTS = ['stdio', 'http'] as const;
export type McpTransport = (typeof MCP_TRANSPORTS)[number];

export const McpTool = Type.Object(
  {
    name: Type.String({
      examples: ['calendar__list_events'],
      description: 'What models call it by: `<slug of the server>__<tool>`.',
    }),
    tool: Type.String({ examples: ['list_events'], description: 'As the server names it.' }),
    description: Type.String({
      description: 'What the server says of it; empty when it says nothing.',
      examples: ['Lists events.'],
    }),
    isReadOnly: Type.Boolean({
      description: 'The server claims that it changes nothing. Calls ask all the same.',
    }),
  },
  { description: 'A tool of a server, as listed last.' },
);
export type McpTool = Static<typeof McpTool>;

/** How things stand with a server: `idle`: not needed just now. */
export const MCP_STATES = ['off', 'idle', 'opening', 'connected', 'failed'] as const;
export type McpState = (typeof MCP_STATES)[number];

export const McpServer = Type.Object(
  {
    id: Type.String({ description: 'What it is told apart by.', examples: ['01jd3v6k2q8x'] }),
    name: Type.String({ examples: ['Calendar'], description: 'What people call it.' }),
    slug: Type.String({
      examples: ['calendar'],
      description: "The first part of its tools' names; stays the same when it is renamed.",
    }),
    transport: Type.Enum([...MCP_TRANSPORTS], {
      description: '`stdio`: a program that Parley starts. `http`: streamable HTTP at an address.',
    }),
    command: Type.Union([Type.String(), Type.Null()], {
      description: 'The program, for `stdio`; else null.',
    }),
    args: Type.Array(Type.String(), { description: 'What the program is told, for `stdio`.' }),
    url: Type.Union([Type.String(), Type.Null()], { description: 'The address, for `http`; else null.' }),
    secretNames: Type.Array(Type.String(), {
      description: 'Names of its environment variables or headers. Their values are never told.',
    }),
    secrets: Type.Enum(['none', 'present', 'locked'], {
      description: "`locked`: they are kept, and can't be opened here and now.",
    }),
    enabled: Type.Boolean({ description: 'Whether it is used at all.' }),
    agents: Type.Union([Type.Literal('all'), Type.Array(Type.String())], {
      description: 'Agents that may use it, or `all`.',
    }),
    tools: Type.Array(McpTool, { description: 'As listed last; empty until they are.' }),
    toolsListedAt: Type.Union([Timestamp, Type.Null()], {
      description: 'When they were listed last; null: never yet, or not since it moved.',
    }),
    state: Type.Enum([...MCP_STATES], {
      description: '`off`, or how the connection stands; `idle`: not needed just now.',
    }),
    problem: Type.Union([Type.String(), Type.Null()], {
      description:
        "Why it could not be used when it was tried last, in words; null: it could, or wasn't tried.",
    }),
    createdAt: Timestamp,
  },
  {
    description:
      "A tool server that a person has added. A `stdio` one is a program that runs with the person's rights.",
  },
);
export type McpServer = Static<typeof McpServer>;

const Command = Type.String({
  pattern: '\\S',
  maxLength: 1_000,
  expected: 'a program, without its arguments',
});
const Args = Type.Array(Type.String({ maxLength: 8_000 }), {
  maxItems: MAX_MCP_ARGS,
  expected: `a list of at most ${MAX_MCP_ARGS} texts`,
});
/** Address of a server: http or https, without a user name. */
const Url = Type.String({
  pattern: '^[Hh][Tt][Tt][Pp][Ss]?://[^\\s#@]+$',
  maxLength: 2_000,
  expected: 'an address like "http://127.0.0.1:8000/mcp"',
});
const Agents = Type.Union([Type.Literal('all'), Type.Array(AgentType, { maxItems: 200 })], {
  expected: '"all", or a list of agentTypes',
});
const Secret = Type.String({ maxLength: 8_000, expected: 'text' });
const Secrets = Type.Record(Type.String(), Secret, { expected: 'names with a text each' });
const SecretChanges = Type.Record(Type.String(), Type.Union([Secret, Type.Null()]), {
  expected: 'names with a text each, or null',
});

/** Body of `POST /api/v1/mcp-servers`. `stdio` needs a `command`, `http` a `url`. */
export const CreateMcpServerBody = Type.Object({
  name: Name,
  transport: Type.Enum([...MCP_TRANSPORTS], {
    description: 'How it is reached.',
    expected: '"stdio" or "http"',
  }),
  command: Type.Optional(Command),
  args: Type.Optional(Args),
  env: Type.Optional(
    described(
      Secrets,
      'Environment variables of the program, beside the few that all programs need. Kept as secrets.',
    ),
  ),
  url: Type.Optional(Url),
  headers: Type.Optional(described(Secrets, 'Headers of each request. Kept as secrets.')),
  enabled: Type.Optional(Type.Boolean({ description: 'True unless given.' })),
  agents: Type.Optional(described(Agents, 'The default agent alone unless given.')),
});
export type CreateMcpServerBody = Static<typeof CreateMcpServerBody>;

/**
 * Body of `PATCH /api/v1/mcp-servers/:serverId`; what is absent stays. Of `env` and `headers`, a text sets one, null removes
 * it, and what isn't named stays. When the address is that of another server, all headers that are kept must be given anew.
 */
export const UpdateMcpServerBody = Type.Partial(
  Type.Object({
    name: Name,
    command: Command,
    args: Args,
    env: SecretChanges,
    url: Url,
    headers: SecretChanges,
    enabled: Type.Boolean({ description: 'Whether it is used at all.' }),
    agents: Agents,
  }),
);
export type UpdateMcpServerBody = Static<typeof UpdateMcpServerBody>;

/** Body of `POST /api/v1/mcp-servers/test`: as for adding one; the name may be left out. */
export const TestMcpServerBody = Type.Object({
  ...CreateMcpServerBody.properties,
  name: Type.Optional(
    Type.String({ description: 'What people call it; of no matter here.', maxLength: MAX_NAME_CHARACTERS }),
  ),
});
export type TestMcpServerBody = Static<typeof TestMcpServerBody>;

/** Answers about tool servers; all of them need the scope `admin`. Oldest first. */
export const McpServerList = Type.Object({
  servers: Type.Array(McpServer, { description: 'Oldest first.' }),
});
export type McpServerList = Static<typeof McpServerList>;
export const McpServerAnswer = Type.Object({ server: McpServer });
export type McpServerAnswer = Static<typeof McpServerAnswer>;

/**
 * What a test found. `program_not_found`; `ended`: the program ended at once; `too_slow`: no answer in time; `not_mcp`:
 * something answers that is no tool server; `unreachable`: nobody answers there; `wrong_address`: somebody else does;
 * `key_needed`, `key_refused`: 401 or 403; `secrets_locked`: what is kept of it can't be opened; `failed`: it reports a fault.
 */
export const MCP_FINDINGS = [
  'ok',
  'program_not_found',
  'ended',
  'too_slow',
  'not_mcp',
  'unreachable',
  'wrong_address',
  'key_needed',
  'key_refused',
  'secrets_locked',
  'failed',
] as const;
export type McpFinding = (typeof MCP_FINDINGS)[number];

/** Answer of a test, 200 whatever was found. */
export const McpTest = Type.Object({
  finding: Type.Enum([...MCP_FINDINGS], {
    description:
      '`program_not_found`; `ended`: the program ended at once; `too_slow`: no answer in time; `not_mcp`: something answers that is no tool server; `unreachable`: nobody answers there; `wrong_address`: somebody else does; `key_needed`, `key_refused`: 401 or 403; `secrets_locked`: what is kept of it can’t be opened; `failed`: it reports a fault.',
  }),
  message: Type.String({
    examples: ['It answers, and offers 3 tools.'],
    description: 'A sentence or two a person can act on.',
  }),
  tookMs: Type.Integer({ description: 'How long it took, in milliseconds.' }),
  tools: Type.Array(McpTool, { description: 'What it offers; empty unless `ok`.' }),
});
export type McpTest = Static<typeof McpTest>;
