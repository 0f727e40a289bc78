import { Type, type Static } from 'typebox';
import { EXPORT_FORMAT } from '../choices.ts';
import { Chat } from './chat.ts';
import {
  choice,
  list,
  marker,
  object,
  optional,
  orNull,
  text,
  Timestamp,
  whole,
  WorkspaceId,
} from './common.ts';
import { Message } from './message.ts';
import { Project } from './project.ts';
import { KeptSchedule } from './schedule.ts';

/** Answer of `GET /api/v1/data`: where the data is and how much there is; needs the scope `admin`. */
export const DataInfo = Type.Object({
  dataDir: text('The data folder, as an absolute path.', '/home/ana/.local/share/parley'),
  storeBytes: whole("Size of the store's files, in bytes."),
  backupBytes: whole('Size of all backups, in bytes.'),
  chats: whole('Chats in all workspaces, without deleted ones.'),
  messages: whole('Messages in all workspaces, without deleted ones.'),
  deletedChats: whole('Deleted chats that can still be restored.'),
  backupProblem: Type.Optional(
    text('Why the last scheduled backup failed; Parley tries again. Absent: it didn’t fail.'),
  ),
});
export type DataInfo = Static<typeof DataInfo>;

const SIGNED = Type.Optional(
  Type.Record(Type.String(), Type.Record(Type.String(), Type.Unknown()), {
    description: 'What the provider wants back with it, such as a signature. Absent: nothing.',
  }),
);

const ExportedRound = object('What a model wants back of one round of its work with tools.', {
  textFrom: whole('Where its text begins, in UTF-16 code units.', { minimum: 0 }),
  stepsFrom: whole('How many `steps` there were before its own.', { minimum: 0 }),
  thoughts: Type.Array(
    Type.Object({
      text: Type.String(),
      textAt: Type.Optional(
        whole('How much of the text stood before it, in UTF-16 code units. Absent: none of its round’s.', {
          minimum: 0,
        }),
      ),
      signed: SIGNED,
    }),
  ),
  calls: Type.Array(Type.Object({ input: Type.Optional(Type.String()), signed: SIGNED })),
});

export const ExportedMessage = Type.Intersect(
  [
    Message,
    Type.Object({
      ...optional({
        versionOf: text('The first version of this user message. Absent: there is only one.'),
        retryOf: orNull(
          Type.String(),
          'On a version: the one whose question it repeats; null: it is the first version or an edit. Absent in files of earlier versions of Parley, where versions with the same text count as retries.',
        ),
        hiddenBy: text('The version to choose for this message to be listed. Absent: it is listed.'),
        fileData: Type.Record(Type.String(), Type.String(), {
          description: "The bytes of its steps' files in base64, by file id. Absent: none.",
        }),
        rounds: list(ExportedRound, 'Of a reply with steps. Absent: unknown.'),
      }),
    }),
  ],
  {
    description: 'A message in an export: as in the API, plus the version of the conversation it belongs to.',
  },
);
export type ExportedMessage = Static<typeof ExportedMessage>;

/** A file of messages in an exported chat. */
export const ExportedFile = object('A file of messages in an export.', {
  ids: list(Type.String(), 'Ids of the `attachments` that have these bytes.'),
  data: text('Its bytes in base64.'),
});

export const ExportedChat = object(
  'A chat in an export, with the messages of all versions, but without deleted messages.',
  {
    chat: Chat,
    titleSource: choice(
      ['default', 'message', 'model', 'person'],
      "Who wrote the title. Only a person's title is never replaced.",
    ),
    files: Type.Optional(list(ExportedFile, 'Files of its messages, identical ones once. Absent: none.')),
    messages: list(ExportedMessage, 'Oldest first.'),
  },
);
export type ExportedChat = Static<typeof ExportedChat>;

/** The version of the export format. Files of a higher version are refused with an explanation. */
export const EXPORT_VERSION = 1;

export const ExportFile = object(
  'An export, as `GET /api/v1/chats/:chatId/export?format=json` and `GET /api/v1/export?format=json` return it and an import reads it.',
  {
    format: Type.Literal(EXPORT_FORMAT, { description: 'What kind of file it is.' }),
    version: whole('Version of the format. Files of a higher version are refused.'),
    exportedAt: Timestamp,
    schedules: Type.Optional(list(KeptSchedule, 'The schedules of the workspace. Absent: none.')),
    projects: Type.Optional(list(Project, 'The projects its chats are in. Absent: none.')),
    chats: list(ExportedChat, 'The exported chats.'),
  },
);
export type ExportFile = Static<typeof ExportFile>;

