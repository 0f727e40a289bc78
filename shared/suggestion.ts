/** A message that the offline assistant suggests in place of one it can’t read: it stands in the reply, and the window makes a button of it. */
export const formatSuggestion = (message: string): string => `Did you mean \`${message}\`?`;

/** The message that a reply suggests; null: none. */
export const suggestionIn = (reply: string): string | null =>
  /Did you mean `([^`\n]+)`\?/.exec(reply)?.[1] ?? null;
