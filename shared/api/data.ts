import { Type, type Static } from 'typebox';
import { EXPORT_FORMAT } from '../choices.ts';
import { Chat } from './chat.ts';
import { orNull, Timestamp, WorkspaceId } from './common.ts';
import { Message } from './message.ts';
import { Project } from './project.ts';
import { KeptSchedule } from './schedule.ts';

/** Answer of `GET /api/v1/data`: where the data is and how much there is; needs the scope `admin`. */
export const DataInfo = Type.Object({
  dataDir: Type.String({
    examples: ['/home/ana/.local/share/parley'],
    description: 'The data folder, as an absolute path.',
  }),
  storeBytes: Type.Integer({ description: "Size of the store's files, in bytes." }),
  backupBytes: Type.Integer({ description: 'Size of all backups, in bytes.' }),
  chats: Type.Integer({ description: 'Chats in all workspaces, without deleted ones.' }),
  messages: Type.Integer({ description: 'Messages in all workspaces, without deleted ones.' }),
  deletedChats: Type.Integer({ description: 'Deleted chats that can still be restored.' }),
  backupProblem: Type.Optional(
    Type.String({
      description: 'Why the last scheduled backup failed; Parley tries again. Absent: it didn’t fail.',
    }),
  ),
});
export type DataInfo = Static<typeof DataInfo>;

const SIGNED = Type.Optional(
  Type.Record(Type.String(), Type.Record(Type.String(), Type.Unknown()), {
    description: 'What the provider wants back with it, such as a signature. Absent: nothing.',
  }),
);

const ExportedRound = Type.Object(
  {
    textFrom: Type.Integer({ minimum: 0, description: 'Where its text begins, in UTF-16 code units.' }),
    stepsFrom: Type.Integer({ minimum: 0, description: 'How many `steps` there were before its own.' }),
    thoughts: Type.Array(Type.Object({ text: Type.String(), signed: SIGNED })),
    calls: Type.Array(Type.Object({ input: Type.Optional(Type.String()), signed: SIGNED })),
  },
  { description: 'What a model wants back of one round of its work with tools.' },
);

export const ExportedMessage = Type.Intersect(
  [
    Message,
    Type.Object({
      versionOf: Type.Optional(
        Type.String({ description: 'The first version of this user message. Absent: there is only one.' }),
      ),
      retryOf: Type.Optional(
        orNull(Type.String(), {
          description:
            'On a version: the one whose question it repeats; null: it is the first version or an edit. Absent in files of earlier versions of Parley, where versions with the same text count as retries.',
        }),
      ),
      hiddenBy: Type.Optional(
        Type.String({
          description: 'The version to choose for this message to be listed. Absent: it is listed.',
        }),
      ),
      fileData: Type.Optional(
        Type.Record(Type.String(), Type.String(), {
          description: "The bytes of its steps' files in base64, by file id. Absent: none.",
        }),
      ),
      rounds: Type.Optional(
        Type.Array(ExportedRound, { description: 'Of a reply with steps. Absent: unknown.' }),
      ),
    }),
  ],
  {
    description: 'A message in an export: as in the API, plus the version of the conversation it belongs to.',
  },
);
export type ExportedMessage = Static<typeof ExportedMessage>;

/** A file of messages in an exported chat. */
export const ExportedFile = Type.Object(
  {
    ids: Type.Array(Type.String(), { description: 'Ids of the `attachments` that have these bytes.' }),
    data: Type.String({ description: 'Its bytes in base64.' }),
  },
  { description: 'A file of messages in an export.' },
);
export type ExportedFile = Static<typeof ExportedFile>;

export const ExportedChat = Type.Object(
  {
    chat: Chat,
    titleSource: Type.Enum(['default', 'message', 'model', 'person'], {
      description: "Who wrote the title. Only a person's title is never replaced.",
    }),
    files: Type.Optional(
      Type.Array(ExportedFile, { description: 'Files of its messages, identical ones once. Absent: none.' }),
    ),
    messages: Type.Array(ExportedMessage, { description: 'Oldest first.' }),
  },
  { description: 'A chat in an export, with the messages of all versions, but without deleted messages.' },
);
export type ExportedChat = Static<typeof ExportedChat>;

/** The version of the export format. Files of a higher version are refused with an explanation. */
export const EXPORT_VERSION = 1;

export const ExportFile = Type.Object(
  {
    format: Type.Literal(EXPORT_FORMAT, { description: 'What kind of file it is.' }),
    version: Type.Integer({ description: 'Version of the format. Files of a higher version are refused.' }),
    exportedAt: Timestamp,
    schedules: Type.Optional(
      Type.Array(KeptSchedule, { description: 'The schedules of the workspace. Absent: none.' }),
    ),
    projects: Type.Optional(
      Type.Array(Project, { description: 'The projects its chats are in. Absent: none.' }),
    ),
    chats: Type.Array(ExportedChat, { description: 'The exported chats.' }),
  },
  {
    description:
      'An export, as `GET /api/v1/chats/:chatId/export?format=json` and `GET /api/v1/export?format=json` return it and an import reads it.',
  },
);
export type ExportFile = Static<typeof ExportFile>;

/** Query of the two export endpoints. */
export const ExportQuery = Type.Object({
  format: Type.Enum(['markdown', 'json'], {
    description: '`markdown` is for reading; `json` can be imported.',
  }),
  workspaceId: Type.Optional(WorkspaceId),
});

