import type { CreateProjectBody, Project, UpdateProjectBody } from '../../shared/api/project.ts';
import type { ApiClient } from '../api/client.ts';
import { Listed } from '../api/listed.svelte.ts';
import { lasting } from '../lib/storage.ts';
import { toggled } from '../lib/toggled.ts';

const STORED_AS = 'projects.open.';
const LISTED_AS = 'projects.listed';

/** The projects of the workspace, and which of them are open in the sidebar; the latter is stored. */
export class Projects extends Listed<Project> {
  listed = $state(lasting.read(LISTED_AS) !== 'closed');
  readonly #api: ApiClient;
  readonly #storedAs: string;
  #openIds = $state.raw<readonly string[]>([]);

  /** The open ones, in their order. */
  readonly open = $derived(this.listed ? this.items.filter(({ id }) => this.#openIds.includes(id)) : []);

  constructor(api: ApiClient, workspaceId: string) {
    super(() => api.listProjects());
    this.#api = api;
    this.#storedAs = STORED_AS + workspaceId;
    this.#openIds = (lasting.read(this.#storedAs) ?? '').split(' ').filter(Boolean);
  }

  find(id: string | null | undefined): Project | null {
    return this.items.find((project) => project.id === id) ?? null;
  }

  isOpen(id: string): boolean {
    return this.#openIds.includes(id);
  }

  setOpen(id: string, open: boolean): void {
    this.#openIds = toggled(this.#openIds, id, open);
    lasting.write(this.#storedAs, this.#openIds.join(' ') || null);
  }

  setListed(listed: boolean): void {
    this.listed = listed;
    lasting.write(LISTED_AS, listed ? null : 'closed');
  }

  /** Creates a project and opens it. Rejects as the API does. */
  async create(body: CreateProjectBody): Promise<Project> {
    const project = this.put(await this.#api.createProject(body));
    this.setOpen(project.id, true);
    this.setListed(true);
    return project;
  }

  /** Rejects as the API does. */
  async update(id: string, change: UpdateProjectBody): Promise<void> {
    this.put(await this.#api.updateProject(id, change));
    if (change.position !== undefined) await this.refresh();
  }

  /** Deletes a project, and keeps its chats or deletes them too; resolves with how many. Rejects as the API does. */
  async delete(id: string, chats: 'keep' | 'delete'): Promise<number> {
    const { deletedChats } = await this.#api.deleteProject(id, chats);
    this.drop(id);
    this.setOpen(id, false);
    return deletedChats;
  }
}
