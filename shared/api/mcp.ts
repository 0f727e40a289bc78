import { Type, type Static } from 'typebox';
import { MAX_MCP_ARGS, MAX_NAME_CHARACTERS } from '../limits.ts';
import { AgentType, Timestamp } from './common.ts';
import { Name } from './workspace.ts';

/** How a tool server (MCP) is reached: `stdio`: a program that Parley starts. `http`: streamable HTTP at an address. */
export const MCP_TRANSPORTS = ['stdio', 'http'] as const;
export type McpTransport = (typeof MCP_TRANSPORTS)[number];

/** A tool of a server, as listed last. */
export const McpTool = Type.Object({
  /** What models call it by: `<slug of the server>__<tool>`. */
  name: Type.String(),
  /** As the server names it. */
  tool: Type.String(),
  /** What the server says of it; empty when it says nothing. */
  description: Type.String(),
  /** The server claims that it changes nothing. Calls ask all the same. */
  isReadOnly: Type.Boolean(),
});
export type McpTool = Static<typeof McpTool>;

/** How things stand with a server: `idle`: not needed just now. */
export const MCP_STATES = ['off', 'idle', 'opening', 'connected', 'failed'] as const;
export type McpState = (typeof MCP_STATES)[number];

/** A tool server that a person has added. A `stdio` one is a program that runs with the person's rights. */
export const McpServer = Type.Object({
  id: Type.String(),
  /** What people call it. */
  name: Type.String(),
  /** The first part of its tools' names; stays the same when it is renamed. */
  slug: Type.String(),
  transport: Type.Enum([...MCP_TRANSPORTS]),
  /** The program, for `stdio`; else null. */
  command: Type.Union([Type.String(), Type.Null()]),
  /** What the program is told, for `stdio`. */
  args: Type.Array(Type.String()),
  /** The address, for `http`; else null. */
  url: Type.Union([Type.String(), Type.Null()]),
  /** Names of its environment variables or headers. Their values are never told. */
  secretNames: Type.Array(Type.String()),
  /** `locked`: they are kept, and can't be opened here and now. */
  secrets: Type.Enum(['none', 'present', 'locked']),
  /** Whether it is used at all. */
  enabled: Type.Boolean(),
  /** Agents that may use it, or `all`. */
  agents: Type.Union([Type.Literal('all'), Type.Array(Type.String())]),
  /** As listed last; empty until they are. */
  tools: Type.Array(McpTool),
  /** When they were listed last; null: never yet, or not since it moved. */
  toolsListedAt: Type.Union([Timestamp, Type.Null()]),
  state: Type.Enum([...MCP_STATES]),
  /** Why it could not be used when it was tried last, in words; null: it could, or wasn't tried. */
  problem: Type.Union([Type.String(), Type.Null()]),
  createdAt: Timestamp,
});
export type McpServer = Static<typeof McpServer>;

const Command = Type.String({
  pattern: '\\S',
  maxLength: 1_000,
  description: 'a program, without its arguments',
});
const Args = Type.Array(Type.String({ maxLength: 8_000 }), {
  maxItems: MAX_MCP_ARGS,
  description: `a list of at most ${MAX_MCP_ARGS} texts`,
});
/** Address of a server: http or https, without a user name. */
const Url = Type.String({
  pattern: '^[Hh][Tt][Tt][Pp][Ss]?://[^\\s#@]+$',
  maxLength: 2_000,
  description: 'an address like "http://127.0.0.1:8000/mcp"',
});
const Agents = Type.Union([Type.Literal('all'), Type.Array(AgentType, { maxItems: 200 })], {
  description: '"all", or a list of agentTypes',
});
const Secret = Type.String({ maxLength: 8_000, description: 'text' });
const Secrets = Type.Record(Type.String(), Secret, { description: 'names with a text each' });
const SecretChanges = Type.Record(Type.String(), Type.Union([Secret, Type.Null()]), {
  description: 'names with a text each, or null',
});

/** Body of `POST /api/v1/mcp-servers`. `stdio` needs a `command`, `http` a `url`. */
export const CreateMcpServerBody = Type.Object({
  name: Name,
  transport: Type.Enum([...MCP_TRANSPORTS], { description: '"stdio" or "http"' }),
  command: Type.Optional(Command),
  args: Type.Optional(Args),
  /** Environment variables of the program, beside the few that all programs need. Kept as secrets. */
  env: Type.Optional(Secrets),
  url: Type.Optional(Url),
  /** Headers of each request. Kept as secrets. */
  headers: Type.Optional(Secrets),
  /** True unless given. */
  enabled: Type.Optional(Type.Boolean()),
  /** The default agent alone unless given. */
  agents: Type.Optional(Agents),
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
    enabled: Type.Boolean(),
    agents: Agents,
  }),
);
export type UpdateMcpServerBody = Static<typeof UpdateMcpServerBody>;

/** Body of `POST /api/v1/mcp-servers/test`: as for adding one; the name may be left out. */
export const TestMcpServerBody = Type.Object({
  ...CreateMcpServerBody.properties,
  name: Type.Optional(Type.String({ maxLength: MAX_NAME_CHARACTERS })),
});
export type TestMcpServerBody = Static<typeof TestMcpServerBody>;

/** Answers about tool servers; all of them need the scope `admin`. Oldest first. */
export const McpServerList = Type.Object({ servers: Type.Array(McpServer) });
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
  finding: Type.Enum([...MCP_FINDINGS]),
  /** A sentence or two a person can act on. */
  message: Type.String(),
  /** How long it took, in milliseconds. */
  tookMs: Type.Integer(),
  /** What it offers; empty unless `ok`. */
  tools: Type.Array(McpTool),
});
export type McpTest = Static<typeof McpTest>;
