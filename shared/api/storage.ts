import { Type, type Static } from 'typebox';
import { choice, list, object, text, whole } from './common.ts';

export const StorageNotice = object(
  'Something a person should know about the store. It disappears once it no longer applies.',
  {
    code: text(
      'The kind of notice, for programs: `nearly_full`, `full`, `refusing`, `damaged` (until the next start), `files_lost`, `secrets_unreadable`, and others.',
      'nearly_full',
    ),
    message: text(
      'What is wrong and what to do, for a person.',
      'The store is nearly full; delete what you no longer need.',
    ),
  },
);
export type StorageNotice = Static<typeof StorageNotice>;

export const Storage = object('The store: its size, its limit, and what a person should know about it.', {
  bytes: whole('Size of what is stored, without free space left by deleted text.'),
  limitBytes: whole('At this size messages and imports are refused.'),
  files: object(
    'Files of messages and uploads. They are kept beside the store and don’t count towards its limit.',
    {
      count: whole('Number of files, identical ones counted once.'),
      bytes: whole('Their size on disk.'),
    },
  ),
  state: choice(
    ['ok', 'nearly_full', 'full', 'refusing'],
    '`ok`; `nearly_full`: at least 70% of its limit; `full`: messages and imports are refused, but everything can be read and deleted; `refusing`: the disk refuses writes right now. Parley goes on by itself once it accepts them.',
  ),
  notices: list(StorageNotice, 'What a person should know about it.'),
});
export type Storage = Static<typeof Storage>;
export type StorageState = Storage['state'];

/** Answer of `GET /api/v1/storage`, which needs the scope `admin`. */
export const StorageAnswer = Type.Object({ storage: Storage });
export type StorageAnswer = Static<typeof StorageAnswer>;
