import { Type, type Static } from 'typebox';
import { Timestamp } from './common.ts';
import { Name } from './workspace.ts';

/** `chat`: chats and messages, and no more unless given {@link Key.reach} or {@link Key.approve}. `admin`: keys, settings, workspaces, backups and the request list too. */
export const KEY_SCOPES = ['chat', 'admin'] as const;
export type KeyScope = (typeof KEY_SCOPES)[number];

/** Where the ends of turns are told that a key started. */
export const Webhook = Type.Object(
  {
    url: Type.String({
      maxLength: 2_000,
      description: 'Where it is told by `POST`: an address on this computer, unless `anywhere` is true.',
      expected: 'an http or https address on this computer, such as "http://127.0.0.1:8080/parley"',
      examples: ['http://127.0.0.1:8080/parley'],
    }),
    anywhere: Type.Optional(
      Type.Boolean({
        description: 'Whether addresses of other computers are allowed; `false` unless given.',
        expected: 'true or false',
      }),
    ),
  },
  { description: 'Is told, signed as Standard Webhooks, when a turn has ended that the key started.' },
);
export type Webhook = Static<typeof Webhook>;

const WebhookSecret = Type.Optional(
  Type.String({ description: 'What its webhook is signed with, told this once.', examples: ['whsec_…'] }),
);

const WebhookChoice = Type.Optional(
  Type.Union([Webhook, Type.Null()], {
    description:
      'Is told when a turn of this key has ended; each one that is set has a new secret. Null: nobody is.',
    expected: 'an object with the "url" that is told when a turn of this key has ended, or null',
  }),
);

export const Key = Type.Object(
  {
    id: Type.String({ description: 'What it is told apart by.', examples: ['01jd3v6k2q8x'] }),
    kind: Type.Enum(['local', 'person'], {
      description:
        '`local`: the one made at first start for tools on this computer. `person`: made by somebody.',
    }),
    name: Type.String({ description: 'What people call it.', examples: ['My script'] }),
    prefix: Type.String({
      examples: ['parley_wuhc'],
      description: 'Its first characters, to tell keys apart.',
    }),
    scope: Type.Enum([...KEY_SCOPES], {
      description:
        '`chat`: chats and messages, and no more unless given `reach` or `approve`. `admin`: keys, settings, workspaces, backups and the request list too.',
    }),
    reach: Type.Boolean({
      description:
        'Whether turns that it starts may use tools that reach out: folders, web pages, tool servers; always with `admin`.',
    }),
    approve: Type.Boolean({
      description: "Whether it may answer tools' questions in its workspace; always with `admin`.",
    }),
    workspaceId: Type.Union([Type.String(), Type.Null()], {
      description: 'The workspace it is bound to; null: it works in all.',
    }),
    createdAt: Timestamp,
    lastUsedAt: Type.Union([Timestamp, Type.Null()], { description: 'To the minute; null: never used.' }),
    expiresAt: Type.Union([Timestamp, Type.Null()], { description: 'Null: it does not expire.' }),
    revokedAt: Type.Union([Timestamp, Type.Null()], {
      description: 'Null: it is in force, unless it has expired.',
    }),
    webhook: Type.Optional(Webhook),
  },
  { description: 'An API key, as those who manage keys see it: never the key itself.' },
);
export type Key = Static<typeof Key>;

/** Answer of `GET /api/v1/keys`: every key there ever was, oldest first. */
export const KeyList = Type.Object({ keys: Type.Array(Key, { description: 'Oldest first.' }) });
export type KeyList = Static<typeof KeyList>;

/** Body of `POST /api/v1/keys`. */
export const CreateKeyBody = Type.Object({
  name: Name,
  scope: Type.Optional(
    Type.Enum([...KEY_SCOPES], { description: '`chat` unless given.', expected: '"chat" or "admin"' }),
  ),
  reach: Type.Optional(
    Type.Boolean({
      description:
        'Whether turns that it starts may use tools that reach out; `false` unless given, and always true with `admin`.',
      expected: 'true or false',
    }),
  ),
  approve: Type.Optional(
    Type.Boolean({
      description:
        "Whether it may answer tools' questions; `false` unless given, and always true with `admin`.",
      expected: 'true or false',
    }),
  ),
  workspaceId: Type.Optional(
    Type.Union([Type.String(), Type.Null()], {
      description: 'The workspace to bind it to; null or absent: it works in all.',
      expected: 'the id of a workspace, or null',
    }),
  ),
  expiresAt: Type.Optional(
    Type.Union([Timestamp, Type.Null()], {
      description: 'When it ends, in the future; null or absent: it does not.',
      expected: 'an ISO 8601 time, or null',
    }),
  ),
  webhook: WebhookChoice,
});
export type CreateKeyBody = Static<typeof CreateKeyBody>;

/** Answer of `POST /api/v1/keys`, 201: the only time the key itself is told. */
export const CreatedKey = Type.Object({
  key: Key,
  apiKey: Type.String({ description: 'The key itself.', examples: ['parley_…'] }),
  webhookSecret: WebhookSecret,
});
export type CreatedKey = Static<typeof CreatedKey>;

/** Body of `PATCH /api/v1/keys/:keyId`; what is absent stays as it is. */
export const UpdateKeyBody = Type.Object({
  webhook: WebhookChoice,
});
export type UpdateKeyBody = Static<typeof UpdateKeyBody>;

/** Answer of `PATCH /api/v1/keys/:keyId`. */
export const UpdatedKey = Type.Object({ key: Key, webhookSecret: WebhookSecret });
export type UpdatedKey = Static<typeof UpdatedKey>;

/** Answer of `DELETE /api/v1/keys/:keyId`, which takes a key out of force for good. */
export const KeyAnswer = Type.Object({ key: Key });
export type KeyAnswer = Static<typeof KeyAnswer>;

/**
 * Answer of `GET /api/v1/keys/local`, and of `POST /api/v1/keys/local/rotate`, after which the old local key is worthless
 * and connection.json holds the new one.
 */
export const LocalKey = Type.Object({
  apiKey: Type.String({ description: 'The key itself.', examples: ['parley_…'] }),
});
export type LocalKey = Static<typeof LocalKey>;
