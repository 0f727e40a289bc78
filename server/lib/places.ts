import { AppError } from '../errors.ts';

/** Places for clients: limited in total, and per key or session, so that none keeps the others out. */
export interface Places {
  /**
   * Takes a place for that key or session; returns a function that frees it, once. Throws AppError `too_many_requests`
   * when all are taken.
   */
  take(holder: string): () => void;
}

/** No place is taken yet. `words` says what is full: all places, or those of one (`ofOne`). */
export function createPlaces(limits: {
  most: number;
  mostOfOne: number;
  retryAfterSeconds: number;
  words: (ofOne: boolean) => string;
}): Places {
  const takenBy = new Map<string, number>();
  let taken = 0;

  function add(holder: string, change: 1 | -1): void {
    taken += change;
    const own = (takenBy.get(holder) ?? 0) + change;
    if (own > 0) takenBy.set(holder, own);
    else takenBy.delete(holder);
  }

  return {
    take(holder) {
      const ofOne = (takenBy.get(holder) ?? 0) >= limits.mostOfOne;
      if (ofOne || taken >= limits.most) {
        const { retryAfterSeconds } = limits;
        throw new AppError('too_many_requests', limits.words(ofOne), { retryAfterSeconds });
      }
      add(holder, 1);
      let isTaken = true;
      return () => {
        if (isTaken) add(holder, -1);
        isTaken = false;
      };
    },
  };
}
