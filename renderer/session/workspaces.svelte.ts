import type { Workspace } from '../../shared/api/workspace.ts';
import type { ApiClient } from '../api/client.ts';
import { Listed } from '../api/listed.svelte.ts';

type WorkspaceApi = Pick<ApiClient, 'listWorkspaces' | 'createWorkspace' | 'updateWorkspace'>;

/** The workspaces, and which one the window shows. All methods reject as the API does. */
export class Workspaces extends Listed<Workspace> {
  readonly currentId: string;
  readonly #api: WorkspaceApi;

  constructor(api: WorkspaceApi, currentId: string) {
    super(() => api.listWorkspaces());
    this.#api = api;
    this.currentId = currentId;
  }

  /** The one the window shows; null until it is known. */
  get current(): Workspace | null {
    return this.items.find(({ id }) => id === this.currentId) ?? null;
  }

  /** Creates a workspace without opening it. */
  async create(name: string): Promise<Workspace> {
    return this.put(await this.#api.createWorkspace(name));
  }

  async rename(workspaceId: string, name: string): Promise<void> {
    this.put(await this.#api.updateWorkspace(workspaceId, { name }));
  }

  /** Sets the model that new chats of the open workspace start with; null: the built-in one. */
  async setDefaultModel(model: string | null): Promise<void> {
    this.put(await this.#api.updateWorkspace(this.currentId, { defaultModel: model }));
  }
}
