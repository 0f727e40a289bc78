import { randomUUID } from 'node:crypto';
import type { Store } from '../store/types.ts';
import { createWorkspace, findWorkspace, listWorkspaces } from '../store/workspace-repository.ts';

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
