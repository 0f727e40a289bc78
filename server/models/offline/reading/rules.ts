/** Rules written as a text table, one per line: a pattern, ` => `, its replacement. */

/** What the named groups of a pattern matched. */
export type Groups = Record<string, string | undefined>;

/** A rule of a table; `to` is empty where the line has none. */
export type PatternRule = { pattern: RegExp; to: string };

/** The rules of a table, in order. `holes` replace `<name>`; empty lines are skipped. */
export const rules = (table: string, holes: Readonly<Record<string, string>>, flags: string): PatternRule[] =>
  table
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [pattern = '', to = ''] = line.trim().split(/(?<!\s)\s+=>\s?/);
      const source = pattern.replace(/(?<!\(\?)<(\w+)>/g, (whole, name: string) => holes[name] ?? whole);
      return { pattern: new RegExp(source, flags), to };
    });

/** The entries of a list that is written with bars between them. */
export const entriesOf = (list: string): string[] => list.split('|').map((entry) => entry.trim());

/** The words of a text. */
export const wordSet = (words: string): ReadonlySet<string> => new Set(words.trim().split(/\s+/));
