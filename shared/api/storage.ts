import { Type, type Static } from 'typebox';

export const StorageNotice = Type.Object(
  {
    code: Type.String({
      examples: ['nearly_full'],
      description:
        'The kind of notice, for programs: `nearly_full`, `full`, `refusing`, `damaged` (until the next start), `files_lost`, and others.',
    }),
    message: Type.String({
      examples: ['The store is nearly full; delete what you no longer need.'],
      description: 'What is wrong and what to do, for a person.',
    }),
  },
  { description: 'Something a person should know about the store. It disappears once it no longer applies.' },
);
export type StorageNotice = Static<typeof StorageNotice>;

export const Storage = Type.Object(
  {
    bytes: Type.Integer({ description: 'Size of what is stored, without free space left by deleted text.' }),
    limitBytes: Type.Integer({ description: 'At this size messages and imports are refused.' }),
    files: Type.Object(
      {
        count: Type.Integer({ description: 'Number of files, identical ones counted once.' }),
        bytes: Type.Integer({ description: 'Their size on disk.' }),
      },
      {
        description:
          'Files of messages and uploads. They are kept beside the store and don’t count towards its limit.',
      },
    ),
    state: Type.Enum(['ok', 'nearly_full', 'full', 'refusing'], {
      description:
        '`ok`; `nearly_full`: at least 70% of its limit; `full`: messages and imports are refused, but everything can be read and deleted; `refusing`: the disk refuses writes right now. Parley goes on by itself once it accepts them.',
    }),
    notices: Type.Array(StorageNotice, { description: 'What a person should know about it.' }),
  },
  { description: 'The store: its size, its limit, and what a person should know about it.' },
);
export type Storage = Static<typeof Storage>;
export type StorageState = Storage['state'];

/** Answer of `GET /api/v1/storage`, which needs the scope `admin`. */
export const StorageAnswer = Type.Object({ storage: Storage });
export type StorageAnswer = Static<typeof StorageAnswer>;
