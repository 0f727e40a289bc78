import type { Draft } from '../../shared/api/draft.ts';
import { findDraft, listDrafts, updateDraft } from '../store/draft-repository.ts';
import { readSettled } from '../store/read-settled.ts';
import type { ServiceDeps } from './deps.ts';

/** How far a window's clock may be ahead. A draft from further ahead would block every later one. */
const MAX_AHEAD_MS = 60_000;

/** Drafts of windows. Results are on disk before they are returned. */
export type DraftService = ReturnType<typeof createDraftService>;

/** Makes the draft service of a store. */
export function createDraftService({ store, clock }: Pick<ServiceDeps, 'store' | 'clock'>) {
  return {
    /** The non-empty drafts of a workspace. */
    list: (workspaceId: string): Promise<Draft[]> =>
      readSettled(store, (reader) => listDrafts(reader, workspaceId)),
    /** Stores a draft unless a newer one exists. Resolves with the stored one. An empty text deletes it. */
    save: (workspaceId: string, draft: Draft): Promise<Draft> =>
      store.write((writer) => {
        const now = clock();
        const isAhead = Date.parse(draft.updatedAt) > now.getTime() + MAX_AHEAD_MS;
        const saved = isAhead ? { ...draft, updatedAt: now.toISOString() } : draft;
        const known = findDraft(writer, workspaceId, draft.chatKey);
        // A draft from the future was written while the clock was wrong. Of two from the same millisecond, the one that arrives later
        // counts: Enter may follow the last letter at once.
        const isKnownAhead = known !== null && Date.parse(known.updatedAt) > now.getTime() + MAX_AHEAD_MS;
        if (known !== null && !isKnownAhead && known.updatedAt > saved.updatedAt) return known;
        updateDraft(writer, workspaceId, saved);
        return saved;
      }),
  };
}
