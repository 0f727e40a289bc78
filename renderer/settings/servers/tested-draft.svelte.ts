/** Something being edited that can be tested before it is saved. */
export abstract class TestedDraft<Test> {
  #result = $state.raw<{ of: string; test: Test } | null>(null);

  /** Changes when something is edited that affects a test. */
  protected abstract get signature(): string;

  /** The result of testing exactly this state; null: it wasn't tested, or was changed since. */
  get result(): Test | null {
    return this.#result?.of === this.signature ? this.#result.test : null;
  }

  /** Whether the last test was of an earlier state. */
  get isStale(): boolean {
    return this.#result !== null && this.result === null;
  }

  /** Tests the current state and keeps the result. Rejects as `run` does. */
  async test(run: () => Promise<Test>): Promise<void> {
    const of = this.signature;
    this.#result = { of, test: await run() };
  }
}
