import { Type, type Static } from 'typebox';
import { KEY_SCOPES } from '../choices.ts';
import { choice, flag, list, object, optional, orNull, text, Timestamp } from './common.ts';
import { Name } from './workspace.ts';

/** `chat`: the v1 endpoints and their additions. `admin`: keys, settings and workspaces too. */
export type KeyScope = (typeof KEY_SCOPES)[number];

/** The address called when a turn of the key ends. */
export const Webhook = object(
  'Called when a turn that the key started ends. Calls are signed as in Standard Webhooks.',
  {
    url: text('The address that gets a `POST`; on this computer, unless `anywhere` is true.', {
      maxLength: 2_000,
      expected: 'an http or https address on this computer, such as "http://127.0.0.1:8080/parley"',
      examples: ['http://127.0.0.1:8080/parley'],
    }),
    anywhere: Type.Optional(flag('Whether the address may be on another computer. Default: `false`.')),
  },
);
export type Webhook = Static<typeof Webhook>;

const WebhookSecret = Type.Optional(
  text('The secret that signs its webhook calls. Only shown once.', 'whsec_…'),
);

const WebhookChoice = Type.Optional(
  orNull(Webhook, {
    description: 'Called when a turn of this key ends. Setting it creates a new secret. Null: no webhook.',
    expected: 'an object with the "url" to call when a turn of this key ends, or null',
  }),
);

export const Key = object('An API key, without the key itself.', {
  id: text('Unique id.', '01jd3v6k2q8x'),
  kind: choice(
    ['local', 'person'],
    '`local`: created at the first start, for tools on this computer. `person`: created by a person.',
  ),
  name: text('Its display name.', 'My script'),
  prefix: text('Its first characters, to recognise it by.', 'parley_wuhc'),
  scope: choice(
    KEY_SCOPES,
    '`chat`: only chats and messages, plus what `reach` or `approve` allow. `admin`: also keys, settings, workspaces, backups and the request list.',
  ),
  reach: flag(
    'Whether its turns may use external tools: folders, web pages, tool servers. Always true with `admin`.',
  ),
  approve: flag('Whether it may approve tools in its workspace. Always true with `admin`.'),
  workspaceId: orNull(Type.String(), 'The workspace it is limited to; null: it works in all.'),
  createdAt: Timestamp,
  lastUsedAt: orNull(Timestamp, 'Accurate to the minute; null: never used.'),
  expiresAt: orNull(Timestamp, 'Null: it does not expire.'),
  revokedAt: orNull(Timestamp, 'Null: it is active, unless it has expired.'),
  webhook: Type.Optional(Webhook),
});
export type Key = Static<typeof Key>;

/** Answer of `GET /api/v1/keys`: all keys ever created, oldest first. */
export const KeyList = Type.Object({ keys: list(Key, 'Oldest first.') });
export type KeyList = Static<typeof KeyList>;

/** Body of `POST /api/v1/keys`. */
export const CreateKeyBody = Type.Object({
  name: Name,
  ...optional({
    scope: choice(KEY_SCOPES, 'Default: `chat`.'),
    reach: flag('Whether its turns may use external tools. Default: `false`; always true with `admin`.'),
    approve: flag('Whether it may approve tools. Default: `false`; always true with `admin`.'),
    workspaceId: orNull(Type.String(), {
      description: 'The workspace to limit it to. Null or absent: it works in all.',
      expected: 'the id of a workspace, or null',
    }),
    expiresAt: orNull(Timestamp, {
      description: 'When it expires, in the future. Null or absent: never.',
      expected: 'an ISO 8601 time, or null',
    }),
  }),
  webhook: WebhookChoice,
});
export type CreateKeyBody = Static<typeof CreateKeyBody>;

/** Answer of `POST /api/v1/keys`, 201: the only time the key itself is sent. */
export const CreatedKey = Type.Object({
  key: Key,
  apiKey: text('The key itself.', 'parley_…'),
  webhookSecret: WebhookSecret,
});
export type CreatedKey = Static<typeof CreatedKey>;

/** Body of `PATCH /api/v1/keys/:keyId`. Absent fields stay as they are. */
export const UpdateKeyBody = Type.Object({
  webhook: WebhookChoice,
});
export type UpdateKeyBody = Static<typeof UpdateKeyBody>;

/** Answer of `PATCH /api/v1/keys/:keyId`. */
export const UpdatedKey = Type.Object({ key: Key, webhookSecret: WebhookSecret });
export type UpdatedKey = Static<typeof UpdatedKey>;

/** Answer of `DELETE /api/v1/keys/:keyId`, which revokes a key for good. */
export const KeyAnswer = Type.Object({ key: Key });
export type KeyAnswer = Static<typeof KeyAnswer>;

/**
 * Answer of `GET /api/v1/keys/local`, and of `POST /api/v1/keys/local/rotate`, after which the old local key no longer works
 * and connection.json holds the new one.
 */
export const LocalKey = Type.Object({
  apiKey: text('The key itself.', 'parley_…'),
});
