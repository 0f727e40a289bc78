/** Rules written as a text table, one per line: a pattern, ` => `, its replacement. */

/** A rule of a table; `to` is empty where the line has none. */
export interface Rule {
  pattern: RegExp;
  to: string;
}

/** The rules of a table, in order. `holes` replace `<name>`; empty lines are skipped. */
export function rules(table: string, holes: Readonly<Record<string, string>>, flags: string): Rule[] {
  return table
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [said = '', to = ''] = line.trim().split(/(?<!\s)\s+=>\s?/);
      const source = said.replace(/(?<!\(\?)<(\w+)>/g, (whole, name: string) => holes[name] ?? whole);
      return { pattern: new RegExp(source, flags), to };
    });
}
