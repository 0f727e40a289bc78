import { Type, type Static } from 'typebox';
import { MAX_CONNECTION_HEADERS } from '../limits.ts';
import { PROVIDER_NAMES } from '../providers.ts';
import {
  choice,
  described,
  list,
  marker,
  object,
  optional,
  orNull,
  partial,
  text,
  Timestamp,
  whole,
} from './common.ts';
import { Name } from './workspace.ts';

export type { Provider } from '../providers.ts';

const ProviderName = choice(PROVIDER_NAMES, 'Which API it speaks.');

export const ConnectionModel = object('A model that a connection offers.', {
  name: text(
    'The `model` to name in a chat: `<slug of the connection>/<id of the model>`.',
    'ollama/llama3.2',
  ),
  id: text('The provider’s name for it.', 'llama3.2'),
  contextTokens: orNull(Type.Integer(), 'Its context size in tokens; null: unknown.'),
});
export type ConnectionModel = Static<typeof ConnectionModel>;

export const Connection = object(
  'A model server that a person connected. Parley contacts no other model servers.',
  {
    id: text('Unique id.', '01jd3v6k2q8x'),
    provider: ProviderName,
    name: text('Its display name.', 'Ollama'),
    slug: text("The first part of its models' names. Renaming the connection doesn't change it.", 'ollama'),
    baseUrl: orNull(
      Type.String(),
      "Its address, without a trailing slash; null: the provider's default address.",
    ),
    key: choice(
      ['none', 'present', 'locked'],
      "`locked`: a key is stored, but can't be decrypted now. The key itself is never sent.",
    ),
    headerNames: list(
      Type.String(),
      'Names of the extra headers sent with its requests. Their values are never sent to clients.',
    ),
    headers: choice(['none', 'present', 'locked'], 'The same as `key`, for the values of its headers.'),
    firstWordSeconds: Type.Optional(
      whole('How long the first word of a reply may take, in seconds; absent: as long as usual.'),
    ),
    createdAt: Timestamp,
    models: list(ConnectionModel, 'As last listed; empty until then.'),
    modelsListedAt: orNull(Timestamp, 'When they were last listed; null: never.'),
  },
);
export type Connection = Static<typeof Connection>;

/** Address of a model server: http or https, e.g. `http://127.0.0.1:8080/v1`. */
const BaseUrl = Type.String({
  pattern: '^[Hh][Tt][Tt][Pp][Ss]?://[^\\s?#@]+$',
  maxLength: 500,
});
const ApiKeyText = Type.String({
  pattern: '^[\\x21-\\x7e]+$',
  maxLength: 1_000,
});
const OptionalBaseUrl = orNull(BaseUrl, {
  expected: 'an address like "http://127.0.0.1:8080/v1", or null',
});
const OptionalApiKey = orNull(ApiKeyText, {
  expected: 'a key without white space, or null',
});
const HeaderValue = Type.String({ maxLength: 8_000, expected: 'text' });
const Headers = Type.Record(Type.String(), HeaderValue, {
  expected: `at most ${MAX_CONNECTION_HEADERS} names with a text each`,
});
const HeaderChanges = Type.Record(Type.String(), orNull(HeaderValue), {
  expected: 'names with a text each, or null',
});

const FirstWordSeconds = orNull(Type.Integer({ minimum: 10, maximum: 3_600 }), {
  expected: 'a whole number from 10 to 3600, or null',
});

/** Body of `POST /api/v1/connections`. Providers without a default address need a `baseUrl`. */
export const CreateConnectionBody = Type.Object({
  provider: ProviderName,
  ...optional({
    name: described(Name, "Default: the provider's name, or the host of the address."),
    baseUrl: OptionalBaseUrl,
    apiKey: described(OptionalApiKey, 'Null or absent: no key.'),
    headers: described(
      Headers,
      'Sent with each request to it; they replace Parley’s own headers of the same name. Stored as secrets.',
    ),
    firstWordSeconds: described(
      FirstWordSeconds,
      'How long the first word of a reply may take. Null or absent: 300, and the time for reading a long request.',
    ),
  }),
});
export type CreateConnectionBody = Static<typeof CreateConnectionBody>;

/**
 * Body of `PATCH /api/v1/connections/:connectionId`. Absent fields stay as they are. `apiKey: null` removes the key. In
 * `headers`, text sets a header, null removes it, and headers that aren't named stay. To move a connection to another server
 * (host, port or scheme), send the key and all stored headers again, or null for each.
 */
export const UpdateConnectionBody = partial({
  name: Name,
  baseUrl: OptionalBaseUrl,
  apiKey: OptionalApiKey,
  headers: HeaderChanges,
  firstWordSeconds: FirstWordSeconds,
});
export type UpdateConnectionBody = Static<typeof UpdateConnectionBody>;

/** Answers about connections; all of them need the scope `admin`. Oldest first. */
export const ConnectionList = Type.Object({
  connections: list(Connection, 'Oldest first.'),
});
export const ConnectionAnswer = Type.Object({ connection: Connection });
export type ConnectionAnswer = Static<typeof ConnectionAnswer>;

/**
 * Body of `POST /api/v1/connections/test`: an existing connection, with changes to try, or a new one. With a `model` (the
 * provider's name for it), the test asks that model for a word; without, it lists the models.
 */
export const TestConnectionBody = partial({
  connectionId: Type.String({ expected: 'the id of a connection' }),
  provider: described(ProviderName, 'Which API it speaks. Required without a `connectionId`.'),
  baseUrl: OptionalBaseUrl,
  apiKey: OptionalApiKey,
  headers: HeaderChanges,
  model: Type.String({ minLength: 1, maxLength: 300, expected: 'the id of a model' }),
});
export type TestConnectionBody = Static<typeof TestConnectionBody>;

/** Answer of `POST /api/v1/connections/test`: 200, whatever the test found. */
export const ConnectionTest = Type.Object({
  finding: choice(
    [
      'ok',
      'unreachable',
      'wrong_address',
      'key_needed',
      'wrong_key',
      'no_such_model',
      'too_slow',
      'rate_limited',
      'failed',
    ],
    '`unreachable`: no answer from this address. `wrong_address`: something else answers. `key_needed`, `wrong_key`; `no_such_model`; `too_slow`: no answer in time; `rate_limited`; `failed`: the server reported an error.',
  ),
  message: text('One sentence a person can act on.', 'The server answers.'),
  tookMs: whole('How long the server took to answer, in milliseconds.'),
  models: list(Type.String(), "Ids of its models; empty if they weren't listed."),
});
export type ConnectionTest = Static<typeof ConnectionTest>;
/** What a test found. */
export type ConnectionFinding = ConnectionTest['finding'];

export const FoundServer = object("A model server that runs on this computer and isn't connected.", {
  provider: ProviderName,
  name: text('e.g. `Ollama`, `LM Studio`.', 'Ollama'),
  baseUrl: text('Its address.', 'http://127.0.0.1:11434'),
  models: list(Type.String(), 'Ids of its models; empty if it only lists them with a key.'),
  needsKey: Type.Optional(marker('Only if it needs a key.')),
});
export type FoundServer = Static<typeof FoundServer>;

/** Answer of `GET /api/v1/connections/found`: checks the usual ports of this computer, quickly. */
export const FoundServers = Type.Object({
  servers: list(FoundServer, 'Those that are not connected.'),
});
export type FoundServers = Static<typeof FoundServers>;
