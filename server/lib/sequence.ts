/** Work that is done one after the other, in the order it came; what fails holds nothing up. */
export interface Sequence {
  /** Settles as the work does, which begins when all before it has come to its end. */
  run<T>(work: () => Promise<T>): Promise<T>;
  /** Resolves when what was asked for so far has come to its end. */
  settled(): Promise<void>;
}

/** A sequence with nothing in it. */
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
