/** The projects of a workspace, without HTTP. */
import type {
  CreateProjectBody,
  DeletedProjectAnswer,
  Project,
  UpdateProjectBody,
} from '../../shared/api/project.ts';
import { MAX_PROJECTS } from '../../shared/limits.ts';
import { requireKnownModel } from '../connections/known-models.ts';
import { AppError } from '../errors.ts';
import { readName, storableText } from '../lib/clean-name.ts';
import { listChats, type ChatTarget } from '../store/chat-repository.ts';
import {
  createProject,
  deleteProject,
  findProject,
  listProjects,
  toProject,
  updateProject,
  type StoredProject,
} from '../store/project-repository.ts';
import { readSettled } from '../store/read-settled.ts';
import type { Writer } from '../store/types.ts';
import type { ServiceDeps } from './deps.ts';

/** How many chats to delete at a time, so that other work comes in between. */
const DELETE_AT_ONCE = 50;

/** Manages projects. Results are on disk before they are returned; null: no such project in the workspace. */
export type ProjectService = ReturnType<typeof createProjectService>;

/** Makes the project service of a store; `deleteChat` resolves with null if there is no such chat. */
export function createProjectService(
  { store, clock, newId }: ServiceDeps,
  deleteChat: (target: ChatTarget) => Promise<unknown>,
) {
  return {
    /** In display order. */
    list: async (workspaceId: string): Promise<Project[]> =>
      (await readSettled(store, (reader) => listProjects(reader, workspaceId))).map(toProject),
    async find(workspaceId: string, id: string): Promise<Project | null> {
      const project = await readSettled(store, (reader) => findProject(reader, workspaceId, id));
      return project && toProject(project);
    },
    /** Makes a project, the last of its workspace. Rejects with AppError `invalid_request`, or `conflict` when there are too many. */
    create: (
      workspaceId: string,
      { name, instructions = '', defaultModel = null }: CreateProjectBody,
    ): Promise<Project> =>
      store.write((writer) => {
        requireKnownModel(writer, 'defaultModel', defaultModel);
        const others = listProjects(writer, workspaceId);
        if (others.length >= MAX_PROJECTS) throw new AppError('conflict', TOO_MANY);
        const project: StoredProject = {
          id: newId(),
          workspaceId,
          name: readName(name),
          instructions: cleanInstructions(instructions),
          defaultModel,
          position: (others.at(-1)?.position ?? -1) + 1,
          createdAt: clock().toISOString(),
        };
        createProject(writer, project);
        return toProject(project);
      }),
    /** Changes a project; what is absent stays. Rejects with AppError `invalid_request`. */
    update: (workspaceId: string, id: string, change: UpdateProjectBody): Promise<Project | null> =>
      store.write((writer) => {
        const before = findProject(writer, workspaceId, id);
        if (before === null) return null;
        const { name, instructions, defaultModel, position } = change;
        // Its current model may no longer exist, and stays.
        if (defaultModel !== before.defaultModel)
          requireKnownModel(writer, 'defaultModel', defaultModel ?? null);
        const project: StoredProject = {
          ...before,
          ...(name !== undefined && { name: readName(name) }),
          ...(instructions !== undefined && { instructions: cleanInstructions(instructions) }),
          ...(defaultModel !== undefined && { defaultModel }),
        };
        updateProject(writer, project);
        return toProject(position === undefined ? project : moveProject(writer, project, position));
      }),
    /**
     * Removes a project. Its chats stay, in no project; with `withChats` they are deleted first. If that fails, the project
     * and its other chats stay as they are.
     */
    async remove(workspaceId: string, id: string, withChats: boolean): Promise<DeletedProjectAnswer | null> {
      const ofProject = { workspaceId, projectId: id, archived: 'with' } as const;
      for (let deletedChats = 0; ;) {
        const { project, chats } = await store.write((writer) => {
          const found = findProject(writer, workspaceId, id);
          const left = found && withChats ? listChats(writer, ofProject, DELETE_AT_ONCE, 0) : [];
          if (found !== null && left.length === 0) deleteProject(writer, found);
          return { project: found, chats: left };
        });
        if (project === null) return null;
        if (chats.length === 0) return { project: toProject(project), deletedChats };
        const deleted = await Promise.all(chats.map((chat) => deleteChat({ workspaceId, chatId: chat.id })));
        deletedChats += deleted.filter((chat) => chat !== null).length;
      }
    },
  };
}

/** Moves a project to a position and shifts the others. */
function moveProject(writer: Writer, project: StoredProject, position: number): StoredProject {
  const order = listProjects(writer, project.workspaceId).filter(({ id }) => id !== project.id);
  order.splice(position, 0, project);
  for (const [index, each] of order.entries())
    if (each.position !== index) updateProject(writer, { ...each, position: index });
  return { ...project, position: order.indexOf(project) };
}

const cleanInstructions = (text: string): string => storableText(text).trim();

const TOO_MANY = `There are ${MAX_PROJECTS} projects in this workspace already, which is the most there can be; use one of them.`;
