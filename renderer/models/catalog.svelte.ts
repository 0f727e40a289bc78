import type { Agent, Model } from '../../shared/api/catalog.ts';
import { isRehearsal, OFFLINE_MODEL_NAME } from '../../shared/models.ts';
import { DEFAULT_AGENT_TYPE } from '../../shared/limits.ts';
import type { ApiClient } from '../api/client.ts';
import { words } from '../lib/words/index.ts';
import { slugOf } from './model-name.ts';

type CatalogApi = Pick<ApiClient, 'listAgents' | 'listModels'>;

/** The available agents and models, the default of each first. */
export class Catalog {
  /** The built-in ones, until the first answer. */
  agents = $state.raw<readonly Agent[]>([
    { agentType: DEFAULT_AGENT_TYPE, name: words.assistant, description: '', builtIn: true },
  ]);
  /** The built-in ones, until the first answer. */
  models = $state.raw<readonly Model[]>([
    { name: OFFLINE_MODEL_NAME, offline: true, connection: null, contextTokens: null, parameters: [] },
  ]);
  /** `false` until the first answer. */
  loaded = $state(false);
  readonly #api: CatalogApi;
  #asked = 0;
  #answered = 0;

  constructor(api: CatalogApi) {
    this.#api = api;
  }

  /** The `agentType` of a chat for which none was chosen. */
  get defaultAgentType(): string {
    return this.agents[0]?.agentType ?? DEFAULT_AGENT_TYPE;
  }

  /** The model of a chat for which none was chosen, in a workspace without a default model. */
  get defaultModel(): string {
    return this.models[0]?.name ?? OFFLINE_MODEL_NAME;
  }

  /** Loads them. Rejects as the API does. */
  async refresh(): Promise<void> {
    const asked = (this.#asked += 1);
    const [agents, models] = await Promise.all([this.#api.listAgents(), this.#api.listModels()]);
    // An earlier request may be answered later, with older data.
    if (asked < this.#answered) return;
    this.#answered = asked;
    if (agents.length > 0) this.agents = agents;
    if (models.length > 0) this.models = models;
    this.loaded = true;
  }

  /** The same; never rejects. */
  async load(): Promise<void> {
    await this.refresh().catch(() => undefined);
  }

  /** The details of a model; undefined: it isn't available, or not loaded yet. */
  findModel(name: string): Model | undefined {
    return this.models.find((model) => model.name === name);
  }

  /** The name of the connection that a model belongs to, by its slug if it isn't available any more; null: it is built in. */
  connectionOf(name: string): string | null {
    return this.findModel(name)?.connection ?? slugOf(name);
  }

  /** Whether a model isn't available, at least not any more. */
  isGone(name: string): boolean {
    return this.loaded && this.findModel(name) === undefined && !isRehearsal(name);
  }
}