/** Query of the two export endpoints. */
export const ExportQuery = Type.Object({
  format: choice(['markdown', 'json'], '`markdown` is for reading; `json` can be imported.'),
  workspaceId: Type.Optional(WorkspaceId),
});
/** How an export is written. */
export type ExportFormat = Static<typeof ExportQuery>['format'];

export const FileProblem = object('Something in a file that could not be imported as it is.', {
  chat: orNull(Type.Integer(), 'Which chat of the file, counted from 1; null: none in particular.'),
  title: Type.Optional(text("The chat's title. Absent: none could be read.")),
  message: orNull(
    Type.Integer(),
    'Which message of that chat, counted from 1; null: the problem is about the chat or the file.',
  ),
  what: text(
    'What was wrong and what Parley did about it, in a sentence.',
    'A message without a text was left out.',
  ),
});
export type FileProblem = Static<typeof FileProblem>;

/** What in a file could not be imported as it is. All counts are 0 for a file without problems. */
const fileFindings = {
  mended: whole('Chats and messages that were repaired and imported.'),
  leftOut: whole('Chats, messages and other parts that could not be imported.'),
  problems: list(FileProblem, 'The first 100 of them, one entry each.'),
};
/** What is in chats of other apps but can't be imported. */
export const OmittedParts = object(
  "What is in chats of other apps but can't be imported. A line in the message marks where a picture, file or recording was.",
  {
    images: whole('Pictures that were sent or generated.'),
    files: whole('Files whose text is not in the export.'),
    recordings: whole('Spoken messages. Their transcripts are imported.'),
    instructions: whole('System prompts, custom instructions and memories.'),
  },
);
export type OmittedParts = Static<typeof OmittedParts>;

/**
 * Answer of `POST /api/v1/import` and of a restore. A chat keeps its id if that is free. If the same chat is already there
 * with every message, it is skipped; otherwise it is imported as a copy with a new id. Nothing is ever replaced.
 */
export const ImportResult = Type.Object({
  imported: whole('Chats imported under their own id.'),
  copied: whole('Chats imported as copies.'),
  skipped: whole('Chats that were already there in full.'),
  chatIds: list(Type.String(), 'The ids of all imported chats.'),
  workspaces: Type.Optional(
    list(
      Type.Object({
        id: Type.String(),
        name: Type.String(),
        chatIds: list(Type.String(), 'The ids of its chats that were imported.'),
      }),
      'Of a restore: the workspaces of the backup, as they are here.',
    ),
  ),
  ...fileFindings,
});
export type ImportResult = Static<typeof ImportResult>;

/** Answer of `POST /api/v1/import/preview`: what importing the file would do now. */
export const ImportPreview = object(
  'What importing the file would do now. Only exports of other apps have `omitted`.',
  {
    app: choice(
      ['parley', 'chatgpt', 'claude', 'deepseek', 'open-webui', 'lm-studio'],
      'The app that exported it.',
    ),
    omitted: Type.Optional(OmittedParts),
    chats: whole('Chats that can be imported, including those that are already there.'),
    messages: whole('Their messages, in all versions.'),
    firstAt: Type.Optional(text('When the oldest message was written. Absent: there is none.')),
    lastAt: Type.Optional(text('When the newest message was written.')),
    imported: whole('Chats that would be imported under their own id.'),
    copied: whole('Chats that would be imported as copies, because the existing chat differs.'),
    skipped: whole('Chats that are already there in full.'),
    ...fileFindings,
  },
);
export type ImportPreview = Static<typeof ImportPreview>;
/** The apps whose exports can be imported. */
export type ImportApp = ImportPreview['app'];

/** Answer of `GET /api/v1/import`. */
export const ImportProgress = Type.Object({
  chats: orNull(
    Type.Integer(),
    'How many chats of the import running in this workspace are done, whatever the outcome; null: no import is running.',
  ),
});
export type ImportProgress = Static<typeof ImportProgress>;

/** The problems found in a file. */
export type FileFindings = Pick<ImportResult, 'mended' | 'leftOut' | 'problems'>;

export const Backup = object(
  'A backup: one compressed file in the data folder, with everything in all workspaces except the keys.',
  {
    name: text('File name, e.g. `parley-2026-11-20T09-30-00.json.gz`.', 'parley-2026-11-20T09-30-00.json.gz'),
    createdAt: Timestamp,
    bytes: whole('Its size in bytes.'),
    scheduled: Type.Optional(
      marker(
        'Whether the schedule made it. Old scheduled backups are deleted when there are more than `backupsToKeep`.',
      ),
    ),
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
export const BackupList = Type.Object({ backups: list(Backup, 'Newest first.') });
export type BackupList = Static<typeof BackupList>;
