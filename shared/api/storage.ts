import { Type, type Static } from 'typebox';

/**
 * How the store stands. `ok`; `nearly_full`: from 70% of its limit on; `full`: messages and imports are refused, everything can be read
 * and deleted; `refusing`: the disk takes no writes for now, which passes by itself once it does.
 */
export const STORAGE_STATES = ['ok', 'nearly_full', 'full', 'refusing'] as const;
export type StorageState = (typeof STORAGE_STATES)[number];

export const StorageNotice = Type.Object(
  {
    code: Type.String({
      examples: ['nearly_full'],
      description:
        'What it is, for programs: `nearly_full`, `full`, `refusing`, `damaged` (until the next start), `files_lost`, and others.',
    }),
    message: Type.String({
      examples: ['The store is nearly full; delete what you no longer need.'],
      description: 'Sentences for a person, with what can be done.',
    }),
  },
  { description: 'Something a person should know of the store; gone when it no longer holds.' },
);
export type StorageNotice = Static<typeof StorageNotice>;

export const Storage = Type.Object(
  {
    bytes: Type.Integer({ description: 'What is stored, without the room that deleted texts left.' }),
    limitBytes: Type.Integer({ description: 'From here on messages and imports are refused.' }),
    files: Type.Object(
      {
        count: Type.Integer({ description: 'How many there are, equal ones once.' }),
        bytes: Type.Integer({ description: 'What they take on the disk.' }),
      },
      {
        description:
          'Files of messages, and uploads; they lie beside the store, and don’t count to its limit.',
      },
    ),
    state: Type.Enum([...STORAGE_STATES], {
      description:
        '`ok`; `nearly_full`: from 70% of its limit on; `full`: messages and imports are refused, everything can be read and deleted; `refusing`: the disk takes no writes for now, which passes by itself once it does.',
    }),
    notices: Type.Array(StorageNotice, { description: 'What a person should know of it.' }),
  },
  { description: 'The store: how much there is, how much fits, and what a person should know of it.' },
);
export type Storage = Static<typeof Storage>;

/** Answer of `GET /api/v1/storage`, which needs the scope `admin`. */
export const StorageAnswer = Type.Object({ storage: Storage });
export type StorageAnswer = Static<typeof StorageAnswer>;
