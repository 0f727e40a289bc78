import { Type, type Static } from 'typebox';
import { Chat } from './chat.ts';
import { Timestamp, WorkspaceId } from './common.ts';
import { Message } from './message.ts';

/** Answer of `GET /api/v1/data`: where everything is and how much; needs the scope `admin`. */
export const DataInfo = Type.Object({
  /** The data folder, as an absolute path. */
  dataDir: Type.String(),
  /** Size of the store's files, in bytes. */
  storeBytes: Type.Integer(),
  /** Size of all backups, in bytes. */
  backupBytes: Type.Integer(),
  /** In all workspaces; deleted ones are not counted. */
  chats: Type.Integer(),
  messages: Type.Integer(),
  /** Chats that are deleted and not yet removed for good. */
  deletedChats: Type.Integer(),
});
export type DataInfo = Static<typeof DataInfo>;

/** A message in an export: as the API tells it, and which version of the conversation it belongs to. */
export const ExportedMessage = Type.Intersect([
  Message,
  Type.Object({
    /** The first version of this user message; absent when there is only one. */
    versionOf: Type.Optional(Type.String()),
    /** The version that has to be chosen for this message to be listed; absent when it is listed. */
    hiddenBy: Type.Optional(Type.String()),
    /** The bytes of the files of its steps in base64, by the files' ids; absent: there are none. */
    fileData: Type.Optional(Type.Record(Type.String(), Type.String())),
  }),
]);
export type ExportedMessage = Static<typeof ExportedMessage>;

/** A chat in an export, with all its messages, those of other versions too; deleted messages are left out. */
export const ExportedChat = Type.Object({
  chat: Chat,
  /** Who gave the title; only a person's is kept for good. */
  titleSource: Type.Enum(['default', 'message', 'model', 'person']),
  messages: Type.Array(ExportedMessage),
});
export type ExportedChat = Static<typeof ExportedChat>;

/** The mark of an export file. */
export const EXPORT_FORMAT = 'parley-export';

/** The version of an export file that is written; a file of a higher one is refused in words. */
export const EXPORT_VERSION = 1;

/** An export: `GET /api/v1/chats/:chatId/export?format=json`, `GET /api/v1/export?format=json`, and what an import takes. */
export const ExportFile = Type.Object({
  format: Type.Literal(EXPORT_FORMAT),
  version: Type.Integer(),
  exportedAt: Timestamp,
  chats: Type.Array(ExportedChat),
});
export type ExportFile = Static<typeof ExportFile>;

/** Query of the two export endpoints. */
export const ExportQuery = Type.Object({
  format: Type.Enum(['markdown', 'json'], { description: '"markdown" or "json"' }),
  workspaceId: Type.Optional(WorkspaceId),
});

/** Something in a file that could not be taken as it stands. */
export const FileProblem = Type.Object({
  /** Which chat of the file, from 1; null: it is about none. */
  chat: Type.Union([Type.Integer(), Type.Null()]),
  /** The chat's title; absent when it has none that can be read. */
  title: Type.Optional(Type.String()),
  /** Which message of that chat, from 1; null: it is about the chat, or about the file. */
  message: Type.Union([Type.Integer(), Type.Null()]),
  /** What was wrong and what became of it, in a sentence. */
  what: Type.String(),
});
export type FileProblem = Static<typeof FileProblem>;

/** What in a file could not be taken as it stands; all counts are 0 when it is sound. */
const fileFindings = {
  /** Chats and messages that came in after something of them was put right. */
  mended: Type.Integer(),
  /** Chats, messages and other parts that could not come in. */
  leftOut: Type.Integer(),
  /** The first 100 of both, one for each. */
  problems: Type.Array(FileProblem),
};
/**
 * Answer of `POST /api/v1/import` and of a restore. A chat keeps its id where that is free; where the same chat is there
 * already with every message, it is passed over; else it comes in as a copy with a new id. Nothing is ever replaced.
 */
export const ImportResult = Type.Object({
  /** Came in under their own id. */
  imported: Type.Integer(),
  /** Came in as copies. */
  copied: Type.Integer(),
  /** Were there already, whole. */
  skipped: Type.Integer(),
  /** The ids of all chats that came in. */
  chatIds: Type.Array(Type.String()),
  ...fileFindings,
});
export type ImportResult = Static<typeof ImportResult>;

/** What was found wrong in a file that was read. */
export type FileFindings = Pick<ImportResult, 'mended' | 'leftOut' | 'problems'>;

/** A backup: everything in all workspaces but the keys, in one compressed file in the data folder. */
export const Backup = Type.Object({
  /** File name, e.g. `parley-2026-11-20T09-30-00.json.gz`. */
  name: Type.String(),
  createdAt: Timestamp,
  bytes: Type.Integer(),
});
export type Backup = Static<typeof Backup>;

/** Answer of `POST /api/v1/backups`, 201: the backup was read back, and what a restore would have to mend or leave out of it is told. */
export const CreatedBackup = Type.Object({ backup: Backup, ...fileFindings });
export type CreatedBackup = Static<typeof CreatedBackup>;

/** Answer of `DELETE /api/v1/backups/:name`. */
export const BackupAnswer = Type.Object({ backup: Backup });
export type BackupAnswer = Static<typeof BackupAnswer>;

/** Answer of `GET /api/v1/backups`, newest first. */
export const BackupList = Type.Object({ backups: Type.Array(Backup) });
export type BackupList = Static<typeof BackupList>;