export const FileProblem = Type.Object(
  {
    chat: orNull(Type.Integer(), {
      description: 'Which chat of the file, counted from 1; null: none in particular.',
    }),
    title: Type.Optional(Type.String({ description: "The chat's title. Absent: none could be read." })),
    message: orNull(Type.Integer(), {
      description:
        'Which message of that chat, counted from 1; null: the problem is about the chat or the file.',
    }),
    what: Type.String({
      examples: ['A message without a text was left out.'],
      description: 'What was wrong and what Parley did about it, in a sentence.',
    }),
  },
  { description: 'Something in a file that could not be imported as it is.' },
);
export type FileProblem = Static<typeof FileProblem>;

/** What in a file could not be imported as it is. All counts are 0 for a file without problems. */
const fileFindings = {
  mended: Type.Integer({ description: 'Chats and messages that were repaired and imported.' }),
  leftOut: Type.Integer({ description: 'Chats, messages and other parts that could not be imported.' }),
  problems: Type.Array(FileProblem, { description: 'The first 100 of them, one entry each.' }),
};
/** What is in chats of other apps but can't be imported. */
export const OmittedParts = Type.Object(
  {
    images: Type.Integer({ description: 'Pictures that were sent or generated.' }),
    files: Type.Integer({ description: 'Files whose text is not in the export.' }),
    recordings: Type.Integer({ description: 'Spoken messages. Their transcripts are imported.' }),
    instructions: Type.Integer({ description: 'System prompts and custom instructions.' }),
  },
  {
    description:
      "What is in chats of other apps but can't be imported. A line in the message marks where a picture, file or recording was.",
  },
);
export type OmittedParts = Static<typeof OmittedParts>;

/**
 * Answer of `POST /api/v1/import` and of a restore. A chat keeps its id if that is free. If the same chat is already there
 * with every message, it is skipped; otherwise it is imported as a copy with a new id. Nothing is ever replaced.
 */
export const ImportResult = Type.Object({
  imported: Type.Integer({ description: 'Chats imported under their own id.' }),
  copied: Type.Integer({ description: 'Chats imported as copies.' }),
  skipped: Type.Integer({ description: 'Chats that were already there in full.' }),
  chatIds: Type.Array(Type.String(), { description: 'The ids of all imported chats.' }),
  workspaces: Type.Optional(
    Type.Array(
      Type.Object({
        id: Type.String(),
        name: Type.String(),
        chatIds: Type.Array(Type.String(), { description: 'The ids of its chats that were imported.' }),
      }),
      { description: 'Of a restore: the workspaces of the backup, as they are here.' },
    ),
  ),
  ...fileFindings,
});
export type ImportResult = Static<typeof ImportResult>;

/** Answer of `POST /api/v1/import/preview`: what importing the file would do now. */
export const ImportPreview = Type.Object(
  {
    app: Type.Enum(['parley', 'chatgpt', 'claude', 'deepseek', 'open-webui', 'lm-studio'], {
      description: 'The app that exported it.',
    }),
    omitted: Type.Optional(OmittedParts),
    chats: Type.Integer({
      description: 'Chats that can be imported, including those that are already there.',
    }),
    messages: Type.Integer({ description: 'Their messages, in all versions.' }),
    firstAt: Type.Optional(
      Type.String({ description: 'When the oldest message was written. Absent: there is none.' }),
    ),
    lastAt: Type.Optional(Type.String({ description: 'When the newest message was written.' })),
    imported: Type.Integer({ description: 'Chats that would be imported under their own id.' }),
    copied: Type.Integer({
      description: 'Chats that would be imported as copies, because the existing chat differs.',
    }),
    skipped: Type.Integer({ description: 'Chats that are already there in full.' }),
    ...fileFindings,
  },
  { description: 'What importing the file would do now. Only exports of other apps have `omitted`.' },
);
export type ImportPreview = Static<typeof ImportPreview>;
/** The apps whose exports can be imported. */
export type ImportApp = ImportPreview['app'];

/** Answer of `GET /api/v1/import`. */
export const ImportProgress = Type.Object({
  chats: orNull(Type.Integer(), {
    description:
      'How many chats of the import running in this workspace are done, whatever the outcome; null: no import is running.',
  }),
});
export type ImportProgress = Static<typeof ImportProgress>;

/** The problems found in a file. */
export type FileFindings = Pick<ImportResult, 'mended' | 'leftOut' | 'problems'>;

export const Backup = Type.Object(
  {
    name: Type.String({
      examples: ['parley-2026-11-20T09-30-00.json.gz'],
      description: 'File name, e.g. `parley-2026-11-20T09-30-00.json.gz`.',
    }),
    createdAt: Timestamp,
    bytes: Type.Integer({ description: 'Its size in bytes.' }),
    scheduled: Type.Optional(
      Type.Literal(true, {
        description:
          'Whether the schedule made it. Old scheduled backups are deleted when there are more than `backupsToKeep`.',
      }),
    ),
  },
  {
    description:
      'A backup: one compressed file in the data folder, with everything in all workspaces except the keys.',
  },
);
export type Backup = Static<typeof Backup>;

/** Answer of `POST /api/v1/backups`, 201: the new backup was read back, and this says what a restore would have to repair or leave out. */
export const CreatedBackup = Type.Object({ backup: Backup, ...fileFindings });
export type CreatedBackup = Static<typeof CreatedBackup>;

/** Answer of `DELETE /api/v1/backups/:name`. */
export const BackupAnswer = Type.Object({ backup: Backup });
export type BackupAnswer = Static<typeof BackupAnswer>;

/** Answer of `GET /api/v1/backups`, newest first. */
export const BackupList = Type.Object({ backups: Type.Array(Backup, { description: 'Newest first.' }) });
export type BackupList = Static<typeof BackupList>;
