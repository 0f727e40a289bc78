import type { ImportResult } from '../../shared/api/data.ts';
import { MAX_AGENTS } from '../../shared/limits.ts';
import { BUILT_IN_AGENTS } from '../agents/definitions.ts';
import { countAgents, createAgent, findAgentOfType, type StoredAgent } from '../store/agent-repository.ts';
import type { Store } from '../store/types.ts';
import { createNote, hasNote } from '../store/note-repository.ts';
import { createWorkspace, findWorkspace } from '../store/workspace-repository.ts';
import { readBackup } from './backup-reader.ts';
import type { BackupWorkspace } from './backup-lines.ts';
import { clearUnfinished, createChatImporter } from './import-chats.ts';
import { finishImport } from './import-file.ts';

/**
 * Adds what a backup holds and the store doesn't: agents, workspaces, notes, and chats as an import does. Nothing that is there is
 * changed, the settings neither. The whole file is read and checked before anything is written.
 */
export async function restoreBackup(store: Store, newId: () => string, path: string): Promise<ImportResult> {
  let total = 0;
  for await (const part of readBackup(path)) if ('chat' in part) total += 1;
  await clearUnfinished(store);
  const importer = createChatImporter(store, newId);
  return finishImport(importer, total, async () => {
    let workspaceId = '';
    for await (const part of readBackup(path)) {
      if ('chat' in part) await importer.add(part.chat, workspaceId);
      else if ('agents' in part) await restoreAgents(store, part.agents);
      else {
        workspaceId = part.workspace.workspace.id;
        await restoreWorkspace(store, part.workspace);
      }
    }
    await importer.end();
  });
}

/** An agent whose type is taken, by a person's or one that is built in, is left out, and so are those there is no room for. */
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

async function restoreWorkspace(store: Store, { workspace, notes }: BackupWorkspace): Promise<void> {
  await store.write((writer) => {
    const { id, name, createdAt } = workspace;
    if (findWorkspace(writer, id) === null) createWorkspace(writer, { id, name, createdAt });
    for (const note of notes) {
      if (hasNote(writer, note.id)) continue;
      createNote(writer, { id: note.id, workspaceId: id, text: note.text, createdAt: note.createdAt });
    }
  });
}
