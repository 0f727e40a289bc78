import type { Catalog } from '../models/catalog.svelte.ts';
import type { ModelServers } from '../models/model-servers.svelte.ts';
import type { Workspaces } from './workspaces.svelte.ts';

/** With which model a chat begins for which none was chosen. */
export class NewChatModels {
  readonly #catalog: Catalog;
  readonly #modelServers: ModelServers;
  readonly #workspaces: Workspaces;

  constructor(catalog: Catalog, modelServers: ModelServers, workspaces: Workspaces) {
    this.#catalog = catalog;
    this.#modelServers = modelServers;
    this.#workspaces = workspaces;
  }

  /** The workspace's, unless that is gone. */
  get usual(): string {
    return this.#unlessGone(this.#workspaces.current?.defaultModel) ?? this.#catalog.defaultModel;
  }

  /** The agent's own, unless that is gone, or the usual one. */
  of(agentType: string): string {
    const agent = this.#catalog.agents.find((each) => each.agentType === agentType);
    return this.#unlessGone(agent?.model) ?? this.usual;
  }

  #unlessGone(model: string | null = null): string | null {
    return model === null || this.#modelServers.isGone(this.#catalog, model) ? null : model;
  }
}
