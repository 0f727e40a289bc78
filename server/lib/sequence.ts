/** Runs work one after the other, in order; a failure doesn't stop the rest. */
export type Sequence = ReturnType<typeof createSequence>;

/** An empty sequence. */
export function createSequence() {
  let last: Promise<unknown> = Promise.resolve();
  return {
    /** Settles as the work does, which starts when all work before it has ended. */
    run<T>(work: () => Promise<T>): Promise<T> {
      const mine = last.then(work);
      last = mine.catch(() => undefined);
      return mine;
    },
    /** Resolves when all work so far has ended. */
    async settled(): Promise<void> {
      await last;
    },
  };
}
