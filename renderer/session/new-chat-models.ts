import type { Catalog } from '../models/catalog.svelte.ts';
import type { ModelServers } from '../models/model-servers.svelte.ts';
import type { Project } from '../../shared/api/project.ts';
import type { Workspaces } from './workspaces.svelte.ts';

/** Which model a chat starts with if none was chosen. */
export class NewChatModels {
  readonly #catalog: Catalog;
  readonly #modelServers: ModelServers;
  readonly #workspaces: Workspaces;
  readonly #project: () => Project | null;

  /** `project`: the one that the next new chat is created in. */
  constructor(
    catalog: Catalog,
    modelServers: ModelServers,
    workspaces: Workspaces,
    project: () => Project | null = () => null,
  ) {
    this.#catalog = catalog;
    this.#modelServers = modelServers;
    this.#workspaces = workspaces;
    this.#project = project;
  }

  /** The workspace's default, unless that model is gone. */
  get usual(): string {
    return this.#unlessGone(this.#workspaces.current?.defaultModel) ?? this.#catalog.defaultModel;
  }

  /** The agent's model, or the project's, unless they are gone; else the usual one. */
  of(agentType: string): string {
    const agent = this.#catalog.agents.find((each) => each.agentType === agentType);
    const { defaultModel = null } = this.#project() ?? {};
    return this.#unlessGone(agent?.model) ?? this.#unlessGone(defaultModel) ?? this.usual;
  }

  #unlessGone(model: string | null = null): string | null {
    return model === null || this.#modelServers.isGone(this.#catalog, model) ? null : model;
  }
}
