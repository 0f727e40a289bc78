/**
 * What makes chats findable by their titles. Letters that aren't ASCII are normalised (lower case, no diacritics) into
 * a column, which SQLite can't do by itself; normalising all titles for each search took a second for 50,000 of them.
 * As with the search index, this runs later: a trigger empties the column when a title changes.
 */
import { likePattern } from './search-repository.ts';
import type { Reader, Writer } from './types.ts';

/** A chat by its title. */
export interface TitleRow {
  id: string;
  updatedAt: string;
  title: string;
  /** Normalised; null: it is ASCII, or not normalised yet. */
  normalised: string | null;
}

/** A place in the list of chats, newest change first, ties by id. */
export type TitlePlace = Pick<TitleRow, 'id' | 'updatedAt'>;

// Word for word as the partial index has it.
const IS_NOT_NORMALISED = `title_folded IS NULL AND title GLOB '*[^ -~]*'`;

/** Chats whose titles have to be normalised, `limit` at most. */
export const listTitlesToNormalise = (reader: Reader, limit: number): { id: string; title: string }[] =>
  reader.all(`SELECT id, title FROM chats WHERE ${IS_NOT_NORMALISED} LIMIT ?`, [limit]);

/** Stores how a title reads normalised. */
export function updateNormalisedTitle(writer: Writer, id: string, normalised: string): void {
  writer.run('UPDATE chats SET title_folded = ? WHERE id = ?', [normalised, id]);
}

const START: TitlePlace = { updatedAt: '~', id: '' };
const AFTER = 'updated_at <= ? AND (updated_at < ? OR id > ?)';
const ORDER = 'ORDER BY updated_at DESC, id';

/**
 * Those of the next `limit` chats of a workspace, deleted ones left out, whose titles hold all the normalised pieces, and the
 * place to go on from; null: there are no more.
 */
export function listTitles(
  reader: Reader,
  { workspaceId, pieces, limit }: { workspaceId: string; pieces: readonly string[]; limit: number },
  { updatedAt, id }: TitlePlace = START,
): { rows: TitleRow[]; next: TitlePlace | null } {
  const next = reader.get<TitlePlace>(
    `SELECT id, updated_at AS updatedAt FROM chats
      WHERE workspace_id = ? AND deleted_at IS NULL AND ${AFTER} ${ORDER} LIMIT 1 OFFSET ?`,
    [workspaceId, updatedAt, updatedAt, id, limit - 1],
  );
  const upTo = next === null ? '' : 'AND updated_at >= ? AND (updated_at > ? OR id <= ?)';
  const holds = pieces.map(() => `coalesce(title_folded, title) LIKE ? ESCAPE '\\'`).join(' AND ');
  const rows = reader.all<TitleRow>(
    `SELECT id, updated_at AS updatedAt, title, title_folded AS normalised FROM chats
      WHERE workspace_id = ? AND deleted_at IS NULL AND ${AFTER} ${upTo} AND ${holds} ${ORDER}`,
    [
      workspaceId,
      updatedAt,
      updatedAt,
      id,
      ...(next === null ? [] : [next.updatedAt, next.updatedAt, next.id]),
      ...pieces.map(likePattern),
    ],
  );
  return { rows, next };
}
