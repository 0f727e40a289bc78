import { Type, type Static } from 'typebox';
import { MAX_CONNECTION_HEADERS } from '../limits.ts';
import { PROVIDER_NAMES } from '../providers.ts';
import { described, Timestamp } from './common.ts';
import { Name } from './workspace.ts';

export type { Provider } from '../providers.ts';

export const ConnectionModel = Type.Object(
  {
    name: Type.String({
      examples: ['ollama/llama3.2'],
      description: 'As chats name it: `<slug of the connection>/<id of the model>`.',
    }),
    id: Type.String({ examples: ['llama3.2'], description: 'As the provider names it.' }),
    contextTokens: Type.Union([Type.Integer(), Type.Null()], {
      description: "Tokens that it reads at most; null: it doesn't say.",
    }),
  },
  { description: 'A model that a connection offers.' },
);
export type ConnectionModel = Static<typeof ConnectionModel>;

export const Connection = Type.Object(
  {
    id: Type.String({ description: 'What it is told apart by.', examples: ['01jd3v6k2q8x'] }),
    provider: Type.Enum(PROVIDER_NAMES, { description: 'What it speaks.' }),
    name: Type.String({ examples: ['Ollama'], description: 'What people call it.' }),
    slug: Type.String({
      examples: ['ollama'],
      description: "The first part of its models' names; stays the same when the connection is renamed.",
    }),
    baseUrl: Type.Union([Type.String(), Type.Null()], {
      description: "Where it is, without a slash at its end; null: the provider's own address.",
    }),
    key: Type.Enum(['none', 'present', 'locked'], {
      description: "`locked`: it is kept, and can't be opened here and now. The key itself is never told.",
    }),
    headerNames: Type.Array(Type.String(), {
      description:
        'Names of the headers that its requests carry beside those of its format. Their values are never told.',
    }),
    headers: Type.Enum(['none', 'present', 'locked'], {
      description: 'As `key`, of the values of its headers.',
    }),
    createdAt: Timestamp,
    models: Type.Array(ConnectionModel, { description: 'As listed last; empty until they are.' }),
    modelsListedAt: Type.Union([Timestamp, Type.Null()], {
      description: 'When they were listed last; null: never yet.',
    }),
  },
  { description: 'A model server that a person has connected. Nothing is contacted without one.' },
);
export type Connection = Static<typeof Connection>;

const ProviderName = Type.Enum(PROVIDER_NAMES, {
  expected: PROVIDER_NAMES.map((name) => `"${name}"`).join(', '),
});
/** Address of a model server: http or https, e.g. `http://127.0.0.1:8080/v1`. */
const BaseUrl = Type.String({
  pattern: '^[Hh][Tt][Tt][Pp][Ss]?://[^\\s?#@]+$',
  maxLength: 500,
});
const ApiKeyText = Type.String({
  pattern: '^[\\x21-\\x7e]+$',
  maxLength: 1_000,
});
const OptionalBaseUrl = Type.Union([BaseUrl, Type.Null()], {
  expected: 'an address like "http://127.0.0.1:8080/v1", or null',
});
const OptionalApiKey = Type.Union([ApiKeyText, Type.Null()], {
  expected: 'a key without white space, or null',
});
const HeaderValue = Type.String({ maxLength: 8_000, expected: 'text' });
const Headers = Type.Record(Type.String(), HeaderValue, {
  expected: `at most ${MAX_CONNECTION_HEADERS} names with a text each`,
});
const HeaderChanges = Type.Record(Type.String(), Type.Union([HeaderValue, Type.Null()]), {
  expected: 'names with a text each, or null',
});

/** Body of `POST /api/v1/connections`. Providers without an address of their own need a `baseUrl`. */
export const CreateConnectionBody = Type.Object({
  provider: described(ProviderName, 'What it speaks.'),
  name: Type.Optional(described(Name, "The provider's name, or the address's host, unless given.")),
  baseUrl: Type.Optional(OptionalBaseUrl),
  apiKey: Type.Optional(described(OptionalApiKey, 'Null or absent: it needs none.')),
  headers: Type.Optional(
    described(
      Headers,
      'Sent with each request to it, in place of those of its format that are named alike. Kept as secrets.',
    ),
  ),
});
export type CreateConnectionBody = Static<typeof CreateConnectionBody>;

