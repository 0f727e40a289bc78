/** A name with a secret value, as it is being written. */
export interface SecretRow {
  /** Tells rows apart in lists. */
  id: number;
  name: string;
  value: string;
  /** A value is kept for it: it has this name, and stays as it is unless another is written. */
  isKept: boolean;
}

/** What can be wrong with rows. */
export type SecretRowFault = 'secret_name' | 'secret_twice';

/** What the name of a header looks like. */
export const HEADER_NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/;

/** Names with secret values, such as headers: those that are kept, without their values, and what is written beside them. */
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

  /** Puts these in the place of all rows. */
  fill(secrets: readonly { name: string; value: string }[]): void {
    this.rows = secrets.map(({ name, value }) => this.#row(name, value, false));
  }

  /** Rows that say something. */
  get #used(): SecretRow[] {
    return this.rows.filter(({ name, value }) => name.trim() !== '' || value !== '');
  }

  get isEmpty(): boolean {
    return this.#used.length === 0;
  }

  /** A kept value stays as it is. */
  get keepsAny(): boolean {
    return this.#used.some(({ isKept, value }) => isKept && value === '');
  }

  /** Null: all can be sent. `names`: what names look like. `ignoresCase`: names are the same in either case, as those of headers. */
  fault(names: RegExp, ignoresCase: boolean): SecretRowFault | null {
    const used = this.#used.map(({ name }) => name.trim());
    if (used.some((name) => !names.test(name))) return 'secret_name';
    const same = ignoresCase ? used.map((name) => name.toLowerCase()) : used;
    return same.some((name, index) => same.indexOf(name) !== index) ? 'secret_twice' : null;
  }

  /** All that is written, as a new owner gets it. */
  get values(): Record<string, string> {
    return Object.fromEntries(this.#used.map(({ name, value }) => [name.trim(), value]));
  }

  /** What is other than what is kept; a null is removed. Null: nothing is. */
  changes(ignoresCase: boolean): Record<string, string | null> | null {
    const used = this.#used;
    const kept = used.filter(({ isKept }) => isKept).map(({ name }) => name);
    const set = used.filter(({ isKept, value }) => !isKept || value !== '');
    // What is written anew under the same name takes the place of the old one.
    const isSet = (name: string): boolean =>
      ignoresCase && set.some((row) => row.name.trim().toLowerCase() === name.toLowerCase());
    const gone = this.#kept.filter((name) => !kept.includes(name) && !isSet(name));
    if (gone.length === 0 && set.length === 0) return null;
    return Object.fromEntries([
      ...gone.map((name) => [name, null] as const),
      ...set.map(({ name, value }) => [name.trim(), value] as const),
    ]);
  }

  /** The same as long as nothing is written. */
  get signature(): string {
    return JSON.stringify(this.rows.map(({ name, value }) => [name, value]));
  }

  #row(name: string, value: string, isKept: boolean): SecretRow {
    this.#count += 1;
    return { id: this.#count, name, value, isKept };
  }
}
