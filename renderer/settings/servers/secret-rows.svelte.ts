/** A name with a secret value, being edited. */
export interface SecretRow {
  /** Identifies the row in lists. */
  id: number;
  name: string;
  value: string;
  /** A value is stored under this name; it stays unless another is entered. */
  isKept: boolean;
}

/** What can be wrong with rows. */
export type SecretRowFault = 'secret_name' | 'secret_twice';

/** The form of a header's name. */
export const HEADER_NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/;

/** Names with secret values, such as headers: the stored ones, without their values, and what has been entered. */
export class SecretRows {
  rows = $state<SecretRow[]>([]);
  readonly #kept: readonly string[];
  #count = 0;

  constructor(kept: readonly string[] = []) {
    this.#kept = kept;
    this.rows = kept.map((name) => this.#row(name, '', true));
  }

  /** Adds an empty row. */
  add(): void {
    this.rows.push(this.#row('', '', false));
  }

  remove(id: number): void {
    this.rows = this.rows.filter((row) => row.id !== id);
  }

  /** Replaces all rows. */
  fill(secrets: readonly { name: string; value: string }[]): void {
    this.rows = secrets.map(({ name, value }) => this.#row(name, value, false));
  }

  /** Rows that aren't empty. */
  get #used(): SecretRow[] {
    return this.rows.filter(({ name, value }) => name.trim() !== '' || value !== '');
  }

  get isEmpty(): boolean {
    return this.#used.length === 0;
  }

  /** A stored value stays unchanged. */
  get keepsAny(): boolean {
    return this.#used.some(({ isKept, value }) => isKept && value === '');
  }

  /** Null: all can be sent. `names`: the form of a valid name. `ignoresCase`: names differing only in case are the same, as in headers. */
  fault(names: RegExp, ignoresCase: boolean): SecretRowFault | null {
    const used = this.#used.map(({ name }) => name.trim());
    if (used.some((name) => !names.test(name))) return 'secret_name';
    const same = ignoresCase ? used.map((name) => name.toLowerCase()) : used;
    return same.some((name, index) => same.indexOf(name) !== index) ? 'secret_twice' : null;
  }

  /** All that is entered, for something new. */
  get values(): Record<string, string> {
    return Object.fromEntries(this.#used.map(({ name, value }) => [name.trim(), value]));
  }

  /** Only the differences; null for a removed name. Null: there are none. */
  changes(ignoresCase: boolean): Record<string, string | null> | null {
    const used = this.#used;
    const kept = used.filter(({ isKept }) => isKept).map(({ name }) => name);
    const set = used.filter(({ isKept, value }) => !isKept || value !== '');
    // A value entered under the same name replaces the old one.
    const isSet = (name: string): boolean =>
      ignoresCase && set.some((row) => row.name.trim().toLowerCase() === name.toLowerCase());
    const gone = this.#kept.filter((name) => !kept.includes(name) && !isSet(name));
    if (gone.length === 0 && set.length === 0) return null;
    return Object.fromEntries([
      ...gone.map((name) => [name, null] as const),
      ...set.map(({ name, value }) => [name.trim(), value] as const),
    ]);
  }

  /** Stays the same until something is entered. */
  get signature(): string {
    return JSON.stringify(this.rows.map(({ name, value }) => [name, value]));
  }

  #row(name: string, value: string, isKept: boolean): SecretRow {
    this.#count += 1;
    return { id: this.#count, name, value, isKept };
  }
}
