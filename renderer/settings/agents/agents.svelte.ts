import type { CreateAgentBody, ToolInfo, UpdateAgentBody } from '../../../shared/api/agent.ts';
import type { Agent } from '../../../shared/api/catalog.ts';
import type { ApiClient } from '../../api/client.ts';
import type { Catalog } from '../../models/catalog.svelte.ts';

/** Agents with all their fields, and the available tools. All methods reject as the API does. */
export class Agents {
  tools = $state.raw<readonly ToolInfo[]>([]);
  loaded = $state(false);
  readonly #api: ApiClient;
  readonly #catalog: Pick<Catalog, 'agents' | 'refresh'>;

  constructor(api: ApiClient, catalog: Pick<Catalog, 'agents' | 'refresh'>) {
    this.#api = api;
    this.#catalog = catalog;
  }

  /** A person's own, oldest first. */
  get made(): readonly Agent[] {
    return this.#catalog.agents.filter(({ builtIn }) => !builtIn);
  }

  /** The built-in ones, the default first. */
  get builtIn(): readonly Agent[] {
    return this.#catalog.agents.filter(({ builtIn }) => builtIn);
  }

  async refresh(): Promise<void> {
    const [tools] = await Promise.all([this.#api.listTools(), this.#catalog.refresh()]);
    this.tools = tools;
    this.loaded = true;
  }

  /** Creates an agent, or changes the one with that `agentType`. */
  async save(agentType: string | null, body: CreateAgentBody & UpdateAgentBody): Promise<Agent> {
    const agent =
      agentType === null ? await this.#api.createAgent(body) : await this.#api.updateAgent(agentType, body);
    await this.#relist();
    return agent;
  }

  async remove(agentType: string): Promise<void> {
    await this.#api.deleteAgent(agentType);
    await this.#relist();
  }

  /** The change is saved even if the list can't be loaded now. */
  async #relist(): Promise<void> {
    await this.#catalog.refresh().catch(() => undefined);
  }
}
