import type { ChatStatus } from '../../shared/api/chat.ts';
import type { Reader, Writer } from './types.ts';

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
  /** Whether archived chats are listed with the others or left out. */
  withArchived: boolean;
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

/** Chats newest `updatedAt` first, ties by id; `offset` and `limit` count chats. */
export function listChats(reader: Reader, filter: ChatFilter, limit: number, offset: number): StoredChat[] {
  const { where, params } = filterSql(filter);
  return reader
    .all<ChatRow>(`SELECT ${COLUMNS} FROM chats ${where} ORDER BY updated_at DESC, id LIMIT ? OFFSET ?`, [
      ...params,
      limit,
      offset,
    ])
    .map(toChat);
}

/** How many chats the filter lets through. */
export function countChats(reader: Reader, filter: ChatFilter): number {
  const { where, params } = filterSql(filter);
  return reader.get<{ total: number }>(`SELECT count(*) AS total FROM chats ${where}`, params)?.total ?? 0;
}

function filterSql(filter: ChatFilter): { where: string; params: (string | number)[] } {
  const where = 'WHERE workspace_id = ? AND archived <= ? AND deleted_at IS NULL';
  const params = [filter.workspaceId, filter.withArchived ? 1 : 0];
  if (filter.agentType === undefined) return { where, params };
  return { where: `${where} AND agent_type = ?`, params: [...params, filter.agentType] };
}

/** Chats with work under way, longest untouched first: what recovery takes up again. */
export function listUnsettledChats(reader: Reader): StoredChat[] {
  return reader
    .all<ChatRow>(
      `SELECT ${COLUMNS} FROM chats WHERE status IN ('pending', 'processing', 'completed') ORDER BY updated_at, id`,
    )
    .map(toChat);
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

/** Stores a chat's state of work; returns false when there is no such chat. */
export function updateChatProgress(writer: Writer, id: string, progress: ChatProgress): boolean {
  return (
    writer.run(
      `UPDATE chats SET status = ?, attempts = ?, last_progress_at = ?, updated_at = ? WHERE id = ?`,
      [progress.status, progress.attempts, progress.lastProgressAt, progress.updatedAt, id],
    ) === 1
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

/** Gives a chat a title. */
export function updateChatTitle(writer: Writer, id: string, title: string, source: TitleSource): void {
  writer.run(`UPDATE chats SET title = ?, title_source = ? WHERE id = ?`, [title, source, id]);
}
