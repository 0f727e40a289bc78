/** Something that is being written and can be tested before it is saved. */
export abstract class TestedDraft<Test> {
  #result = $state.raw<{ of: string; test: Test } | null>(null);

  /** The same as long as nothing is written that a test is about. */
  protected abstract get signature(): string;

  /** What a test of just this found; null: it wasn't tested, or was changed since. */
  get result(): Test | null {
    return this.#result?.of === this.signature ? this.#result.test : null;
  }

  /** Whether there was a test of something else before. */
  get isStale(): boolean {
    return this.#result !== null && this.result === null;
  }

  /** Has what is written now tested, and keeps what that finds. Rejects as `ask` does. */
  async test(ask: () => Promise<Test>): Promise<void> {
    const of = this.signature;
    this.#result = { of, test: await ask() };
  }
}
