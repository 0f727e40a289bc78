/** Runs work one after the other, in order; a failure doesn't stop the rest. */
export interface Sequence {
  /** Settles as the work does, which starts when all work before it has ended. */
  run<T>(work: () => Promise<T>): Promise<T>;
  /** Resolves when all work so far has ended. */
  settled(): Promise<void>;
}

/** An empty sequence. */
export function createSequence(): Sequence {
  let last: Promise<unknown> = Promise.resolve();
  return {
    run(work) {
      const mine = last.then(work);
      last = mine.catch(() => undefined);
      return mine;
    },
    async settled() {
      await last;
    },
  };
}
