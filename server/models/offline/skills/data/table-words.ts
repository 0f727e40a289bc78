/** What a request about a table says, taken apart clause by clause; what was understood is taken out. */
import { anyOf, ORDINAL, placeOf, SAYS_NOTHING } from './query-words.ts';

/** In longer tables a request must quote what a cell says. */
const MAX_ROWS = 2_000;

/** The words of a request, and how it may name the columns and cells of its table. */
export class TableWords {
  /** What wasn't understood yet. */
  left: string;
  /** A pattern for the name of a column. */
  readonly column: string;
  /** A pattern for a value: quoted, a number, or what a cell says. */
  readonly value: string;
  /** Which column the words of a cell stand in; null: in several. */
  readonly columnOfValue = new Map<string, string | null>();

  readonly columns: readonly string[];
  private readonly cells: readonly (readonly string[])[];

  constructor(words: string, columns: readonly string[], cells: readonly (readonly string[])[]) {
    this.columns = columns;
    this.cells = cells;
    this.left = ` ${words.replace(/[?.!,:]+\s*$/, '').replace(/\s+/g, ' ')} `;
    const names = columns.flatMap(formsOf);
    // "Into a table" names no column "a".
    const isWord = (name: string): boolean => SAYS_NOTHING.has(name.toLowerCase());
    this.column = `(?:the )?(?:["“']?(?:${anyOf(names.filter((name) => !isWord(name)))})["”']?(?: column)?|(?:${anyOf(names.filter(isWord))}) column|(?:${ORDINAL}|last) column|column (?:number )?(?:\\d{1,3}|[a-z]))`;
    this.noteValues();
    const known = anyOf([...this.columnOfValue.keys()]);
    this.value = `(?:"[^"]{1,80}"|“[^”]{1,80}”|'[^']{1,80}'|[-+]?\\p{Sc}?\\d[\\d.,/:-]*\\p{Sc}?%?${known === '' ? '' : `|${known}`})`;
  }

  private noteValues(): void {
    if (this.cells.length > MAX_ROWS) return;
    const said = this.left.toLowerCase();
    this.columns.forEach((column, index) => {
      for (const value of new Set(this.cells.map((row) => (row[index] ?? '').toLowerCase()))) {
        if (!/\p{L}/u.test(value) || !said.includes(value)) continue;
        this.columnOfValue.set(value, this.columnOfValue.has(value) ? null : column);
      }
    });
  }

  /** Takes the first place out that fits, and gives its groups. */
  take(source: string): Record<string, string | undefined> | null {
    const match = new RegExp(`(?<=\\s)(?:${source})(?=[\\s,])`, 'iu').exec(this.left);
    if (match === null) return null;
    this.left = `${this.left.slice(0, match.index)} ${this.left.slice(match.index + match[0].length)}`;
    return match.groups ?? {};
  }

  /** Takes every place out that fits, and gives the groups of each. */
  takeAll(source: string): Record<string, string | undefined>[] {
    const taken = [];
    for (let next = this.take(source); next !== null; next = this.take(source)) taken.push(next);
    return taken;
  }

  /** The table's own name of a column that was named. */
  nameOf(said: string | undefined): string {
    const bare = (said ?? '').toLowerCase().replace(/^the |["“”']| column$|^column (?:number )?/g, '');
    const named = this.columns.find((name) => formsOf(name.toLowerCase()).includes(bare));
    const place = bare === 'last' ? this.columns.length : placeOf(bare);
    return named ?? this.columns[/^[a-z]$/.test(bare) ? bare.charCodeAt(0) - 97 : place - 1] ?? bare;
  }

  /** Whether every cell of a column that isn't empty holds a number. */
  isNumeric(index: number): boolean {
    const filled = this.cells.map((row) => row[index] ?? '').filter((cell) => cell !== '');
    return filled.length > 0 && filled.every((cell) => /\d/.test(cell) && !/\p{L}{2}/u.test(cell));
  }

  /** Whether what is left has no meaning of its own. */
  saysNothingElse(): boolean {
    return this.telling().length === 0;
  }

  /** What of the words was not understood, from its first word to its last; null: nothing. */
  unused(words: string): string | null {
    const [first, ...others] = this.telling();
    if (first === undefined) return null;
    const at = words.toLowerCase().indexOf(first);
    const clause = words.slice(0, at).search(/\b(?:where|whose|which|that|who|having)\b/i);
    const from = clause < 0 ? at : clause;
    const last = others.at(-1) ?? first;
    return words.slice(from, Math.max(words.toLowerCase().lastIndexOf(last), from) + last.length);
  }

  private telling(): string[] {
    const words = this.left.toLowerCase().match(/[\p{L}\p{N}'’]+|[<>=]/gu) ?? [];
    return words.filter((word) => !SAYS_NOTHING.has(word.replace(/['’]/g, '')));
  }
}

/** A column's name, and its plurals. */
const formsOf = (name: string): string[] => [name, `${name}s`, `${name}es`, name.replace(/y$/, 'ies')];
