import { keepSame } from '../lib/keep-same.ts';
import type { CodePiece } from './colour-code.ts';
import { drawing } from './drawing.ts';

/** Longer code isn't coloured. */
const LONGEST_COLOURED_CHARACTERS = 50_000;
/** Shortest time between colourings of code that is being written, in milliseconds. */
const LIVE_PAUSE_MS = 400;
/** After a colouring, the next waits at least this many times as long as it took. */
const REST_FACTOR = 8;

/** The colours of one block of code, which may still grow. */
export class CodeColours {
  #pieces = $state.raw<CodePiece[]>([]);
  /** The code that the pieces cover. */
  #code = $state.raw('');
  #wanted = '';
  #language = '';
  #timer: ReturnType<typeof setTimeout> | undefined;
  #nextAt = 0;

  constructor(code: string, language: string) {
    const pieces = isColourable(code, language) && drawing.known({ kind: 'colours', code, language });
    if (pieces) this.#take(code, language, pieces);
  }

  /** The code in pieces: coloured as far as that is done, plain after that. */
  of(code: string): CodePiece[] {
    if (this.#code === '' || !code.startsWith(this.#code)) return [{ text: code, kind: null }];
    if (this.#code.length === code.length) return this.#pieces;
    return [...this.#pieces, { text: code.slice(this.#code.length), kind: null }];
  }

  /** Requests the colours of `code`: soon, or at intervals while it grows. */
  want(code: string, language: string, live: boolean): void {
    if (code === this.#code && language === this.#language) return;
    this.#wanted = code;
    this.#language = language;
    if (live && this.#timer !== undefined) return;
    clearTimeout(this.#timer);
    const wait = live ? Math.max(0, this.#nextAt - performance.now()) : 0;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      void this.#colour(this.#wanted, this.#language, live);
    }, wait);
  }

  /** Cancels a planned colouring. */
  close(): void {
    clearTimeout(this.#timer);
  }

  async #colour(code: string, language: string, live: boolean): Promise<void> {
    const before = performance.now();
    const pieces =
      isColourable(code, language) && (await drawing.draw({ kind: 'colours', code, language }, live));
    const now = performance.now();
    this.#nextAt = now + Math.max(LIVE_PAUSE_MS, REST_FACTOR * (now - before));
    if (pieces && language === this.#language) this.#take(code, language, pieces);
  }

  #take(code: string, language: string, pieces: CodePiece[]): void {
    this.#pieces = keepSame(this.#pieces, pieces);
    this.#code = code;
    this.#language = language;
  }
}

/** Whether code of that length and language can be coloured, as far as the page knows. */
const isColourable = (code: string, language: string): boolean =>
  language !== '' && code.length <= LONGEST_COLOURED_CHARACTERS;
