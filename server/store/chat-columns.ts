/**
 * All that is stored of a chat, and what follows from each column: its place in the API's object, whether a person may
 * change it, and whether it comes back from files. README.md tells how to add one.
 */
import type { ChatStatus } from '../../shared/api/chat.ts';
import type { Parameters } from '../../shared/api/parameters.ts';
import { DEFAULT_AGENT_TYPE, NEW_CHAT_TITLE } from '../../shared/limits.ts';
import { OFFLINE_MODEL_NAME } from '../../shared/models.ts';
import { type AnyColumn, type NewRow, type Row, defineTable, flag, json, plain, text } from './table.ts';

/** Who gave a chat its title; only `default` and `message` may be replaced by the service. */
export type TitleSource = 'default' | 'message' | 'model' | 'person';

interface ChatColumn extends AnyColumn {
  /** When clients get it: always, or only when it is true or not null; absent: never, or as chat-object.ts does. */
  readonly api?: 'always' | 'if set';
  /** A person may change it (`PATCH`). */
  readonly changes?: true;
  /** It is taken from files; what is missing or wrong there becomes `initial`. */
  readonly imported?: true;
}

/** In the order of the API's object. */
export const CHATS = defineTable('chats', {
  id: { ...text(), api: 'always', imported: true },
  title: { ...text(NEW_CHAT_TITLE), api: 'always', changes: true, imported: true },
  titleSource: plain<TitleSource>('default'),
  status: { ...plain<ChatStatus>('idle'), api: 'always', imported: true },
  /** Name of the model that answers. */
  model: { ...text(OFFLINE_MODEL_NAME), api: 'always', changes: true, imported: true },
  createdAt: { ...text(), api: 'always', imported: true },
  updatedAt: { ...text(), api: 'always', imported: true },
  workspaceId: { ...text(), api: 'always' },
  agentType: { ...text(DEFAULT_AGENT_TYPE), api: 'always', changes: true, imported: true },
  pinned: { ...flag(false), api: 'always', changes: true, imported: true },
  archived: { ...flag(false), api: 'always', changes: true, imported: true },
  /** Null: it is in no project. */
  projectId: { ...plain<string | null>(null), api: 'if set', changes: true, imported: true },
  /** Null: it has none. */
  parameters: { ...json<Parameters | null>(null), api: 'if set', changes: true, imported: true },
  /** A reply came that nobody has looked at. */
  unread: { ...flag(false), api: 'if set', changes: true },
  /** Null: it is not deleted. */
  deletedAt: { ...plain<string | null>(null), api: 'if set' },
  /** The workspaces that it was ever moved out of, whose lists are told that it is gone. */
  leftWorkspaceIds: json<readonly string[] | null>(null),
  /** Rises when messages are hidden, shown, deleted or restored. */
  structure: plain<number>(0),
  /** How often the turn under way has been taken up; 0 when none is. */
  attempts: plain<number>(0),
  /** When the turn under way last got anywhere; null when none is. */
  lastProgressAt: plain<string | null>(null),
} satisfies Record<string, ChatColumn>);

type ChatColumns = typeof CHATS.columns;
type ChatField = keyof ChatColumns;

/** A chat as it is stored. */
export type StoredChat = Row<ChatColumns>;

/** A chat to store. */
export type NewChat = NewRow<ChatColumns>;

type FieldsWith<P> = { [K in ChatField]: ChatColumns[K] extends P ? K : never }[ChatField];

const fieldsWith = <P extends ChatColumn>(policy: P): FieldsWith<P>[] =>
  CHATS.names.filter((name): name is FieldsWith<P> => {
    const column: ChatColumn = CHATS.columns[name];
    return Object.entries(policy).every(([key, value]) => column[key as keyof ChatColumn] === value);
  });

/** What clients are always told. */
export const ALWAYS_TOLD = fieldsWith({ api: 'always' } as const);
export const isAlwaysTold = (name: string): boolean => ALWAYS_TOLD.some((told) => told === name);
/** What clients are told when it is true, or not null. */
export const TOLD_IF_SET = fieldsWith({ api: 'if set' } as const);
/** What a person may change. */
export const CHANGEABLE = fieldsWith({ changes: true } as const);
/** What is taken from files. */
export const IMPORTED = fieldsWith({ imported: true } as const);
