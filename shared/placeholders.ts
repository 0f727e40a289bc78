/** Placeholders of prompts: `{{topic}}` is filled in before the prompt is sent. */

/** A name of 1 to 40 characters on one line, without braces; white space around it doesn't count. */
const PLACEHOLDER = /\{\{[ \t]*([^\s{}](?:[^{}\r\n]{0,38}[^\s{}])?)[ \t]*\}\}/gu;

/** The names of a prompt's placeholders, each once, in order; case matters. */
export const placeholdersOf = (text: string): string[] => [
  ...new Set([...text.matchAll(PLACEHOLDER)].map(([, name = '']) => name)),
];

/** The prompt with its placeholders replaced by their values; those without a value stay. */
export const fillPlaceholders = (text: string, values: ReadonlyMap<string, string>): string =>
  text.replace(PLACEHOLDER, (whole, name: string) => values.get(name) ?? whole);
