import { Type, type Static } from 'typebox';
import { Chat } from './chat.ts';
import { Timestamp, WorkspaceId } from './common.ts';
import { Message } from './message.ts';
import { Project } from './project.ts';

/** Answer of `GET /api/v1/data`: where everything is and how much; needs the scope `admin`. */
export const DataInfo = Type.Object({
  dataDir: Type.String({
    examples: ['/home/ana/.local/share/parley'],
    description: 'The data folder, as an absolute path.',
  }),
  storeBytes: Type.Integer({ description: "Size of the store's files, in bytes." }),
  backupBytes: Type.Integer({ description: 'Size of all backups, in bytes.' }),
  chats: Type.Integer({ description: 'In all workspaces; deleted ones are not counted.' }),
  messages: Type.Integer({ description: 'As `chats`.' }),
  deletedChats: Type.Integer({ description: 'Chats that are deleted and not yet removed for good.' }),
  backupProblem: Type.Optional(
    Type.String({
      description: 'Why the last scheduled backup failed, in words; absent: it did not. It is tried again.',
    }),
  ),
});
export type DataInfo = Static<typeof DataInfo>;

export const ExportedMessage = Type.Intersect(
  [
    Message,
    Type.Object({
      versionOf: Type.Optional(
        Type.String({
          description: 'The first version of this user message; absent when there is only one.',
        }),
      ),
      retryOf: Type.Optional(
        Type.Union([Type.String(), Type.Null()], {
          description:
            'On a version: the one whose question it asks once more; null: it is the first, or an edit. Absent in files of earlier versions of Parley: versions with the same text are then taken for retries.',
        }),
      ),
      hiddenBy: Type.Optional(
        Type.String({
          description:
            'The version that has to be chosen for this message to be listed; absent when it is listed.',
        }),
      ),
      fileData: Type.Optional(
        Type.Record(Type.String(), Type.String(), {
          description:
            "The bytes of the files of its steps in base64, by the files' ids; absent: there are none.",
        }),
      ),
    }),
  ],
  {
    description:
      'A message in an export: as the API tells it, and which version of the conversation it belongs to.',
  },
);
export type ExportedMessage = Static<typeof ExportedMessage>;

/** A file that messages of an exported chat have. */
export const ExportedFile = Type.Object(
  {
    ids: Type.Array(Type.String(), { description: 'Which `attachments` of the messages it is.' }),
    data: Type.String({ description: 'Its bytes in base64.' }),
  },
  { description: 'A file of messages in an export.' },
);
export type ExportedFile = Static<typeof ExportedFile>;

export const ExportedChat = Type.Object(
  {
    chat: Chat,
    titleSource: Type.Enum(['default', 'message', 'model', 'person'], {
      description: "Who gave the title; only a person's is kept for good.",
    }),
    files: Type.Optional(
      Type.Array(ExportedFile, {
        description: 'Files of its messages, equal ones once; absent: none.',
      }),
    ),
    messages: Type.Array(ExportedMessage, { description: 'Oldest first.' }),
  },
  {
    description:
      'A chat in an export, with all its messages, those of other versions too; deleted messages are left out.',
  },
);
export type ExportedChat = Static<typeof ExportedChat>;

/** The mark of an export file. */
export const EXPORT_FORMAT = 'parley-export';

/** The version of an export file that is written; a file of a higher one is refused in words. */
export const EXPORT_VERSION = 1;

export const ExportFile = Type.Object(
  {
    format: Type.Literal(EXPORT_FORMAT, { description: 'What kind of file it is.' }),
    version: Type.Integer({ description: 'Of the format; a file of a higher one is refused.' }),
    exportedAt: Timestamp,
    projects: Type.Optional(
      Type.Array(Project, { description: 'The projects that its chats are in; absent: none.' }),
    ),
    chats: Type.Array(ExportedChat, { description: 'All chats of the export.' }),
  },
  {
    description:
      'An export: `GET /api/v1/chats/:chatId/export?format=json`, `GET /api/v1/export?format=json`, and what an import takes.',
  },
);
export type ExportFile = Static<typeof ExportFile>;

/** Query of the two export endpoints. */
export const ExportQuery = Type.Object({
  format: Type.Enum(['markdown', 'json'], {
    description: '`markdown` for people; `json` can be imported.',
    expected: '"markdown" or "json"',
  }),
  workspaceId: Type.Optional(WorkspaceId),
});

export const FileProblem = Type.Object(
  {
    chat: Type.Union([Type.Integer(), Type.Null()], {
      description: 'Which chat of the file, from 1; null: it is about none.',
    }),
    title: Type.Optional(
      Type.String({ description: "The chat's title; absent when it has none that can be read." }),
    ),
    message: Type.Union([Type.Integer(), Type.Null()], {
      description: 'Which message of that chat, from 1; null: it is about the chat, or about the file.',
    }),
    what: Type.String({
      examples: ['A message without a text was left out.'],
      description: 'What was wrong and what became of it, in a sentence.',
    }),
  },
  { description: 'Something in a file that could not be taken as it stands.' },
);
export type FileProblem = Static<typeof FileProblem>;