/**
 * Body of `PATCH /api/v1/connections/:connectionId`; what is absent stays. An `apiKey` of null removes the key. Of
 * `headers`, a text sets one, null removes it, and what isn't named stays. A connection moves to another server (another host,
 * port or scheme) only when the key and all headers that are kept are given anew for it, or as null.
 */
export const UpdateConnectionBody = Type.Partial(
  Type.Object({
    name: Name,
    baseUrl: OptionalBaseUrl,
    apiKey: OptionalApiKey,
    headers: HeaderChanges,
  }),
);
export type UpdateConnectionBody = Static<typeof UpdateConnectionBody>;

/** Answers about connections; all of them need the scope `admin`. Oldest first. */
export const ConnectionList = Type.Object({
  connections: Type.Array(Connection, { description: 'Oldest first.' }),
});
export type ConnectionList = Static<typeof ConnectionList>;
export const ConnectionAnswer = Type.Object({ connection: Connection });
export type ConnectionAnswer = Static<typeof ConnectionAnswer>;

/**
 * Body of `POST /api/v1/connections/test`: an existing connection, with what would be changed on it, or a new one. With a
 * `model` (as the provider names it) that one is asked for a word; without, the models are listed.
 */
export const TestConnectionBody = Type.Object({
  connectionId: Type.Optional(Type.String({ expected: 'the id of a connection' })),
  provider: Type.Optional(described(ProviderName, 'What it speaks; needed without a `connectionId`.')),
  baseUrl: Type.Optional(OptionalBaseUrl),
  apiKey: Type.Optional(OptionalApiKey),
  headers: Type.Optional(HeaderChanges),
  model: Type.Optional(Type.String({ minLength: 1, maxLength: 300, expected: 'the id of a model' })),
});
export type TestConnectionBody = Static<typeof TestConnectionBody>;

/**
 * What a test found. `unreachable`: nobody answers there. `wrong_address`: somebody else does. `key_needed`, `wrong_key`;
 * `no_such_model`; `too_slow`: no answer in time; `rate_limited`; `failed`: the server reports a fault of its own.
 */
export const CONNECTION_FINDINGS = [
  'ok',
  'unreachable',
  'wrong_address',
  'key_needed',
  'wrong_key',
  'no_such_model',
  'too_slow',
  'rate_limited',
  'failed',
] as const;
export type ConnectionFinding = (typeof CONNECTION_FINDINGS)[number];

/** Answer of `POST /api/v1/connections/test`, 200 whatever was found. */
export const ConnectionTest = Type.Object({
  finding: Type.Enum([...CONNECTION_FINDINGS], {
    description:
      '`unreachable`: nobody answers there. `wrong_address`: somebody else does. `key_needed`, `wrong_key`; `no_such_model`; `too_slow`: no answer in time; `rate_limited`; `failed`: the server reports a fault of its own.',
  }),
  message: Type.String({
    examples: ['The server answers.'],
    description: 'One sentence a person can act on.',
  }),
  tookMs: Type.Integer({ description: 'How long the answer took, in milliseconds.' }),
  models: Type.Array(Type.String(), {
    description: "Ids of the models it offers; empty when they weren't listed.",
  }),
});
export type ConnectionTest = Static<typeof ConnectionTest>;

export const FoundServer = Type.Object(
  {
    provider: Type.Enum(PROVIDER_NAMES, { description: 'What it speaks.' }),
    name: Type.String({ examples: ['Ollama'], description: 'e.g. `Ollama`, `LM Studio`.' }),
    baseUrl: Type.String({ description: 'Where it is.', examples: ['http://127.0.0.1:11434'] }),
    models: Type.Array(Type.String(), { description: 'Empty where it tells them to nobody without a key.' }),
    needsKey: Type.Optional(Type.Literal(true, { description: 'It answers nobody without a key.' })),
  },
  { description: "A model server that was found running on this computer, and isn't connected." },
);
export type FoundServer = Static<typeof FoundServer>;

/** Answer of `GET /api/v1/connections/found`: looks on the usual ports of this computer, quickly. */
export const FoundServers = Type.Object({
  servers: Type.Array(FoundServer, { description: 'Those that are not connected.' }),
});
export type FoundServers = Static<typeof FoundServers>;
