import type { Draft } from '../../shared/api/draft.ts';
import { findDraft, listDrafts, updateDraft } from '../store/draft-repository.ts';
import { readSettled } from '../store/read-settled.ts';
import type { ServiceDeps } from './deps.ts';

/** A window's clock may be ahead by so much; a draft from further ahead would keep every later one out. */
const MAX_AHEAD_MS = 60_000;

/** What windows do with drafts. Nothing is told before it is on disk. */
export type DraftService = ReturnType<typeof createDraftService>;

/** Makes the draft service of a store. */
export function createDraftService({ store, clock }: Pick<ServiceDeps, 'store' | 'clock'>) {
  return {
    /** The drafts of a workspace that hold something. */
    list: (workspaceId: string): Promise<Draft[]> =>
      readSettled(store, (reader) => listDrafts(reader, workspaceId)),
    /** Stores a draft unless a newer one is there; resolves with the one that now counts. An empty text forgets it. */
    save: (workspaceId: string, draft: Draft): Promise<Draft> =>
      store.write((writer) => {
        const now = clock();
        const isAhead = Date.parse(draft.updatedAt) > now.getTime() + MAX_AHEAD_MS;
        const saved = isAhead ? { ...draft, updatedAt: now.toISOString() } : draft;
        const known = findDraft(writer, workspaceId, draft.chatKey);
        // One from ahead was written while the clock was wrong. Of two of the same millisecond the later to arrive counts:
        // Enter may follow the last letter at once.
        const isKnownAhead = known !== null && Date.parse(known.updatedAt) > now.getTime() + MAX_AHEAD_MS;
        if (known !== null && !isKnownAhead && known.updatedAt > saved.updatedAt) return known;
        updateDraft(writer, workspaceId, saved);
        return saved;
      }),
  };
}
