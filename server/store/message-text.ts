/** How the texts of messages are kept. */

/**
 * SQLite's text ends at a NUL for some readers and can't hold half a surrogate pair. A message that has either is kept
 * as a JSON string instead, so that every text comes back exactly as it was sent.
 */
export const needsJson = (text: string): boolean => text.includes('\0') || !text.isWellFormed();
/** What to write to the columns `content` and `content_json`. */
export const contentParams = (text: string): [string, number] =>
  needsJson(text) ? [JSON.stringify(text), 1] : [text, 0];

/** The text of a row whose columns `content` and `content_json` were read. */
export const contentOf = (row: { content: string; contentJson: number }): string =>
  row.contentJson === 1 ? (JSON.parse(row.content) as string) : row.content;
/**
 * Reasoning as it is stored; null: none. It is no person's words, so what SQLite's text can't hold is replaced, each unit by
 * one: places in it stay where they are.
 */
export const reasoningText = (reasoning: string | null | undefined): string | null =>
  reasoning ? reasoning.replaceAll('\0', '\uFFFD').toWellFormed() : null;
