import type { ImportResult } from '../../shared/api/data.ts';
import { MAX_AGENTS } from '../../shared/limits.ts';
import { BUILT_IN_AGENTS } from '../agents/definitions.ts';
import { countAgents, createAgent, findAgentOfType, type StoredAgent } from '../store/agent-repository.ts';
import type { Store } from '../store/types.ts';
import { createNote, hasNote } from '../store/note-repository.ts';
import { createPrompt, hasPrompt } from '../store/prompt-repository.ts';
import { createWorkspace, findWorkspace } from '../store/workspace-repository.ts';
import type { BackupWorkspace } from './backup-lines.ts';
import { openFile } from './file-reader.ts';
import { addProjects, importParts, withFile } from './import-file.ts';
import type { PartDeps } from './import-chats.ts';

/**
 * Adds what a backup holds and the store doesn't: agents, workspaces, notes, projects, prompts, and chats as an import
 * does. Existing data and settings are never changed. Everything readable of a damaged backup is restored, and what is
 * missing is reported: somebody may have nothing else.
 */
export async function restoreBackup(deps: PartDeps, path: string): Promise<ImportResult> {
  const target = { workspaceId: '' };
  return withFile(openFile({ kind: 'backup', path }), (file) =>
    importParts(deps, file, target, async (part) => {
      if ('agents' in part) await restoreAgents(deps.store, part.agents);
      if (!('workspace' in part)) return;
      await restoreWorkspace(deps.store, part.workspace);
      target.workspaceId = part.workspace.workspace.id;
    }),
  );
}

/** Agents whose type is already taken are left out, and so are those beyond the limit. */
async function restoreAgents(store: Store, agents: StoredAgent[]): Promise<void> {
  if (agents.length === 0) return;
  await store.write((writer) => {
    for (const agent of agents) {
      const isTaken =
        findAgentOfType(writer, agent.agentType) !== null ||
        BUILT_IN_AGENTS.some(({ name }) => name === agent.agentType);
      if (!isTaken && countAgents(writer) < MAX_AGENTS) createAgent(writer, agent);
    }
  });
}

async function restoreWorkspace(
  store: Store,
  { workspace, notes, projects = [], prompts = [] }: BackupWorkspace,
): Promise<void> {
  await store.write((writer) => {
    if (findWorkspace(writer, workspace.id) === null) createWorkspace(writer, workspace);
    for (const note of notes)
      if (!hasNote(writer, note.id)) createNote(writer, { ...note, workspaceId: workspace.id });
    for (const prompt of prompts)
      if (!hasPrompt(writer, prompt.id)) createPrompt(writer, { ...prompt, workspaceId: workspace.id });
  });
  await addProjects(store, workspace.id, projects);
}
