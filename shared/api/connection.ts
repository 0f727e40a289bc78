import { Type, type Static } from 'typebox';
import { MAX_CONNECTION_HEADERS } from '../limits.ts';
import { PROVIDER_NAMES } from '../providers.ts';
import { Timestamp } from './common.ts';
import { Name } from './workspace.ts';

export type { Provider } from '../providers.ts';

/** A model that a connection offers. */
export const ConnectionModel = Type.Object({
  /** As chats name it: `<slug of the connection>/<id of the model>`. */
  name: Type.String(),
  /** As the provider names it. */
  id: Type.String(),
  /** Tokens that it reads at most; null: it doesn't say. */
  contextTokens: Type.Union([Type.Integer(), Type.Null()]),
});
export type ConnectionModel = Static<typeof ConnectionModel>;

/** A model server that a person has connected. Nothing is contacted without one. */
export const Connection = Type.Object({
  id: Type.String(),
  provider: Type.Enum(PROVIDER_NAMES),
  /** What people call it. */
  name: Type.String(),
  /** The first part of its models' names; stays the same when the connection is renamed. */
  slug: Type.String(),
  /** Where it is, without a slash at its end; null: the provider's own address. */
  baseUrl: Type.Union([Type.String(), Type.Null()]),
  /** `locked`: it is kept, and can't be opened here and now. The key itself is never told. */
  key: Type.Enum(['none', 'present', 'locked']),
  /** Names of the headers that its requests carry beside those of its format. Their values are never told. */
  headerNames: Type.Array(Type.String()),
  /** As `key`, of the values of its headers. */
  headers: Type.Enum(['none', 'present', 'locked']),
  createdAt: Timestamp,
  /** As listed last; empty until they are. */
  models: Type.Array(ConnectionModel),
  /** When they were listed last; null: never yet. */
  modelsListedAt: Type.Union([Timestamp, Type.Null()]),
});
export type Connection = Static<typeof Connection>;

const ProviderName = Type.Enum(PROVIDER_NAMES, {
  description: PROVIDER_NAMES.map((name) => `"${name}"`).join(', '),
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
  description: 'an address like "http://127.0.0.1:8080/v1", or null',
});
const OptionalApiKey = Type.Union([ApiKeyText, Type.Null()], {
  description: 'a key without white space, or null',
});
const HeaderValue = Type.String({ maxLength: 8_000, description: 'text' });
const Headers = Type.Record(Type.String(), HeaderValue, {
  description: `at most ${MAX_CONNECTION_HEADERS} names with a text each`,
});
const HeaderChanges = Type.Record(Type.String(), Type.Union([HeaderValue, Type.Null()]), {
  description: 'names with a text each, or null',
});

/** Body of `POST /api/v1/connections`. Providers without an address of their own need a `baseUrl`. */
export const CreateConnectionBody = Type.Object({
  provider: ProviderName,
  /** The provider's name, or the address's host, unless given. */
  name: Type.Optional(Name),
  baseUrl: Type.Optional(OptionalBaseUrl),
  /** Null or absent: it needs none. */
  apiKey: Type.Optional(OptionalApiKey),
  /** Sent with each request to it, in place of those of its format that are named alike. Kept as secrets. */
  headers: Type.Optional(Headers),
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
export const ConnectionList = Type.Object({ connections: Type.Array(Connection) });
export type ConnectionList = Static<typeof ConnectionList>;
export const ConnectionAnswer = Type.Object({ connection: Connection });
export type ConnectionAnswer = Static<typeof ConnectionAnswer>;

/**
 * Body of `POST /api/v1/connections/test`: an existing connection, with what would be changed on it, or a new one. With a
 * `model` (as the provider names it) that one is asked for a word; without, the models are listed.
 */
export const TestConnectionBody = Type.Object({
  connectionId: Type.Optional(Type.String({ description: 'the id of a connection' })),
  provider: Type.Optional(ProviderName),
  baseUrl: Type.Optional(OptionalBaseUrl),
  apiKey: Type.Optional(OptionalApiKey),
  headers: Type.Optional(HeaderChanges),
  model: Type.Optional(Type.String({ minLength: 1, maxLength: 300, description: 'the id of a model' })),
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
  finding: Type.Enum([...CONNECTION_FINDINGS]),
  /** One sentence a person can act on. */
  message: Type.String(),
  /** How long the answer took, in milliseconds. */
  tookMs: Type.Integer(),
  /** Ids of the models it offers; empty when they weren't listed. */
  models: Type.Array(Type.String()),
});
export type ConnectionTest = Static<typeof ConnectionTest>;

/** A model server that was found running on this computer, and isn't connected. */
export const FoundServer = Type.Object({
  provider: Type.Enum(PROVIDER_NAMES),
  /** e.g. `Ollama`, `LM Studio`. */
  name: Type.String(),
  baseUrl: Type.String(),
  /** Empty where it tells them to nobody without a key. */
  models: Type.Array(Type.String()),
  /** It answers nobody without a key. */
  needsKey: Type.Optional(Type.Literal(true)),
});
export type FoundServer = Static<typeof FoundServer>;

/** Answer of `GET /api/v1/connections/found`: looks on the usual ports of this computer, quickly. */
export const FoundServers = Type.Object({ servers: Type.Array(FoundServer) });
export type FoundServers = Static<typeof FoundServers>;
