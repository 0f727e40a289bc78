import { copyText } from '../lib/copy-text.ts';
import { words } from '../lib/words/index.ts';

/** How long success and failure are shown, in milliseconds. */
const COPIED_SHOWN_MS = 1_600;
const FAILED_SHOWN_MS = 8_000;

/** The outcome of the last copy by one control, as long as it is shown. */
export class Copying {
  outcome = $state<'copied' | 'failed' | null>(null);
  readonly #failedWords: string;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(failedWords: string = words.ui.notCopied) {
    this.#failedWords = failedWords;
  }

  /** The outcome in words; empty when there is none to show. */
  get text(): string {
    if (this.outcome === null) return '';
    return this.outcome === 'copied' ? words.ui.copied : this.#failedWords;
  }

  /** Copies a text; resolves with whether the browser allowed it. */
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
