import { Type, type Static } from 'typebox';
import { MAX_MCP_ARGS, MAX_NAME_CHARACTERS } from '../limits.ts';
import { AgentType, described, orNull, Timestamp } from './common.ts';
import { Name } from './workspace.ts';

const Transport = Type.Enum(['stdio', 'http'], {
  description: '`stdio`: a program that Parley starts. `http`: streamable HTTP at an address.',
});

export const McpTool = Type.Object(
  {
    name: Type.String({
      examples: ['calendar__list_events'],
      description: 'The name models call it by: `<slug of the server>__<tool>`.',
    }),
    tool: Type.String({ examples: ['list_events'], description: 'The server’s name for it.' }),
    description: Type.String({
      description: 'The server’s description; empty if there is none.',
      examples: ['Lists events.'],
    }),
    isReadOnly: Type.Boolean({
      description: 'Whether the server claims that it changes nothing. Parley asks before each call anyway.',
    }),
  },
  { description: 'A tool of a server, as last listed.' },
);
export type McpTool = Static<typeof McpTool>;

export const McpServer = Type.Object(
  {
    id: Type.String({ description: 'Unique id.', examples: ['01jd3v6k2q8x'] }),
    name: Type.String({ examples: ['Calendar'], description: 'Its display name.' }),
    slug: Type.String({
      examples: ['calendar'],
      description: "The first part of its tools' names. Renaming the server doesn't change it.",
    }),
    transport: Transport,
    command: orNull(Type.String(), {
      description: 'The program to start, for `stdio`; otherwise null.',
    }),
    args: Type.Array(Type.String(), { description: 'Arguments of the program, for `stdio`.' }),
    url: orNull(Type.String(), {
      description: 'The address, for `http`; otherwise null.',
    }),
    secretNames: Type.Array(Type.String(), {
      description: 'Names of its environment variables or headers. Their values are never sent to clients.',
    }),
    secrets: Type.Enum(['none', 'present', 'locked'], {
      description: "`locked`: they are stored, but can't be decrypted now.",
    }),
    signIn: Type.Enum(['none', 'needed', 'pending', 'present', 'ended'], {
      description:
        '`needed`: it asks for a sign-in (OAuth), or one was begun and never finished. `pending`: a browser was sent to sign in and hasn’t come back. `ended`: it no longer takes the one it had, or wants more rights. `none`: it hasn’t asked for one.',
    }),
    enabled: Type.Boolean({ description: 'Whether it is used at all.' }),
    agents: Type.Union([Type.Literal('all'), Type.Array(Type.String())], {
      description: 'The agents that may use it, or `all`.',
    }),
    tools: Type.Array(McpTool, { description: 'As last listed; empty until then.' }),
    toolsListedAt: orNull(Timestamp, {
      description: 'When they were last listed; null: never, or not since the server’s address changed.',
    }),
    state: Type.Enum(['off', 'idle', 'opening', 'connected', 'failed'], {
      description: '`off`, or the state of the connection. `idle`: not needed right now.',
    }),
    problem: orNull(Type.String(), {
      description:
        'Why the last attempt to use it failed, what it last wrote while it starts, or which of its tools are left out; null: none of these.',
    }),
    createdAt: Timestamp,
  },
  {
    description:
      "A tool server that a person added. A `stdio` server is a program that runs with the person's permissions.",
  },
);
export type McpServer = Static<typeof McpServer>;
export type McpTransport = McpServer['transport'];
export type McpState = McpServer['state'];

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
const SecretChanges = Type.Record(Type.String(), orNull(Secret), {
  expected: 'names with a text each, or null',
});

/**
 * Body of `PATCH /api/v1/mcp-servers/:serverId`. Absent fields stay as they are. In `env` and `headers`, text sets a value, null
 * removes it, and names that aren't given stay. If the address changes to another server, send all stored headers again.
 */
export const UpdateMcpServerBody = Type.Partial(
  Type.Object({
    name: Name,
    command: Command,
    args: Args,
    env: SecretChanges,
    url: Url,
    headers: SecretChanges,
    enabled: Type.Boolean({ description: 'Whether it is used at all. New servers are.' }),
    agents: described(Agents, 'The agents that may use it, or `all`. New servers: only the default agent.'),
  }),
);
export type UpdateMcpServerBody = Static<typeof UpdateMcpServerBody>;

