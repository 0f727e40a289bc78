import type { Workspace } from '../../shared/api/workspace.ts';
import type { AdminApi } from '../api/admin.ts';

type WorkspaceApi = Pick<AdminApi, 'listWorkspaces' | 'createWorkspace' | 'renameWorkspace'>;

/** The workspaces there are, and which one the window shows. */
export class Workspaces {
  items = $state.raw<Workspace[]>([]);
  readonly currentId: string;
  readonly #api: WorkspaceApi;

  constructor(api: WorkspaceApi, currentId: string) {
    this.#api = api;
    this.currentId = currentId;
  }

  /** The one the window shows; null until it is known. */
  get current(): Workspace | null {
    return this.items.find(({ id }) => id === this.currentId) ?? null;
  }

  /** Asks the service. Rejects as the API does. */
  async refresh(): Promise<void> {
    this.items = await this.#api.listWorkspaces();
  }

  /** Makes a workspace; it isn't opened by that. Rejects as the API does. */
  async create(name: string): Promise<Workspace> {
    const workspace = await this.#api.createWorkspace(name);
    this.items = [...this.items, workspace];
    return workspace;
  }

  /** Gives a workspace another name. Rejects as the API does. */
  async rename(workspaceId: string, name: string): Promise<void> {
    const renamed = await this.#api.renameWorkspace(workspaceId, name);
    this.items = this.items.map((item) => (item.id === renamed.id ? renamed : item));
  }
}
