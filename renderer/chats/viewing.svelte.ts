import type { ShownFile } from './shown-files.ts';

/** Which file is shown large, over the page, and which others one can go on to. */
export class Viewing {
  #files = $state.raw<readonly ShownFile[]>([]);
  #at = $state(0);

  /** What is shown; undefined: nothing is. */
  get file(): ShownFile | undefined {
    return this.#files[this.#at];
  }

  /** Its number, from 1. */
  get number(): number {
    return this.#at + 1;
  }

  /** How many there are to go through. */
  get count(): number {
    return this.#files.length;
  }

  /** Shows a file, among others that stand beside it; one that can't be shown is passed over. */
  open(file: ShownFile, among: readonly ShownFile[] = [file]): void {
    this.#files = among.filter(({ kind }) => kind !== 'other');
    this.#at = Math.max(
      0,
      this.#files.findIndex(({ path }) => path === file.path),
    );
  }

  /** Goes on to another, around the end. */
  go(by: 1 | -1): void {
    this.#at = (this.#at + by + this.count) % this.count;
  }

  close(): void {
    this.#files = [];
  }
}
