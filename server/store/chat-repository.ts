import type { ChatStatus } from '../../shared/api/chat.ts';
import type { Reader, SqlValue, Writer } from './types.ts';

/** Who gave a chat its title; only `default` and `message` may be replaced by the service. */
export type TitleSource = 'default' | 'message' | 'model' | 'person';

/** A chat as it is stored. */
export interface StoredChat {
  id: string;
  workspaceId: string;
  agentType: string;
  title: string;
  titleSource: TitleSource;
  status: ChatStatus;
  /** Name of the model that answers. */
  model: string;
  pinned: boolean;
  archived: boolean;
  /** A reply came that nobody has looked at. */
  unread: boolean;
  /** Rises when messages are hidden, shown, deleted or restored. */
  structure: number;
  /** How often the turn under way has been taken up; 0 when none is. */
  attempts: number;
  /** When the turn under way last got anywhere; null when none is. */
  lastProgressAt: string | null;
  createdAt: string;
  updatedAt: string;
  /** Null: it is not deleted. */
  deletedAt: string | null;
}

/** Which chats a list shows. */
export interface ChatFilter {
  workspaceId: string;
  /** All agent types when absent. */
  agentType?: string;
  /** Whether archived chats are left out, listed with the others, or listed alone. */
  archived: 'without' | 'with' | 'only';
  /** Pinned chats alone, or all but those; both when absent. */
  pinned?: boolean;
  /** Lists chats that were deleted after this time instead, newest deletion first, whether archived or not. */
  deletedSince?: string;
}

type Flag = 'pinned' | 'archived' | 'unread';
type ChatRow = Omit<StoredChat, Flag> & Record<Flag, number>;

const COLUMNS = `id, workspace_id AS workspaceId, agent_type AS agentType, title, title_source AS titleSource, status,
  model, pinned, archived, unread, structure, attempts, last_progress_at AS lastProgressAt, created_at AS createdAt,
  updated_at AS updatedAt, deleted_at AS deletedAt`;

const toChat = (row: ChatRow): StoredChat => ({
  ...row,
  pinned: row.pinned === 1,
  archived: row.archived === 1,
  unread: row.unread === 1,
});

/** The chat of that id, or null when there is none or it was deleted. */
export function findChat(reader: Reader, id: string): StoredChat | null {
  const row = reader.get<ChatRow>(`SELECT ${COLUMNS} FROM chats WHERE id = ? AND deleted_at IS NULL`, [id]);
  return row && toChat(row);
}

/** Whether a chat, or what was made of one, is in that workspace; null: any workspace. */
export const isInWorkspace = (chat: { workspaceId: string }, workspaceId: string | null): boolean =>
  workspaceId === null || chat.workspaceId === workspaceId;

/** As {@link findChat}, in one workspace (null: any); a chat of another one is treated as if there were none. */
export function findChatIn(reader: Reader, id: string, workspaceId: string | null): StoredChat | null {
  const chat = findChat(reader, id);
  return chat !== null && isInWorkspace(chat, workspaceId) ? chat : null;
}

/** The chat of that id that was deleted after `since`, or null. */
export function findDeletedChat(reader: Reader, id: string, since: string): StoredChat | null {
  const row = reader.get<ChatRow>(`SELECT ${COLUMNS} FROM chats WHERE id = ? AND deleted_at > ?`, [
    id,
    since,
  ]);
  return row && toChat(row);
}

/** Chats newest `updatedAt` first, ties by id; `offset` and `limit` count chats. */
export function listChats(reader: Reader, filter: ChatFilter, limit: number, offset: number): StoredChat[] {
  const { where, params } = filterSql(filter);
  const time = filter.deletedSince === undefined ? 'updated_at' : 'deleted_at';
  return reader
    .all<ChatRow>(`SELECT ${COLUMNS} FROM chats ${where} ORDER BY ${time} DESC, id LIMIT ? OFFSET ?`, [
      ...params,
      limit,
      offset,
    ])
    .map(toChat);
}

/** How many chats the filter lets through. */
export function countChats(reader: Reader, filter: ChatFilter): number {
  // Most chats are not pinned, and no index says so: counting those that are is a hundred times quicker.
  const { pinned, ...both } = filter;
  if (pinned === false && filter.deletedSince === undefined) {
    return countChats(reader, both) - countChats(reader, { ...both, pinned: true });
  }
  const { where, params } = filterSql(filter);
  return reader.get<{ total: number }>(`SELECT count(*) AS total FROM chats ${where}`, params)?.total ?? 0;
}

/** How many listed chats, in all workspaces, have a reply that nobody has looked at. An index holds just those. */
export function countUnreadChats(reader: Reader): number {
  const sql = 'SELECT count(*) AS total FROM chats WHERE unread = 1 AND archived = 0 AND deleted_at IS NULL';
  return reader.get<{ total: number }>(sql)?.total ?? 0;
}

/** Only the terms that a partial index of migrations.ts repeats word for word let SQLite use it. */
function filterSql(filter: ChatFilter): { where: string; params: SqlValue[] } {
  const { workspaceId, agentType, archived, pinned, deletedSince } = filter;
  const terms = ['workspace_id = ?'];
  const params: SqlValue[] = [workspaceId];
  if (deletedSince === undefined) {
    terms.push('deleted_at IS NULL');
    if (archived !== 'with') terms.push(archived === 'only' ? 'archived = 1' : 'archived = 0');
  } else {
    terms.push('deleted_at > ?');
    params.push(deletedSince);
  }
  if (pinned !== undefined) terms.push(pinned ? 'pinned = 1' : 'pinned = 0');
  if (agentType !== undefined) {
    terms.push('agent_type = ?');
    params.push(agentType);
  }
  return { where: `WHERE ${terms.join(' AND ')}`, params };
}

