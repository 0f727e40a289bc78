/**
 * How full the store is. All of it lives in memory, and a file that is too large could be written but never opened
 * again: long before that, whatever makes it grow is refused. Deletions, and replies to accepted messages, never are.
 */
import type { StorageNotice, StorageState } from '../../shared/api/storage.ts';
import { ERROR_SENTENCES } from '../../shared/errors.ts';
import { AppError } from '../errors.ts';
import type { StoreState } from './state.ts';
import type { StoreUsage } from './types.ts';

const NEARLY_FULL_SHARE = 0.7;
/** How long a count is reused, in milliseconds: it takes two statements, too many for each send. */
const COUNT_HOLDS_MS = 500;
const MIB = 1024 * 1024;

export function createUsage(state: StoreState) {
  const { limitBytes } = state.limits;
  let bytes = 0;
  let countedAt = -Infinity;

  function count(): number {
    const now = performance.now();
    if (now - countedAt < COUNT_HOLDS_MS) return bytes;
    countedAt = now;
    return (bytes = state.loaded.database.usedBytes());
  }

  return {
    usage(): StoreUsage {
      countedAt = -Infinity;
      const used = count();
      const level = levelOf(used, limitBytes);
      const notices: StorageNotice[] = [...state.notices].map(([code, message]) => ({ code, message }));
      if (level !== 'ok') notices.unshift({ code: level, message: WORDS[level](used, limitBytes) });
      if (state.refusal) notices.unshift({ code: 'refusing', message: refusingWords(state.refusal) });
      return { bytes: used, limitBytes, state: state.refusal ? 'refusing' : level, notices };
    },
    /** Throws AppError `storage_full` when nothing more should come in. */
    requireRoom(): void {
      if (count() >= limitBytes) throw new AppError('storage_full', WORDS.full(bytes, limitBytes));
    },
  };
}

function levelOf(bytes: number, limitBytes: number): Exclude<StorageState, 'refusing'> {
  if (bytes >= limitBytes) return 'full';
  return bytes >= limitBytes * NEARLY_FULL_SHARE ? 'nearly_full' : 'ok';
}

const inMb = (bytes: number): string => `${Math.ceil(bytes / MIB).toLocaleString('en')} MB`;

const WORDS = {
  nearly_full: (bytes: number, limitBytes: number) =>
    `Parley’s store holds ${inMb(bytes)} of the ${inMb(limitBytes)} it can hold. Before it is full, delete for good what you don’t need; ` +
    'an export keeps a copy.',
  full: (_bytes: number, limitBytes: number) =>
    `Parley’s store is full: it can hold ${inMb(limitBytes)}. Nothing new was accepted; delete chats for good to make room. Everything stored can still be read.`,
} as const;

const refusingWords = ({ code, message }: AppError): string =>
  message === ERROR_SENTENCES[code] ? REFUSING : message;

const REFUSING =
  'Parley can’t write to the disk, so nothing new is accepted. It keeps trying; everything stored can still be read.';
