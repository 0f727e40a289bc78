import type { Connection, FoundServer } from '../../shared/api/connection.ts';
import { fragmentTo } from '../lib/address.ts';
import { words } from '../lib/words/index.ts';
import type { Workbench } from './workbench.svelte.ts';
import type { Workspaces } from './workspaces.svelte.ts';

/**
 * Makes new chats of the open workspace start with a model of a connection: `wanted` (the provider's name for it), or else
 * the first listed. Resolves with a sentence about it; empty if there is no such model, or it could not be saved. Never rejects.
 */
async function useForNewChats(
  workspaces: Workspaces,
  { slug, models }: Connection,
  wanted?: string,
): Promise<string> {
  const isListed = (id: string): boolean => models.length === 0 || models.some((model) => model.id === id);
  const id = wanted !== undefined && isListed(wanted) ? wanted : models[0]?.id;
  if (id === undefined) return '';
  try {
    await workspaces.setDefaultModel(`${slug}/${id}`);
    return words.connecting.usedForNew(id);
  } catch {
    return '';
  }
}

/** What a new connection offers, in words, once known, and whether new chats of the workspace now start with it. */
export async function announceConnection(
  { modelServers, workspaces }: Pick<Workbench, 'modelServers' | 'workspaces'>,
  made: Connection,
  { isForNewChats, wanted }: { isForNewChats: boolean; wanted?: string },
): Promise<{ summary: string; isUsed: boolean }> {
  const listed = await modelServers.listIfNew(made);
  const connected = words.connecting.connected(listed.name, listed.models.length);
  const used = isForNewChats ? await useForNewChats(workspaces, listed, wanted) : '';
  return { summary: `${connected} ${used}`.trim(), isUsed: used !== '' };
}

/**
 * Connects a server that was found, by a click, and says how it went; one that needs a key is left to the dialog for a new
 * connection. New chats start with it, unless a model was chosen for them. Resolves with whether it is connected; never rejects.
 */
export async function connectFound(workbench: Workbench, server: FoundServer): Promise<boolean> {
  const { commands, modelServers, toasts, workspaces } = workbench;
  if (server.needsKey === true) {
    modelServers.wanted = { open: 'new', at: server };
    location.hash = fragmentTo({ view: 'settings', section: 'models' });
    return false;
  }
  const { provider, name, baseUrl } = server;
  try {
    const made = await modelServers.create({ provider, name, baseUrl });
    // A single click must not replace a deliberate choice.
    const isForNewChats = workspaces.current?.defaultModel === null;
    const { summary, isUsed } = await announceConnection(workbench, made, { isForNewChats });
    const choose = isUsed ? undefined : commands.all.find(({ id }) => id === 'composer.model');
    toasts.show({
      text: summary,
      ...(choose !== undefined && { action: { label: choose.label, run: () => void choose.run() } }),
    });
    return true;
  } catch (problem) {
    toasts.complain(problem, (reason) => words.connecting.notConnected(name, reason));
    return false;
  }
}