/** Chats with work under way, longest untouched first: what recovery takes up again. */
export function listUnsettledChats(reader: Reader): StoredChat[] {
  return reader
    .all<ChatRow>(
      `SELECT ${COLUMNS} FROM chats
        WHERE status IN ('pending', 'processing', 'completed') AND deleted_at IS NULL ORDER BY updated_at, id`,
    )
    .map(toChat);
}

/** How many chats, in all workspaces, have a reply under way or a message that waits for one. An index holds just those. */
export function countWorkingChats(reader: Reader): number {
  const sql = `SELECT count(*) AS total FROM chats
    WHERE status IN ('pending', 'processing', 'completed') AND deleted_at IS NULL`;
  return reader.get<{ total: number }>(sql)?.total ?? 0;
}

/** What a chat begins with: nothing of it is hidden, deleted or unread. */
export type NewChat = Omit<StoredChat, 'unread' | 'structure' | 'deletedAt'>;

/** Stores a new chat. */
export function createChat(writer: Writer, chat: NewChat): void {
  writer.run(
    `INSERT INTO chats (id, workspace_id, agent_type, title, title_source, status, model, pinned, archived, attempts,
      last_progress_at, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      chat.id,
      chat.workspaceId,
      chat.agentType,
      chat.title,
      chat.titleSource,
      chat.status,
      chat.model,
      chat.pinned ? 1 : 0,
      chat.archived ? 1 : 0,
      chat.attempts,
      chat.lastProgressAt,
      chat.createdAt,
      chat.updatedAt,
    ],
  );
}

/** What changes as work on a chat goes on. */
export interface ChatProgress {
  status: ChatStatus;
  attempts: number;
  lastProgressAt: string | null;
  updatedAt: string;
}

const PROGRESS = 'status = ?, attempts = ?, last_progress_at = ?, updated_at = ?';

/**
 * Stores a chat's state of work, and with `isUnread` that a reply came that nobody has looked at; returns false when there
 * is no such chat.
 */
export function updateChatProgress(
  writer: Writer,
  id: string,
  progress: ChatProgress,
  isUnread = false,
): boolean {
  return (
    writer.run(`UPDATE chats SET ${PROGRESS}${isUnread ? ', unread = 1' : ''} WHERE id = ?`, [
      progress.status,
      progress.attempts,
      progress.lastProgressAt,
      progress.updatedAt,
      id,
    ]) === 1
  );
}

/** Notes that the turn under way got somewhere, without moving the chat in lists. */
export function touchChat(writer: Writer, id: string, lastProgressAt: string): void {
  writer.run(`UPDATE chats SET last_progress_at = ? WHERE id = ?`, [lastProgressAt, id]);
}

/** Stores what a send changes in a chat, in one statement. */
export function updateChatForSend(
  writer: Writer,
  chat: Pick<StoredChat, 'id' | 'status' | 'title' | 'titleSource' | 'updatedAt'>,
): void {
  writer.run('UPDATE chats SET status = ?, title = ?, title_source = ?, updated_at = ? WHERE id = ?', [
    chat.status,
    chat.title,
    chat.titleSource,
    chat.updatedAt,
    chat.id,
  ]);
}

/** Notes that messages of a chat were hidden, shown, deleted or restored. */
export function updateChatStructure(writer: Writer, id: string, updatedAt: string): void {
  writer.run('UPDATE chats SET structure = structure + 1, updated_at = ? WHERE id = ?', [updatedAt, id]);
}

/** Gives a chat another title, and changes nothing else. */
export function updateChatTitle(
  writer: Writer,
  id: string,
  { title, titleSource }: Pick<StoredChat, 'title' | 'titleSource'>,
): void {
  writer.run('UPDATE chats SET title = ?, title_source = ? WHERE id = ?', [title, titleSource, id]);
}

/** What people change of a chat by hand. */
export type ChatMarks = Pick<
  StoredChat,
  'title' | 'titleSource' | 'pinned' | 'archived' | 'unread' | 'agentType' | 'model'
>;

/** Stores what a person changed of a chat. Its place in lists and its state of work stay as they are. */
export function updateChatMarks(writer: Writer, id: string, marks: ChatMarks): void {
  writer.run(
    `UPDATE chats SET title = ?, title_source = ?, pinned = ?, archived = ?, unread = ?, agent_type = ?, model = ?
      WHERE id = ?`,
    [
      marks.title,
      marks.titleSource,
      marks.pinned ? 1 : 0,
      marks.archived ? 1 : 0,
      marks.unread ? 1 : 0,
      marks.agentType,
      marks.model,
      id,
    ],
  );
}

/** Hides a chat from then on, or shows it again with null. Nothing may be under way in it. */
export function updateChatDeletedAt(writer: Writer, id: string, deletedAt: string | null): void {
  writer.run('UPDATE chats SET deleted_at = ? WHERE id = ?', [deletedAt, id]);
}
