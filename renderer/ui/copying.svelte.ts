import { copyText } from '../lib/copy-text.ts';
import { words } from '../lib/words/index.ts';

/** How long it says that something was copied, and that it was not, in milliseconds. */
const COPIED_SHOWN_MS = 1_600;
const FAILED_SHOWN_MS = 8_000;

/** How the last copying by one control went, for as long as it is worth saying. */
export class Copying {
  outcome = $state<'copied' | 'failed' | null>(null);
  readonly #failedWords: string;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(failedWords: string = words.ui.notCopied) {
    this.#failedWords = failedWords;
  }

  /** The outcome in words; empty when there is none to tell. */
  get said(): string {
    if (this.outcome === null) return '';
    return this.outcome === 'copied' ? words.ui.copied : this.#failedWords;
  }

  /** Copies a text; resolves with whether the browser let it happen. */
  async copy(text: string): Promise<boolean> {
    const copied = await copyText(text);
    this.outcome = copied ? 'copied' : 'failed';
    clearTimeout(this.#timer);
    this.#timer = setTimeout(
      () => {
        this.outcome = null;
      },
      copied ? COPIED_SHOWN_MS : FAILED_SHOWN_MS,
    );
    return copied;
  }
}
