/** How the texts of messages are kept. */

/**
 * SQLite's text ends at a NUL for some readers and can't hold half a surrogate pair. A message that has either is kept
 * as a JSON string instead, so that every text comes back exactly as it was sent.
 */
export const needsJson = (text: string): boolean => text.includes('\0') || !text.isWellFormed();
/** A text as the columns `content` and `content_json` hold it. */
export const textColumnsOf = (content: string): { content: string; contentJson: number } =>
  needsJson(content) ? { content: JSON.stringify(content), contentJson: 1 } : { content, contentJson: 0 };

/** The text of a row whose columns `content` and `content_json` were read. */
export const contentOf = (row: { content: string; contentJson: number }): string =>
  row.contentJson === 1 ? (JSON.parse(row.content) as string) : row.content;
/** A row with both columns read, with its text as it was sent. */
export function withText<T extends { content: string; contentJson: number }>({
  contentJson,
  ...row
}: T): Omit<T, 'contentJson'> {
  return { ...row, content: contentOf({ content: row.content, contentJson }) };
}

/**
 * Reasoning as it is stored; null: none. A person didn't write it, so units that SQLite's text can't hold are replaced
 * one for one, which keeps positions.
 */
export const reasoningText = (reasoning: string | null): string | null =>
  reasoning ? reasoning.replaceAll('\0', '\uFFFD').toWellFormed() : null;
