import { Type, type Static } from 'typebox';
import { MAX_MCP_ARGS, MAX_NAME_CHARACTERS } from '../limits.ts';
import {
  AgentType,
  choice,
  described,
  flag,
  list,
  object,
  orNull,
  partial,
  text,
  time,
  Timestamp,
  whole,
} from './common.ts';
import { Name } from './workspace.ts';

const Transport = choice(
  ['stdio', 'http'],
  '`stdio`: a program that Parley starts. `http`: streamable HTTP at an address.',
);

export const McpTool = object('A tool of a server, as last listed.', {
  name: text('The name models call it by: `<slug of the server>__<tool>`.', 'calendar__list_events'),
  tool: text('The server’s name for it.', 'list_events'),
  description: text('The server’s description; empty if there is none.', 'Lists events.'),
  isReadOnly: flag('Whether the server claims that it changes nothing. Parley asks before each call anyway.'),
});
export type McpTool = Static<typeof McpTool>;

export const McpServer = object(
  "A tool server that a person added. A `stdio` server is a program that runs with the person's permissions.",
  {
    id: text('Unique id.', '01jd3v6k2q8x'),
    name: text('Its display name.', 'Calendar'),
    slug: text("The first part of its tools' names. Renaming the server doesn't change it.", 'calendar'),
    transport: Transport,
    command: orNull(Type.String(), 'The program to start, for `stdio`; otherwise null.'),
    args: list(Type.String(), 'Arguments of the program, for `stdio`.'),
    url: orNull(Type.String(), 'The address, for `http`; otherwise null.'),
    secretNames: list(
      Type.String(),
      'Names of its environment variables or headers. Their values are never sent to clients.',
    ),
    secrets: choice(['none', 'present', 'locked'], "`locked`: they are stored, but can't be decrypted now."),
    signIn: choice(
      ['none', 'needed', 'pending', 'present', 'ended'],
      '`needed`: it asks for a sign-in (OAuth), or one was begun and never finished. `pending`: a browser was sent to sign in and hasn’t come back. `ended`: it no longer takes the one it had, or wants more rights. `none`: it hasn’t asked for one.',
    ),
    enabled: flag('Whether it is used at all.'),
    agents: Type.Union([Type.Literal('all'), Type.Array(Type.String())], {
      description: 'The agents that may use it, or `all`.',
    }),
    tools: list(McpTool, 'As last listed; empty until then.'),
    toolsListedAt: orNull(
      Timestamp,
      'When they were last listed; null: never, or not since the server’s address changed.',
    ),
    state: choice(
      ['off', 'idle', 'opening', 'connected', 'failed'],
      '`off`, or the state of the connection. `idle`: not needed right now.',
    ),
    problem: orNull(
      Type.String(),
      'Why the last attempt to use it failed, what it last wrote while it starts, or which of its tools are left out; null: none of these.',
    ),
    createdAt: Timestamp,
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
export const UpdateMcpServerBody = partial({
  name: Name,
  command: Command,
  args: Args,
  env: SecretChanges,
  url: Url,
  headers: SecretChanges,
  enabled: flag('Whether it is used at all. New servers are.'),
  agents: described(Agents, 'The agents that may use it, or `all`. New servers: only the default agent.'),
});
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
  name: Type.Optional(text('What people call it; of no matter here.', { maxLength: MAX_NAME_CHARACTERS })),
});
export type TestMcpServerBody = Static<typeof TestMcpServerBody>;

/** Body of `POST /api/v1/mcp-servers/:serverId/sign-in`. */
export const McpSignInBody = partial({
  clientId: text(
    'Only for an authorization server that doesn’t register apps by itself: the id under which Parley is registered there, or the https address of a client id document. Kept until the sign-out.',
    { minLength: 1, maxLength: 2_000, expected: 'a client id' },
  ),
  clientSecret: text('The secret that goes with the id, if it has one. Stored as a secret.', {
    minLength: 1,
    maxLength: 2_000,
    expected: 'text',
  }),
});
export type McpSignInBody = Static<typeof McpSignInBody>;

export const McpSignIn = Type.Object({
  url: text(
    'Where the person signs in: open it in their browser, after they have seen its host.',
    'https://auth.example.com/authorize?client_id=…',
  ),
  expiresAt: time('The browser has to be back by then.'),
});
export type McpSignIn = Static<typeof McpSignIn>;

/** Answers about tool servers; all of them need the scope `admin`. Oldest first. */
export const McpServerList = Type.Object({
  servers: list(McpServer, 'Oldest first.'),
});
export type McpServerList = Static<typeof McpServerList>;
export const McpServerAnswer = Type.Object({ server: McpServer });
export const McpSignOutAnswer = Type.Object({
  server: McpServer,
  isRevoked: flag(
    'Whether the authorization server confirmed that its tokens are no longer valid. Parley has forgotten them in any case.',
  ),
});
export type McpSignOutAnswer = Static<typeof McpSignOutAnswer>;

/** Answer of a test: 200, whatever the test found. */
export const McpTest = Type.Object({
  finding: choice(
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
    '`program_not_found`; `ended`: the program exited right away; `too_slow`: no answer in time; `not_mcp`: what answers is not a tool server; `unreachable`: no answer from this address; `wrong_address`: something else answers; `key_needed`, `key_refused`: 401 or 403; `sign_in_needed`: it asks a person to sign in (OAuth); `secrets_locked`: its stored values can’t be decrypted; `failed`: the server reported an error.',
  ),
  message: text('A sentence or two a person can act on.', 'It answers, and offers 3 tools.'),
  tookMs: whole('How long the test took, in milliseconds.'),
  tools: list(McpTool, 'The tools it offers; empty unless `ok`.'),
});
export type McpTest = Static<typeof McpTest>;
/** What a test found. */
export type McpFinding = McpTest['finding'];
