import { AppError } from '../errors.ts';

/** Places for clients: limited in total and per key, so that no key keeps the others out, nor all of them a person. */
export type Slots = ReturnType<typeof createSlots>;

const PAGE = 'page ';
/** How many more places there are for people's pages, as a share of all. */
const PAGE_SHARE = 0.25;

/** Who takes a place in the name of a person's own page, by its session. */
export const pageHolder = (session: string): string => PAGE + session;

/** No place is taken yet. `words` says what is full: all places, or those of one (`ofOne`). */
export function createSlots(limits: {
  most: number;
  mostOfOne: number;
  retryAfterSeconds: number;
  words: (ofOne: boolean) => string;
}) {
  const takenBy = new Map<string, number>();
  let taken = 0;

  function add(holder: string, change: 1 | -1): void {
    taken += change;
    const own = (takenBy.get(holder) ?? 0) + change;
    if (own > 0) takenBy.set(holder, own);
    else takenBy.delete(holder);
  }

  return {
    /**
     * Takes a place for a key, whatever sessions it opened, or a page ({@link pageHolder}); returns a function that frees it,
     * once. Throws AppError `too_many_requests` when all are taken.
     */
    take(holder: string): () => void {
      const ofOne = (takenBy.get(holder) ?? 0) >= limits.mostOfOne;
      const most = limits.most * (holder.startsWith(PAGE) ? 1 + PAGE_SHARE : 1);
      if (ofOne || taken >= most) {
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
