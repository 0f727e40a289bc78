/** What a request about a table says; its words may name the columns and cells of the table. */
import type { Column } from '../../../../tools/data-columns.ts';
import { Words } from '../../reading/words.ts';
import type { Shape } from './material.ts';
import { AMOUNT_WORDS, anyText, DATE_WORDS, ORDINAL, placeOf, PRICE } from './query-words.ts';

/** In longer tables a request must quote what a cell says. */
const MAX_ROWS = 2_000;
/** Names of columns that are too small a word to be one by themselves. */
const SMALL = /^(?:a|an|i|in|is|it|of|on|to|at|by|or|and|as|the|all|how|many|value|name of)$/i;

export class TableWords extends Words {
  /** A pattern for the name of a column. */
  readonly column: string;
  /** A pattern for a value: quoted, a number, or what a cell says. */
  readonly value: string;
  /** Which column the words of a cell stand in; null: in several. */
  readonly columnOfValue = new Map<string, string | null>();

  readonly columns: readonly string[];
  private readonly shape: Shape;

  constructor(words: string, shape: Shape) {
    super(words);
    const { columns, cells } = shape;
    this.columns = columns;
    this.shape = shape;
    const names = columns.flatMap((name) => this.formsOf(name));
    const small = anyText(names.filter((name) => SMALL.test(name)));
    this.column = `(?:the )?(?:["“']?(?:${anyText(names.filter((name) => !SMALL.test(name)))})["”']?(?: column)?|(?:${small}|${ORDINAL}|last) column|column (?:number )?\\d{1,3})`;
    if (cells.length <= MAX_ROWS) this.noteValues();
    const known = [...this.columnOfValue.keys()];
    this.value = `(?:"[^"]{1,80}"|“[^”]{1,80}”|'[^']{1,80}'|${anyText(known)}|${DATE_WORDS}|${AMOUNT_WORDS})`;
  }

  private noteValues(): void {
    const asked = this.left.toLowerCase();
    this.columns.forEach((column, index) => {
      for (const value of new Set(this.shape.cells.map((row) => (row[index] ?? '').toLowerCase()))) {
        if (!/\p{L}/u.test(value) || !asked.includes(value)) continue;
        this.columnOfValue.set(value, this.columnOfValue.has(value) ? null : column);
      }
    });
  }

  /** A column's name and its plurals; of a name of several words also each that no other column has. */
  private formsOf(name: string): string[] {
    const others = this.columns
      .filter((each) => each !== name)
      .join(' ')
      .toLowerCase();
    const parts = name.split(/[^\p{L}\p{N}]+/u).filter((part) => part.length > 2);
    const own = parts.length < 2 ? [] : parts.filter((part) => !others.includes(part.toLowerCase()));
    // "Which cost more than 10" is about the price.
    const cost =
      PRICE.test(name) && !this.columns.some((each) => each !== name && PRICE.test(each)) ? ['cost'] : [];
    return [name, name.replaceAll('_', ' '), ...own, ...cost].flatMap((each) => [
      each,
      `${each}s`,
      `${each}es`,
      each.replace(/y$/, 'ies'),
    ]);
  }

  /** The table's own name of a column that was named. */
  nameOf(asked: string | undefined): string {
    const bare = (asked ?? '').toLowerCase().replace(/^the |["“”']| column$|^column (?:number )?/g, '');
    const named = this.columns.find((name) => this.formsOf(name).some((form) => form.toLowerCase() === bare));
    const place = bare === 'last' ? this.columns.length : placeOf(bare);
    return named ?? this.columns[place - 1] ?? bare;
  }

  /** The columns of some kinds; of any that has an order if none are named. */
  ordered(...kinds: Column['kind'][]): string[] {
    return this.columns.filter((_, at) => {
      const { kind } = this.shape.columnOf(at);
      return kinds.length === 0 ? kind !== 'text' : kinds.includes(kind);
    });
  }

  /** The columns of numbers and durations, which can be added. */
  numeric(): string[] {
    return this.ordered('number', 'duration', 'clock');
  }
}
