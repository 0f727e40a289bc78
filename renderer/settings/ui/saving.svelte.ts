import type { UpdateSettingsBody } from '../../../shared/api/settings.ts';
import { describeProblem } from '../../api/problem-words.ts';
import type { SettingsState } from '../../session/settings.svelte.ts';

/** How long "Saved" is shown, in milliseconds. */
const SAVED_SHOWN_MS = 2_500;

/** How saving the last change of one setting went, for the words beside it. */
export class Saving {
  phase = $state<'idle' | 'saving' | 'saved' | 'refused'>('idle');
  /** Why it was refused. */
  reason = $state('');
  readonly #settings: SettingsState;
  readonly #onDone: () => unknown;
  #runs = 0;

  /** `onDone` is called after each change, saved or refused. */
  constructor(settings: SettingsState, onDone: () => unknown = () => undefined) {
    this.#settings = settings;
    this.#onDone = onDone;
  }

  /** Saves at once; resolves with whether it was saved. A refused change has been undone by then. */
  save(change: UpdateSettingsBody): Promise<boolean> {
    return this.attempt(() => this.#settings.update(change)).finally(this.#onDone);
  }

  /** The same for something that is saved by other means. */
  async attempt(work: () => Promise<void>): Promise<boolean> {
    this.#runs += 1;
    const run = this.#runs;
    this.phase = 'saving';
    try {
      await work();
      this.#end(run, 'saved', '');
      setTimeout(() => {
        if (run === this.#runs && this.phase === 'saved') this.phase = 'idle';
      }, SAVED_SHOWN_MS);
      return true;
    } catch (problem) {
      this.#end(run, 'refused', describeProblem(problem));
      return false;
    }
  }

  /** Says why something can't even be tried. */
  refuse(reason: string): void {
    this.#runs += 1;
    this.#end(this.#runs, 'refused', reason);
  }

  #end(run: number, phase: 'saved' | 'refused', reason: string): void {
    if (run !== this.#runs) return;
    this.phase = phase;
    this.reason = reason;
  }
}