/** Body of `POST /api/v1/mcp-servers`. `stdio` needs a `command`, `http` a `url`. */
export const CreateMcpServerBody = Type.Object({
  ...UpdateMcpServerBody.properties,
  name: Name,
  transport: Transport,
  env: Type.Optional(
    described(
      Secrets,
      'Environment variables for the program, in addition to the few that every program needs. Stored as secrets.',
    ),
  ),
  headers: Type.Optional(described(Secrets, 'Headers of each request. Stored as secrets.')),
});
export type CreateMcpServerBody = Static<typeof CreateMcpServerBody>;

/** Body of `POST /api/v1/mcp-servers/test`: the same as for adding one, but the name is optional. */
export const TestMcpServerBody = Type.Object({
  ...CreateMcpServerBody.properties,
  name: Type.Optional(
    Type.String({ description: 'What people call it; of no matter here.', maxLength: MAX_NAME_CHARACTERS }),
  ),
});
export type TestMcpServerBody = Static<typeof TestMcpServerBody>;

/** Body of `POST /api/v1/mcp-servers/:serverId/sign-in`. */
export const McpSignInBody = Type.Partial(
  Type.Object({
    clientId: Type.String({
      minLength: 1,
      maxLength: 2_000,
      expected: 'a client id',
      description:
        'Only for an authorization server that doesn’t register apps by itself: the id under which Parley is registered there, or the https address of a client id document. Kept until the sign-out.',
    }),
    clientSecret: Type.String({
      minLength: 1,
      maxLength: 2_000,
      expected: 'text',
      description: 'The secret that goes with the id, if it has one. Stored as a secret.',
    }),
  }),
);
export type McpSignInBody = Static<typeof McpSignInBody>;

export const McpSignIn = Type.Object({
  url: Type.String({
    description: 'Where the person signs in: open it in their browser, after they have seen its host.',
    examples: ['https://auth.example.com/authorize?client_id=…'],
  }),
  expiresAt: described(Timestamp, 'The browser has to be back by then.'),
});
export type McpSignIn = Static<typeof McpSignIn>;

/** Answers about tool servers; all of them need the scope `admin`. Oldest first. */
export const McpServerList = Type.Object({
  servers: Type.Array(McpServer, { description: 'Oldest first.' }),
});
export type McpServerList = Static<typeof McpServerList>;
export const McpServerAnswer = Type.Object({ server: McpServer });
export type McpServerAnswer = Static<typeof McpServerAnswer>;
export const McpSignOutAnswer = Type.Object({
  server: McpServer,
  isRevoked: Type.Boolean({
    description:
      'Whether the authorization server confirmed that its tokens are no longer valid. Parley has forgotten them in any case.',
  }),
});
export type McpSignOutAnswer = Static<typeof McpSignOutAnswer>;

/** Answer of a test: 200, whatever the test found. */
export const McpTest = Type.Object({
  finding: Type.Enum(
    [
      'ok',
      'program_not_found',
      'ended',
      'too_slow',
      'not_mcp',
      'unreachable',
      'wrong_address',
      'key_needed',
      'key_refused',
      'sign_in_needed',
      'secrets_locked',
      'failed',
    ],
    {
      description:
        '`program_not_found`; `ended`: the program exited right away; `too_slow`: no answer in time; `not_mcp`: what answers is not a tool server; `unreachable`: no answer from this address; `wrong_address`: something else answers; `key_needed`, `key_refused`: 401 or 403; `sign_in_needed`: it asks a person to sign in (OAuth); `secrets_locked`: its stored values can’t be decrypted; `failed`: the server reported an error.',
    },
  ),
  message: Type.String({
    examples: ['It answers, and offers 3 tools.'],
    description: 'A sentence or two a person can act on.',
  }),
  tookMs: Type.Integer({ description: 'How long the test took, in milliseconds.' }),
  tools: Type.Array(McpTool, { description: 'The tools it offers; empty unless `ok`.' }),
});
export type McpTest = Static<typeof McpTest>;
/** What a test found. */
export type McpFinding = McpTest['finding'];
