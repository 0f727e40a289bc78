/** SQL: whether a message is of the chosen version. `table`: its table with a dot, or nothing. */
export const isShown = (table: string): string =>
  // Hardly ever is anything in there: see branch-change-repository.ts.
  `(${table}hidden_by IS NULL OR ${table}hidden_by IN (SELECT id FROM unsettled_versions))`;

/**
 * SQL: a message that is deleted, hidden or has versions; few are. Of what is asked besides, the index of these holds `chat_id`, `seq`,
 * `hidden_by` and `deleted_at`. It is used where this very condition stands.
 */
export const IS_LINKED = `(version_of IS NOT NULL OR hidden_by IS NOT NULL OR deleted_at IS NOT NULL)`;

/**
 * SQL: a listed message, of the chosen version and not deleted. Only chats at rest hide, show or delete
 * messages, so what waits or is unfinished is always listed and needs no such condition.
 */
export const IS_LISTED = `${isShown('')} AND deleted_at IS NULL`;
