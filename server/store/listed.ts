/** SQL: whether a message is of the chosen version. `table`: its table with a dot, or nothing. */
export const isShown = (table: string): string =>
  // Hardly ever is anything in there: see branch-change-repository.ts.
  `(${table}hidden_by IS NULL OR ${table}hidden_by IN (SELECT id FROM unsettled_versions))`;

/**
 * SQL: the messages of a chat (the first parameter) that are deleted, hidden or have versions. They are few, and have an index that
 * also holds `seq`, `hidden_by` and `deleted_at`.
 */
export const LINKED_MESSAGES = `messages INDEXED BY messages_linked
  WHERE chat_id = ? AND coalesce(version_of, hidden_by, deleted_at) IS NOT NULL`;

/**
 * SQL: a listed message, of the chosen version and not deleted. Only chats at rest hide, show or delete
 * messages, so what waits or is unfinished is always listed and needs no such condition.
 */
export const IS_LISTED = `${isShown('')} AND deleted_at IS NULL`;
