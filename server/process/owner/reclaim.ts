/** Putting back what stood in the data folder when that was deleted or moved while it was in use. */
import { AppError } from '../../errors.ts';
import { OwnedError, type Ownership } from './owner.ts';

export interface Reclaim {
  /** Adds what is to be put back after the claim; it is left alone where it still is. */
  add(restore: () => Promise<void>): void;
  /** Claims the folder, anew if need be, then puts all back. Rejects with AppError when another Parley has it by now. */
  run(): Promise<void>;
}

export function createReclaim(ownership: Pick<Ownership, 'renew'>): Reclaim {
  const restores: (() => Promise<void>)[] = [];
  return {
    add: (restore) => void restores.push(restore),
    async run() {
      try {
        await ownership.renew();
      } catch (error) {
        throw error instanceof OwnedError ? takenOver(error) : error;
      }
      for (const restore of restores) await restore();
    },
  };
}

const takenOver = (error: OwnedError): AppError =>
  new AppError(
    'storage_unavailable',
    `The data folder was deleted or moved while this Parley was using it, and another took its place, so nothing was accepted. ${error.message} ` +
      'What this one holds can still be read and exported; then stop it.',
    { cause: error },
  );
