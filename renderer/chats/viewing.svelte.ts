import type { ShownFile } from './shown-files.ts';

/** The file that is shown large, over the page, and the others one can page through. */
export class Viewing {
  #files = $state.raw<readonly ShownFile[]>([]);
  #at = $state(0);

  /** The file that is shown; undefined: none. */
  get file(): ShownFile | undefined {
    return this.#files[this.#at];
  }

  /** Its number, from 1. */
  get number(): number {
    return this.#at + 1;
  }

  get count(): number {
    return this.#files.length;
  }

  /** Shows a file, among others beside it; those that can't be shown are skipped. */
  open(file: ShownFile, among: readonly ShownFile[] = [file]): void {
    this.#files = among.filter(({ kind }) => kind !== 'other');
    this.#at = Math.max(
      0,
      this.#files.findIndex(({ path }) => path === file.path),
    );
  }

  /** Moves to the next or previous one, wrapping around. */
  go(by: 1 | -1): void {
    this.#at = (this.#at + by + this.count) % this.count;
  }

  close(): void {
    this.#files = [];
  }
}