/** What in a file could not be taken as it stands; all counts are 0 when it is sound. */
const fileFindings = {
  mended: Type.Integer({
    description: 'Chats and messages that came in after something of them was put right.',
  }),
  leftOut: Type.Integer({ description: 'Chats, messages and other parts that could not come in.' }),
  problems: Type.Array(FileProblem, { description: 'The first 100 of both, one for each.' }),
};
/** Apps whose exports can be brought in. */
export const IMPORT_APPS = ['parley', 'chatgpt', 'claude', 'open-webui', 'lm-studio'] as const;
export type ImportApp = (typeof IMPORT_APPS)[number];

/** What chats of other apps hold and Parley's don't. */
export const OmittedParts = Type.Object(
  {
    images: Type.Integer({ description: 'Pictures that were sent or made.' }),
    files: Type.Integer({ description: 'Files whose text is not in the export.' }),
    recordings: Type.Integer({ description: 'Spoken messages; words that were written down come along.' }),
    instructions: Type.Integer({ description: "System prompts, and instructions of one's own." }),
  },
  {
    description:
      "What chats of other apps hold and Parley's don't. Where one of the first three was, a line in the message says so.",
  },
);
export type OmittedParts = Static<typeof OmittedParts>;

/**
 * Answer of `POST /api/v1/import` and of a restore. A chat keeps its id where that is free; where the same chat is there
 * already with every message, it is passed over; else it comes in as a copy with a new id. Nothing is ever replaced.
 */
export const ImportResult = Type.Object({
  imported: Type.Integer({ description: 'Came in under their own id.' }),
  copied: Type.Integer({ description: 'Came in as copies.' }),
  skipped: Type.Integer({ description: 'Were there already, whole.' }),
  chatIds: Type.Array(Type.String(), { description: 'The ids of all chats that came in.' }),
  ...fileFindings,
});
export type ImportResult = Static<typeof ImportResult>;

/** Answer of `POST /api/v1/import/preview`: what an import of the file would do just now. */
export const ImportPreview = Type.Object(
  {
    app: Type.Enum([...IMPORT_APPS], { description: 'Whose export it is.' }),
    omitted: Type.Optional(OmittedParts),
    chats: Type.Integer({
      description: 'Chats that can be brought in, those that are there already included.',
    }),
    messages: Type.Integer({ description: 'Their messages, other versions included.' }),
    firstAt: Type.Optional(
      Type.String({ description: 'When the oldest message was written; absent when there is none.' }),
    ),
    lastAt: Type.Optional(Type.String({ description: 'When the newest was.' })),
    imported: Type.Integer({ description: 'Would come in under their own id.' }),
    copied: Type.Integer({ description: 'Would come in as copies, since the chat that is there differs.' }),
    skipped: Type.Integer({ description: 'Are there already, whole.' }),
    ...fileFindings,
  },
  { description: 'What an import of the file would do just now. `omitted` is told of other apps only.' },
);
export type ImportPreview = Static<typeof ImportPreview>;

/** Answer of `GET /api/v1/import`. */
export const ImportProgress = Type.Object({
  chats: Type.Union([Type.Integer(), Type.Null()], {
    description:
      'How many chats of the import under way in this workspace are done, in whatever way; null: none is under way.',
  }),
});
export type ImportProgress = Static<typeof ImportProgress>;

/** What was found wrong in a file that was read. */
export type FileFindings = Pick<ImportResult, 'mended' | 'leftOut' | 'problems'>;

export const Backup = Type.Object(
  {
    name: Type.String({
      examples: ['parley-2026-11-20T09-30-00.json.gz'],
      description: 'File name, e.g. `parley-2026-11-20T09-30-00.json.gz`.',
    }),
    createdAt: Timestamp,
    bytes: Type.Integer({ description: 'Its size.' }),
    scheduled: Type.Optional(
      Type.Literal(true, {
        description:
          'Made by the schedule of the settings; it is removed when there are more of these than are to be kept.',
      }),
    ),
  },
  {
    description:
      'A backup: everything in all workspaces but the keys, in one compressed file in the data folder.',
  },
);
export type Backup = Static<typeof Backup>;

/** Answer of `POST /api/v1/backups`, 201: the backup was read back, and what a restore would have to mend or leave out of it is told. */
export const CreatedBackup = Type.Object({ backup: Backup, ...fileFindings });
export type CreatedBackup = Static<typeof CreatedBackup>;

/** Answer of `DELETE /api/v1/backups/:name`. */
export const BackupAnswer = Type.Object({ backup: Backup });
export type BackupAnswer = Static<typeof BackupAnswer>;

/** Answer of `GET /api/v1/backups`, newest first. */
export const BackupList = Type.Object({ backups: Type.Array(Backup, { description: 'Newest first.' }) });
export type BackupList = Static<typeof BackupList>;
