/** The content of a backup file, and how it is written: lines of JSON that together form one JSON document. */
import type { Note } from '../../shared/api/note.ts';
import type { Project } from '../../shared/api/project.ts';
import type { KeptSchedule } from '../../shared/api/schedule.ts';
import { DEFAULT_SETTINGS } from '../../shared/default-settings.ts';
import type { Workspace } from '../../shared/api/workspace.ts';
import { listAgents, type StoredAgent } from '../store/agent-repository.ts';
import { listChatIds } from '../store/export-repository.ts';
import { listNotes, toNote } from '../store/note-repository.ts';
import { listProjects, toProject } from '../store/project-repository.ts';
import { listPrompts, type StoredPrompt } from '../store/prompt-repository.ts';
import { listSchedules, toKept } from '../store/schedule-repository.ts';
import { findSetting } from '../store/settings-repository.ts';
import type { Reader } from '../store/types.ts';
import { listWorkspaces } from '../store/workspace-repository.ts';
import { chatLines, type LineSource, type WrittenCounts } from './chat-lines.ts';

/** The mark and version of a backup file. */
export const BACKUP_FORMAT = 'parley-backup';
export const BACKUP_VERSION = 1;

/** The first line, without the list of workspaces that follows. */
export interface BackupHead {
  format: typeof BACKUP_FORMAT;
  version: number;
  createdAt: string;
  /** Settings that were changed. Only a Parley without chats takes them. */
  settings: Record<string, unknown>;
  /** Agents that people made; missing in older files. */
  agents?: (Omit<StoredAgent, 'parameters'> & Partial<StoredAgent>)[];
}

/** A prompt in a backup. */
export type BackupPrompt = Omit<StoredPrompt, 'workspaceId'>;

/** The first line of a workspace, without the list of chats that follows. */
export interface BackupWorkspace {
  workspace: Omit<Workspace, 'defaultModel'>;
  notes: Note[];
  /** In their order; missing in older files. */
  projects?: Project[];
  /** Absent: there are none. */
  prompts?: BackupPrompt[];
  /** Absent: there are none. */
  schedules?: KeptSchedule[];
}

/**
 * Everything in the store except keys, connections, tool servers, deleted chats and drafts: agents, and workspaces,
 * oldest first, with their notes, projects, prompts, schedules and chats. Each chat is written as it is when its turn comes.
 * `written` counts them.
 */
export async function* backupLines(
  source: LineSource,
  createdAt: string,
  written?: WrittenCounts,
): AsyncGenerator<string> {
  const { store } = source;
  const head: BackupHead = {
    format: BACKUP_FORMAT,
    version: BACKUP_VERSION,
    createdAt,
    settings: store.read(readSettings),
    agents: store
      .read(listAgents)
      .map(({ parameters, ...agent }) =>
        Object.keys(parameters).length === 0 ? agent : { ...agent, parameters },
      ),
  };
  yield `${JSON.stringify(head).slice(0, -1)},"workspaces":[`;
  let between = '\n';
  for (const { id, name, createdAt: madeAt } of store.read(listWorkspaces)) {
    const { notes, projects, prompts, schedules, chatIds } = store.read((reader) => ({
      notes: listNotes(reader, id),
      projects: listProjects(reader, id),
      prompts: listPrompts(reader, id).map(({ workspaceId: _, ...prompt }): BackupPrompt => prompt),
      schedules: listSchedules(reader, id).map(toKept),
      chatIds: listChatIds(reader, id),
    }));
    const line: BackupWorkspace = {
      workspace: { id, name, createdAt: madeAt },
      notes: notes.map(toNote),
      ...(projects.length > 0 && { projects: projects.map(toProject) }),
      ...(prompts.length > 0 && { prompts }),
      ...(schedules.length > 0 && { schedules }),
    };
    yield `${between}${JSON.stringify(line).slice(0, -1)},"chats":[`;
    yield* chatLines(source, chatIds, { characters: Infinity }, written);
    yield ']}';
    between = ',\n';
  }
  yield '\n]}\n';
}

function readSettings(reader: Reader): Record<string, unknown> {
  const values = Object.keys(DEFAULT_SETTINGS).map((name) => [name, findSetting(reader, name)] as const);
  return Object.fromEntries(values.filter(([, value]) => value !== null));
}
