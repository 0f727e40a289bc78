/**
 * Drafts in the page's own storage, and how they are merged with the service's. Of two drafts the newer
 * counts. An emptied draft stays as an empty one until the service knows, so that an older one there can't come back. A draft's
 * files are listed only here: the service has the files themselves, but not which draft they belong to.
 */
import type { Draft } from '../../shared/api/draft.ts';
import { MAX_CONTENT_CHARACTERS } from '../../shared/limits.ts';
import type { Writing } from './writing.ts';
import { StoredRecords } from '../lib/storage.ts';

/** The key of the draft of a chat that doesn't exist yet. */
export const NEW_CHAT_KEY = 'new';

/** Longest draft that the service accepts, in characters. */
const LONGEST_KEPT_CHARACTERS = MAX_CONTENT_CHARACTERS * 2;

/** A draft in the page's storage. */
export interface DraftRecord extends Writing {
  updatedAt: string;
  /** The `updatedAt` of the version that the service last confirmed; null: none. */
  storedAt: string | null;
}

/** Whether the service has its current state. */
export const isStored = (record: DraftRecord): boolean => record.storedAt === record.updatedAt;

/**
 * What to do with a draft once the service's is known. `take`: the service's counts. `push`: ours does. `drop`: it was sent or
 * emptied elsewhere. `keep`: both are the same.
 */
export function reconcile(
  ours: DraftRecord | undefined,
  theirs: Draft | undefined,
): 'take' | 'push' | 'drop' | 'keep' {
  if (!ours) return theirs ? 'take' : 'keep';
  // The service stores no draft that has only files.
  if (!theirs && isStored(ours)) return ours.text === '' && ours.files.length > 0 ? 'keep' : 'drop';
  if (!theirs) return 'push';
  if (theirs.updatedAt === ours.updatedAt) return 'keep';
  // Theirs may be the older one by a clock that was set back since.
  return isStored(ours) || theirs.updatedAt > ours.updatedAt ? 'take' : 'push';
}

/** A time for a draft that is later than the previous one, even if the clock was set back. */
export function laterThan(before: string | undefined, now: Date = new Date()): string {
  const earliest = before === undefined ? 0 : new Date(before).getTime() + 1;
  return new Date(Math.max(now.getTime(), Number.isNaN(earliest) ? 0 : earliest)).toISOString();
}

/** The text of a draft, as stored by the service. */
export const draftText = ({ text }: Writing): string => text.slice(0, LONGEST_KEPT_CHARACTERS);

/** A draft from the service in this page's form. */
export const recordOf = ({ text, updatedAt }: Draft): DraftRecord => ({
  text,
  files: [],
  updatedAt,
  storedAt: updatedAt,
});

/** The drafts in the page's storage, by the chat's key. */
export const keptDrafts = (workspaceId: string): StoredRecords<DraftRecord> =>
  new StoredRecords(`draft.${workspaceId}.`, ({ text, updatedAt, files = [], storedAt = null }) =>
    typeof text === 'string' && typeof updatedAt === 'string' ? { text, files, updatedAt, storedAt } : null,
  );
