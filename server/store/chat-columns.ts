/**
 * Everything stored for a chat, and for each column: its place in the API's object, whether people may change it, and
 * whether imports keep it. README.md explains how to add one.
 */
import type { Chat } from '../../shared/api/chat.ts';
import type { Parameters } from '../../shared/api/parameters.ts';
import { DEFAULT_AGENT_TYPE, NEW_CHAT_TITLE } from '../../shared/limits.ts';
import { OFFLINE_MODEL_NAME } from '../../shared/models.ts';
import { type ChatStatus, isUnsettled } from '../../shared/choices.ts';
import { type AnyColumn, type NewRow, type RowOf, defineTable, flag, json, plain, text } from './table.ts';

/** Who gave a chat its title; only `default` and `message` may be replaced by the service. */
export type TitleSource = 'default' | 'message' | 'model' | 'person';

interface ChatColumn extends AnyColumn {
  /** When clients get it: always, or only when true or not null. Absent: never, unless {@link toChat} adds it. */
  readonly api?: 'always' | 'if set';
  /** People may change it (`PATCH`). */
  readonly changes?: true;
  /** Imports keep it; a missing or wrong value becomes `initial`. */
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
  /** There is a reply that nobody has looked at. */
  unread: { ...flag(false), api: 'if set', changes: true },
  /** Null: it is not deleted. */
  deletedAt: { ...plain<string | null>(null), api: 'if set' },
  /** All workspaces it was ever moved out of, so that their lists can report it as gone. */
  leftWorkspaceIds: json<readonly string[] | null>(null),
  /** Rises when messages are hidden, shown, deleted or restored. */
  structure: plain<number>(0),
  /** How often the running turn has been started; 0 when none is running. */
  attempts: plain<number>(0),
  /** When the running turn last made progress; null when none is running. */
  lastProgressAt: plain<string | null>(null),
} satisfies Record<string, ChatColumn>);

type ChatColumns = typeof CHATS.columns;
type ChatField = keyof ChatColumns;

/** A chat as it is stored. */
export type StoredChat = RowOf<ChatColumns>;

/** A chat to store. */
export type NewChat = NewRow<ChatColumns>;

type FieldsWith<P> = { [K in ChatField]: ChatColumns[K] extends P ? K : never }[ChatField];

const fieldsWith = <P extends ChatColumn>(policy: P): FieldsWith<P>[] =>
  CHATS.names.filter((name): name is FieldsWith<P> => {
    const column: ChatColumn = CHATS.columns[name];
    return Object.entries(policy).every(([key, value]) => column[key as keyof ChatColumn] === value);
  });

/** The fields that clients always get. */
const ALWAYS_SHOWN = fieldsWith({ api: 'always' } as const);
export const isAlwaysShown = (name: string): boolean => ALWAYS_SHOWN.some((fields) => fields === name);
/** The fields that clients get when true or not null. */
const SHOWN_IF_SET = fieldsWith({ api: 'if set' } as const);
/** The fields that people may change. */
export const CHANGEABLE = fieldsWith({ changes: true } as const);
/** The fields that imports keep. */
export const IMPORTED = fieldsWith({ imported: true } as const);

/** What the queue has to know of a chat. */
export type QueuedChat = Pick<StoredChat, 'id' | 'workspaceId'>;

/** What only the processor knows of a chat. */
export interface ChatStanding {
  /** How many chats are served before this one. */
  queuePosition(chat: QueuedChat): number;
  /** Whether a tool of this chat waits for a person's answer. */
  isAwaitingApproval(chatId: string): boolean;
}

/** An object that has all its fields from the start is faster to fill and to serialize. */
const NOTHING_SHOWN = Object.fromEntries(ALWAYS_SHOWN.map((name) => [name, null]));

/** A chat for clients. `standing` is asked only while work is under way; null leaves those fields out. */
export function toChat(chat: StoredChat, standing: ChatStanding | null): Chat {
  const fields: Record<string, unknown> = { ...NOTHING_SHOWN };
  for (const name of ALWAYS_SHOWN) fields[name] = chat[name];
  for (const name of SHOWN_IF_SET) {
    const value = chat[name];
    if (value !== null && value !== false) fields[name] = value;
  }
  const result = fields as Chat;
  if (standing !== null && isUnsettled(chat.status)) {
    result.queuePosition = standing.queuePosition(chat);
    if (standing.isAwaitingApproval(chat.id)) result.awaitingApproval = true;
    if (chat.lastProgressAt !== null) result.lastProgressAt = chat.lastProgressAt;
  }
  return result;
}
