import { CHANGEABLE, CHATS, type StoredChat } from './chat-columns.ts';
import { readValue } from './table.ts';
import type { Reader, SqlValue, Writer } from './types.ts';

export type { NewChat, StoredChat, TitleSource } from './chat-columns.ts';

/** Which chats a list shows. */
export interface ChatFilter {
  workspaceId: string;
  /** All agent types when absent. */
  agentType?: string;
  /** All when absent; null: those that are in no project. */
  projectId?: string | null;
  /** Whether archived chats are left out, listed with the others, or listed alone. */
  archived: 'without' | 'with' | 'only';
  /** Pinned chats alone, or all but those; both when absent. */
  pinned?: boolean;
  /** Lists chats that were deleted after this time instead, newest deletion first, whether archived or not. */
  deletedSince?: string;
}

/** The chat of that id, or null when there is none or it was deleted. */
export const findChat = CHATS.first<[id: string]>('WHERE id = ? AND deleted_at IS NULL');

/** The chat in that row, deleted or not; null: the row is gone. */
export const findChatInRow = CHATS.first<[rowid: number]>('WHERE rowid = ?');

/** The row of a chat, deleted or not; null: there is none. */
export const findRowOfChat = (reader: Reader, id: string): number | null =>
  readValue<number>(reader, 'SELECT rowid FROM chats WHERE id = ?', [id]);

/** Whether a chat, or an object derived from one, is in that workspace; null: any workspace. */
export const isInWorkspace = (chat: { workspaceId: string }, workspaceId: string | null): boolean =>
  workspaceId === null || chat.workspaceId === workspaceId;

/** A chat and the workspace to find it in. */
export interface ChatTarget {
  chatId: string;
  /** Null: any workspace. */
  workspaceId: string | null;
}

/** As {@link findChat}, in one workspace (null: any); a chat of another one is treated as if there were none. */
export function findChatIn(reader: Reader, id: string, workspaceId: string | null): StoredChat | null {
  const chat = findChat(reader, id);
  return chat !== null && isInWorkspace(chat, workspaceId) ? chat : null;
}

/** The chat of that id that was deleted after `since`, or null. */
export const findDeletedChat = CHATS.first<[id: string, since: string]>('WHERE id = ? AND deleted_at > ?');

/** Chats newest `updatedAt` first, ties by id; `offset` and `limit` count chats. */
export function listChats(reader: Reader, filter: ChatFilter, limit: number, offset: number): StoredChat[] {
  const { where, params } = filterSql(filter);
  const time = filter.deletedSince === undefined ? 'updated_at' : 'deleted_at';
  return CHATS.list<SqlValue[]>(`${where} ORDER BY ${time} DESC, id LIMIT ? OFFSET ?`)(
    reader,
    ...params,
    limit,
    offset,
  );
}

/** How many chats match the filter. */
export function countChats(reader: Reader, filter: ChatFilter): number {
  // No index covers unpinned chats, which are most: counting the pinned ones is a hundred times faster.
  const { pinned, ...both } = filter;
  if (pinned === false && filter.deletedSince === undefined) {
    return countChats(reader, both) - countChats(reader, { ...both, pinned: true });
  }
  const { where, params } = filterSql(filter);
  return CHATS.count<SqlValue[]>(where)(reader, ...params);
}

/** How many listed chats, in all workspaces, have a reply that nobody has looked at. An index holds just those. */
export const countUnreadChats = CHATS.count('WHERE unread = 1 AND archived = 0 AND deleted_at IS NULL');

/** Only the terms that a partial index of migrations.ts repeats word for word let SQLite use it. */
function filterSql(filter: ChatFilter): { where: string; params: SqlValue[] } {
  const { workspaceId, agentType, projectId, archived, pinned, deletedSince } = filter;
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
  if (projectId !== undefined) {
    // The plus keeps SQLite to the index of pinned chats, of which there are few.
    terms.push(`${pinned === true ? '+' : ''}project_id ${projectId === null ? 'IS NULL' : '= ?'}`);
    if (projectId !== null) params.push(projectId);
  }
  return { where: `WHERE ${terms.join(' AND ')}`, params };
}

const IS_UNSETTLED = `status IN ('pending', 'processing', 'completed') AND deleted_at IS NULL`;

