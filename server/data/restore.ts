import type { ImportResult } from '../../shared/api/data.ts';
import { DEFAULT_SETTINGS } from '../../shared/default-settings.ts';
import { MAX_AGENTS, MAX_NAME_CHARACTERS } from '../../shared/limits.ts';
import { isKnownAgent } from '../agents/answerers.ts';
import { countAgents, createAgent, type StoredAgent } from '../store/agent-repository.ts';
import type { Reader, Writer } from '../store/types.ts';
import { createNote, hasNote } from '../store/note-repository.ts';
import { createPrompt, hasPrompt } from '../store/prompt-repository.ts';
import { addProjects } from '../store/project-repository.ts';
import { addSchedules } from '../store/schedule-repository.ts';
import { findSetting, readSettings, updateSetting } from '../store/settings-repository.ts';
import {
  createWorkspace,
  findWorkspace,
  isEmptyWorkspace,
  listWorkspaces,
  updateWorkspace,
  type Workspace,
} from '../store/workspace-repository.ts';
import type { BackupHead, BackupWorkspace } from './backup-lines.ts';
import { openFile } from './file-reader.ts';
import { importParts, withFileReader } from './import-file.ts';
import type { PartDeps } from './import-chats.ts';

type RestoredWorkspaces = NonNullable<ImportResult['workspaces']>;

/**
 * Adds what a backup holds and the store doesn't: agents, workspaces, notes, projects, prompts, schedules, and chats as an import
 * does. Existing data and settings are never changed. In a store without any, the backup's first workspace becomes the store's own, and its
 * settings are taken; the instructions for every chat also elsewhere, if there are none. Everything readable of a damaged backup is restored, and what is missing is reported: somebody may have nothing else.
 */
export async function restoreBackup(deps: PartDeps, path: string): Promise<ImportResult> {
  const { store } = deps;
  const target = { workspaceId: '' };
  const workspaces: RestoredWorkspaces = [];
  /** How many of the restored chats belong to the workspaces before. */
  let before = 0;
  const result = await withFileReader(openFile({ kind: 'backup', path }), (file) =>
    importParts(deps, file, target, async (part, { chatIds }) => {
      if ('agents' in part)
        await store.write((writer) => {
          for (const agent of part.agents) restoreAgent(writer, agent);
          restoreSettings(writer, part.settings);
        });
      if (!('workspace' in part)) return;
      const { id, name } = await store.write((writer) => restoreWorkspace(writer, part.workspace));
      workspaces.at(-1)?.chatIds.push(...chatIds.slice(before));
      before = chatIds.length;
      workspaces.push({ id, name, chatIds: [] });
      target.workspaceId = id;
    }),
  );
  workspaces.at(-1)?.chatIds.push(...result.chatIds.slice(before));
  return { ...result, workspaces };
}

/** An agent whose type is already taken is left out, and so are those beyond the limit. */
function restoreAgent(writer: Writer, agent: StoredAgent): void {
  if (!isKnownAgent(writer, agent.agentType) && countAgents(writer) < MAX_AGENTS) createAgent(writer, agent);
}

/** Settings of a computer, or that let others in. */
const NOT_RESTORED = new Set(['port', 'certificateFile', 'allowedOrigins', 'keepRunning']);

/**
 * Takes settings that were never changed here, if nothing else was either. The store checks them whenever it reads them. A person wrote
 * the instructions, as they wrote agents: they come back wherever there are none.
 */
function restoreSettings(writer: Writer, settings: BackupHead['settings']): void {
  const isUntouched = findUntouched(writer) !== null;
  for (const [name, value] of Object.entries(settings)) {
    const isKnown = Object.hasOwn(DEFAULT_SETTINGS, name) && !NOT_RESTORED.has(name);
    if (isUntouched && isKnown && findSetting(writer, name) === null) updateSetting(writer, name, value);
  }
  const { instructions } = settings;
  if (typeof instructions === 'string' && readSettings(writer).instructions === null)
    updateSetting(writer, 'instructions', instructions);
}

/** Returns the workspace that takes what the backup's holds. */
function restoreWorkspace(
  writer: Writer,
  { workspace, notes, projects = [], prompts = [], schedules = [] }: BackupWorkspace,
): Workspace {
  const into = workspaceFor(writer, workspace);
  const workspaceId = into.id;
  for (const note of notes) if (!hasNote(writer, note.id)) createNote(writer, { ...note, workspaceId });
  for (const prompt of prompts)
    if (!hasPrompt(writer, prompt.id)) createPrompt(writer, { ...prompt, workspaceId });
  addProjects(writer, workspaceId, projects);
  addSchedules(writer, workspaceId, schedules);
  return into;
}

/** The same workspace, else the untouched one, else a new one whose name no other has. */
function workspaceFor(writer: Writer, workspace: BackupWorkspace['workspace']): Workspace {
  const { id, name } = workspace;
  const becameKey = `workspace-of-backup:${id}`;
  const became = findSetting(writer, becameKey);
  const known = findWorkspace(writer, typeof became === 'string' ? became : id);
  if (known !== null) return known;
  const untouched = findUntouched(writer);
  if (untouched !== null) {
    const own = { ...untouched, name };
    updateWorkspace(writer, own, own.id);
    // So that the same backup, restored again, finds its chats.
    updateSetting(writer, becameKey, own.id);
    return own;
  }
  const created = { ...workspace, name: freeName(writer, name), defaultModel: null };
  createWorkspace(writer, created);
  return created;
}

/** The only workspace, if nothing is in it; else null. */
function findUntouched(reader: Reader): Workspace | null {
  const [first, ...others] = listWorkspaces(reader);
  return first !== undefined && others.length === 0 && isEmptyWorkspace(reader, first.id) ? first : null;
}

function freeName(reader: Reader, name: string): string {
  const taken = new Set(listWorkspaces(reader).map((workspace) => workspace.name));
  for (let count = 1; ; count += 1) {
    const end = count === 1 ? '' : ` (${count})`;
    const free = `${Array.from(name)
      .slice(0, MAX_NAME_CHARACTERS - end.length)
      .join('')}${end}`;
    if (!taken.has(free)) return free;
  }
}
