import type { Project } from '../../shared/api/project.ts';
import { MAX_PROJECTS } from '../../shared/limits.ts';
import { defineTable, plain, text, type RowOf } from './table.ts';
import type { Reader, Writer } from './types.ts';

const PROJECTS = defineTable('projects', {
  /** Unlike other ids it may exist in several workspaces: imported chats keep their project. */
  id: text(),
  workspaceId: text(),
  name: text(),
  instructions: text(''),
  /** The model of its new chats; null: the workspace's. */
  defaultModel: plain<string | null>(null),
  /** Its place among those of its workspace, from 0. */
  position: plain<number>(),
  createdAt: text(),
});

/** A project as it is stored. */
export type StoredProject = RowOf<typeof PROJECTS.columns>;

/** A project as clients get it. */
export const toProject = ({ workspaceId: _, ...project }: StoredProject): Project => project;

/** How a project is identified. */
type ProjectKey = [workspaceId: string, id: string];

const IN_WORKSPACE = 'WHERE workspace_id = ? AND id = ?';

/** The projects of a workspace, in their order. */
export const listProjects = PROJECTS.list<[workspaceId: string]>(
  'WHERE workspace_id = ? ORDER BY position, created_at, id',
);

/** A workspace's project of an id; null: it has none. */
export const findProject = PROJECTS.first<ProjectKey>(IN_WORKSPACE);

/** The project that a chat is in; null: none. */
export const findProjectOf = (
  reader: Reader,
  { workspaceId, projectId }: { workspaceId: string; projectId: string | null },
): StoredProject | null => (projectId === null ? null : findProject(reader, workspaceId, projectId));

/** Whether a workspace has a project of that id. */
export const hasProject = PROJECTS.has<ProjectKey>(IN_WORKSPACE);

/** Stores a new project. */
export const createProject = PROJECTS.insert;

/** Adds the projects that a workspace lacks after its own, as far as there is room. */
export function addProjects(writer: Writer, workspaceId: string, projects: readonly Project[]): void {
  const known = listProjects(writer, workspaceId);
  let room = MAX_PROJECTS - known.length;
  let position = (known.at(-1)?.position ?? -1) + 1;
  for (const project of projects) {
    if (room === 0 || hasProject(writer, workspaceId, project.id)) continue;
    createProject(writer, { ...project, workspaceId, position });
    room -= 1;
    position += 1;
  }
}

const save = PROJECTS.update(['name', 'instructions', 'defaultModel', 'position'], IN_WORKSPACE);

/** Stores what has changed of a project. */
export function updateProject(writer: Writer, project: StoredProject): void {
  save(writer, project, project.workspaceId, project.id);
}

/** Removes a project; its chats, deleted ones too, are in none from then on, and those behind it move up. */
export function deleteProject(writer: Writer, { workspaceId, id, position }: StoredProject): void {
  writer.run('UPDATE chats SET project_id = NULL WHERE workspace_id = ? AND project_id = ?', [
    workspaceId,
    id,
  ]);
  writer.run(`DELETE FROM projects ${IN_WORKSPACE}`, [workspaceId, id]);
  writer.run('UPDATE projects SET position = position - 1 WHERE workspace_id = ? AND position > ?', [
    workspaceId,
    position,
  ]);
}