/** Chats with work under way, longest untouched first: what recovery takes up again. */
export const listUnsettledChats = CHATS.list(`WHERE ${IS_UNSETTLED} ORDER BY updated_at, id`);

/** The ids of the chats of a workspace with work under way. */
export const listUnsettledIds = CHATS.values<[workspaceId: string]>(
  // The plus keeps SQLite from walking through all chats of the workspace instead of the few with work.
  `WHERE ${IS_UNSETTLED} AND +workspace_id = ?`,
);

/** How many chats, in all workspaces, have a reply under way or a message that waits for one. An index holds just those. */
export const countWorkingChats = CHATS.count(`WHERE ${IS_UNSETTLED}`);

/** Stores a new chat. */
export const createChat = CHATS.insert;

/** Stores a chat's state of work. */
export const updateChatProgress = CHATS.update(
  ['status', 'attempts', 'lastProgressAt', 'updatedAt', 'unread'],
  'WHERE id = ?',
);

/** Notes that the turn under way got somewhere, without moving the chat in lists. */
export function touchChat(writer: Writer, id: string, lastProgressAt: string): void {
  writer.run(`UPDATE chats SET last_progress_at = ? WHERE id = ?`, [lastProgressAt, id]);
}

const SEND = ['status', 'updatedAt'] as const;

/** Stores what a send changes in a chat, in one statement. */
export const updateChatForSend = CHATS.update(SEND, 'WHERE id = ?');

/** Likewise, of the send that gives the chat its title. Indexes and a trigger depend on it: unchanged, it would cost half as much again. */
export const updateChatForFirstSend = CHATS.update([...SEND, 'title', 'titleSource'], 'WHERE id = ?');

/** Notes that messages of a chat were hidden, shown, deleted or restored. */
export function updateChatStructure(writer: Writer, id: string, updatedAt: string): void {
  writer.run('UPDATE chats SET structure = structure + 1, updated_at = ? WHERE id = ?', [updatedAt, id]);
}

/** Gives a chat another title, and changes nothing else. */
export const updateChatTitle = CHATS.update(['title', 'titleSource'], 'WHERE id = ?');

const MARKS = [...CHANGEABLE, 'titleSource'] as const;

/** What people change of a chat by hand. */
export type ChatMarks = Pick<StoredChat, (typeof MARKS)[number]>;

/** Stores what a person changed of a chat. Its place in lists and its state of work stay as they are. */
export const updateChatMarks = CHATS.update(MARKS, 'WHERE id = ?');

/** Hides a chat from then on, or shows it again with null. Nothing may be under way in it. */
export function updateChatDeletedAt(writer: Writer, id: string, deletedAt: string | null): void {
  writer.run('UPDATE chats SET deleted_at = ? WHERE id = ?', [deletedAt, id]);
}

/** Changes the time of deletion of a workspace's chats that were deleted after `since`. */
export function updateDeletedChats(
  writer: Writer,
  workspaceId: string,
  since: string,
  deletedAt: string,
): void {
  const params = [deletedAt, workspaceId, since];
  writer.run('UPDATE chats SET deleted_at = ? WHERE workspace_id = ? AND deleted_at > ?', params);
}

/**
 * Puts a chat into a workspace and a project of it (null: none), with its messages, their files and its draft. Nothing may be
 * under way in it. The rows of its messages, of which there may be very many, keep the workspace in which they were sent: it only
 * counts while they wait.
 */
export function moveChatTo(
  writer: Writer,
  { id, workspaceId: from, leftWorkspaceIds }: StoredChat,
  to: string,
  projectId: string | null,
): void {
  writer.run('UPDATE chats SET workspace_id = ?, project_id = ?, left_workspace_ids = ? WHERE id = ?', [
    to,
    projectId,
    JSON.stringify([...new Set(leftWorkspaceIds).add(from)]),
    id,
  ]);
  writer.run(
    `UPDATE files SET workspace_id = ?
      WHERE message_id IN (SELECT id FROM messages WHERE chat_id = ? AND attachments IS NOT NULL)`,
    [to, id],
  );
  writer.run('UPDATE OR REPLACE drafts SET workspace_id = ? WHERE workspace_id = ? AND chat_key = ?', [
    to,
    from,
    id,
  ]);
}
