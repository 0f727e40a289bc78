import { describeProblem } from '../api/problem-words.ts';

/** Something that a person started and waits for, one at a time. */
export class Task {
  busy = $state(false);
  /** Which one is under way, if there can be several. */
  subject = $state<string | null>(null);
  /** The result of the last one, in words. */
  done = $state<string | null>(null);
  /** Why the last one failed, in words. */
  problem = $state<string | null>(null);
  readonly #failed: (reason: string) => string;

  /** `failed`: a sentence for when it failed, with the reason; the reason alone unless given. */
  constructor(failed = (reason: string) => reason) {
    this.#failed = failed;
  }

  /**
   * Runs it unless one is under way; resolves with whether it worked. If `work` resolves with a string, that is shown. Never
   * rejects.
   */
  async run(work: () => Promise<unknown>, subject: string | null = null): Promise<boolean> {
    if (this.busy) return false;
    this.busy = true;
    this.subject = subject;
    this.done = null;
    this.problem = null;
    try {
      const result = await work();
      this.done = typeof result === 'string' ? result : null;
      return true;
    } catch (problem) {
      this.problem = this.#failed(describeProblem(problem));
      return false;
    } finally {
      this.busy = false;
      this.subject = null;
    }
  }
}
