/** Workspaces, without HTTP. */
import { randomUUID } from 'node:crypto';
import type { UpdateWorkspaceBody, Workspace } from '../../shared/api/workspace.ts';
import { MAX_WORKSPACES } from '../../shared/limits.ts';
import { readName } from '../lib/clean-name.ts';
import { requireKnownModel } from '../connections/known-models.ts';
import { AppError } from '../errors.ts';
import { readSettled } from '../store/read-settled.ts';
import {
  countWorkspaces,
  createWorkspace,
  findWorkspace,
  listWorkspaces,
  updateWorkspace,
} from '../store/workspace-repository.ts';
import type { Store } from '../store/types.ts';
import type { ServiceDeps } from './deps.ts';

/** Manages workspaces. Results are on disk before they are returned; writes reject with AppError if the store refuses. */
export type WorkspaceService = ReturnType<typeof createWorkspaceService>;

/** Makes the workspace service of a store. */
export function createWorkspaceService({ store, clock, newId }: ServiceDeps) {
  return {
    /** The workspaces of a key, oldest first: the one it is bound to, or all when it is bound to none. */
    async list(boundTo: string | null): Promise<Workspace[]> {
      const workspaces = await readSettled(store, listWorkspaces);
      return boundTo === null ? workspaces : workspaces.filter(({ id }) => id === boundTo);
    },
    /** Makes a workspace. Rejects with AppError `invalid_request`, or `conflict` when there are too many. */
    async create(name: string): Promise<Workspace> {
      const workspace = {
        id: newId(),
        name: readName(name),
        createdAt: clock().toISOString(),
        defaultModel: null,
      };
      return store.write((writer) => {
        if (countWorkspaces(writer) >= MAX_WORKSPACES) throw new AppError('conflict', TOO_MANY);
        createWorkspace(writer, workspace);
        return workspace;
      });
    },
    /**
     * Gives a workspace another name or default model, or both; what is absent stays. Null: there is none of that id.
     * Rejects with AppError `invalid_request`.
     */
    update: (id: string, { name, defaultModel }: UpdateWorkspaceBody): Promise<Workspace | null> =>
      store.write((writer) => {
        const before = findWorkspace(writer, id);
        if (before === null) return null;
        requireKnownModel(writer, 'defaultModel', defaultModel ?? null);
        const workspace = {
          ...before,
          ...(name !== undefined && { name: readName(name) }),
          ...(defaultModel !== undefined && { defaultModel }),
        };
        updateWorkspace(writer, workspace, id);
        return workspace;
      }),
  };
}

const TOO_MANY = `There are ${MAX_WORKSPACES} workspaces already, which is the most there can be; use one of them.`;

const FIRST_WORKSPACE_NAME = 'Personal';

/** Id of the first workspace, which is created if missing. */
export async function openFirstWorkspace(store: Store, createdAt: string): Promise<string> {
  const [first] = store.read(listWorkspaces);
  if (first !== undefined) return first.id;
  const workspace = { id: randomUUID(), name: FIRST_WORKSPACE_NAME, createdAt };
  await store.write((writer) => createWorkspace(writer, workspace));
  return workspace.id;
}

/** Whether there is a workspace of an id. Every request of an unbound key asks this; none is ever removed, so one that was found stays found. */
export function workspaceCheck(store: Store): (id: string) => boolean {
  const found = new Set<string>();
  return (id) => {
    if (found.has(id)) return true;
    const exists = store.read((reader) => findWorkspace(reader, id)) !== null;
    if (exists) found.add(id);
    return exists;
  };
}
