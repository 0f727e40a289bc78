import type { Connection } from '../../../shared/api/connection.ts';
import { words } from '../../lib/words/index.ts';
import type { Workspaces } from '../../session/workspaces.svelte.ts';

/**
 * Has new chats of the open workspace begin with a model of a connection: the one that is wanted, as the provider names it, or else
 * the first that is listed. Resolves with what to say of it; empty: there is no such model, or it could not be saved. Never rejects.
 */
export async function useForNewChats(
  workspaces: Workspaces,
  { slug, models }: Connection,
  wanted?: string,
): Promise<string> {
  const isListed = (id: string): boolean => models.length === 0 || models.some((model) => model.id === id);
  const id = wanted !== undefined && isListed(wanted) ? wanted : models[0]?.id;
  if (id === undefined) return '';
  try {
    await workspaces.setDefaultModel(`${slug}/${id}`);
    return words.settings.models.usedForNew(id);
  } catch {
    return '';
  }
}
