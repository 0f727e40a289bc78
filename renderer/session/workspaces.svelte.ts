import type { Workspace } from '../../shared/api/workspace.ts';
import type { AdminApi } from '../api/admin.ts';
import { withItem } from '../lib/with-item.ts';

type WorkspaceApi = Pick<AdminApi, 'listWorkspaces' | 'createWorkspace' | 'updateWorkspace'>;

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
    this.items = withItem(this.items, workspace);
    return workspace;
  }

  /** Gives a workspace another name. Rejects as the API does. */
  async rename(workspaceId: string, name: string): Promise<void> {
    this.#note(await this.#api.updateWorkspace(workspaceId, { name }));
  }

  /** Has the new chats of the open workspace start with a model; null: the built-in one. Rejects as the API does. */
  async setDefaultModel(model: string | null): Promise<void> {
    this.#note(await this.#api.updateWorkspace(this.currentId, { defaultModel: model }));
  }

  #note(changed: Workspace): void {
    this.items = this.items.map((item) => (item.id === changed.id ? changed : item));
  }
}
