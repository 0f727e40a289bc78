/**
 * What makes chats findable by their titles. The words of titles that aren't ASCII, or have a sign within a word, are stored as the search index has them
 * (joinedWords in shared/search-text.ts); normalising all titles for each search took a second for 50,000 of them.
 * As with the search index, this runs later: a trigger empties the column when a title changes.
 */
import { likePattern } from './search-repository.ts';
import type { Reader, Writer } from './types.ts';

/** A chat by its title. */
interface TitleRow {
  id: string;
  title: string;
  /** Its words, normalised; null: it is ASCII without signs within words, or not normalised yet. */
  words: string | null;
}

// Word for word as the partial index has it.
const IS_NOT_NORMALISED = `title_folded IS NULL AND (title GLOB '*[^ -~]*' OR title GLOB '*[a-zA-Z][-._''][a-zA-Z]*')`;

/** Chats whose titles have to be normalised, `limit` at most. */
export const listTitlesToNormalise = (reader: Reader, limit: number): { id: string; title: string }[] =>
  reader.all(`SELECT id, title FROM chats WHERE ${IS_NOT_NORMALISED} LIMIT ?`, [limit]);

/** Stores how a title reads normalised. */
export function updateNormalisedTitle(writer: Writer, id: string, normalised: string): void {
  writer.run('UPDATE chats SET title_folded = ? WHERE id = ?', [normalised, id]);
}

/**
 * Those of a workspace's chats from `offset` on, `limit` at most, deleted ones left out and newest change first, whose
 * titles hold all the pieces.
 */
export function listTitles(
  reader: Reader,
  query: { workspaceId: string; pieces: readonly string[]; offset: number; limit: number },
): TitleRow[] {
  const { workspaceId, pieces, offset, limit } = query;
  const holds = ['1', ...pieces.map(() => `coalesce(title_folded, title) LIKE ? ESCAPE '\\'`)].join(' AND ');
  return reader.all<TitleRow>(
    `SELECT id, title, title_folded AS words FROM (
      SELECT id, title, title_folded FROM chats WHERE workspace_id = ? AND deleted_at IS NULL
        ORDER BY updated_at DESC, id LIMIT ? OFFSET ?)
      WHERE ${holds}`,
    [workspaceId, limit, offset, ...pieces.map(likePattern)],
  );
}
