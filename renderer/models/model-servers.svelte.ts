import type {
  Connection,
  CreateConnectionBody,
  FoundServer,
  UpdateConnectionBody,
} from '../../shared/api/connection.ts';
import { SvelteMap } from 'svelte/reactivity';
import type { ApiClient } from '../api/client.ts';
import { Listed } from '../api/listed.svelte.ts';
import { describeProblem } from '../api/problem-words.ts';
import { isLoopback } from '../../shared/model-addresses.ts';
import { addressOf, hostOf } from './model-addresses.ts';
import { slugOf } from './model-name.ts';
import type { Catalog } from './catalog.svelte.ts';

/** Where a model runs: in Parley, on this computer, or at a host, to which its messages are sent. */
export type ModelLocation =
  | { kind: 'built_in' }
  | { kind: 'here'; connection: string }
  | { kind: 'away'; host: string };

/** What the settings should open: an existing connection, or the dialog for a new one, `at` a server that was found. */
export type ConnectionRequest = { open: 'new'; at?: FoundServer } | { open: 'existing'; slug: string };

/** The connected model servers, and those found on this computer. All methods that make requests reject as the API does. */
export class ModelServers extends Listed<Connection> {
  /** Servers on this computer that aren't connected; null: not looked for yet. */
  found = $state.raw<readonly FoundServer[] | null>(null);
  /** Set by other pages; cleared once it was shown. */
  wanted = $state.raw<ConnectionRequest | null>(null);
  readonly #api: ApiClient;
  readonly #onChanged: () => void;
  /** Why a connection's server didn't list its models when it was asked last, by slug. */
  readonly silent = new SvelteMap<string, string>();
  #refreshing: Promise<void> | null = null;

  /** `onChanged` is called when the available models may have changed. */
  constructor(api: ApiClient, onChanged: () => void = () => undefined) {
    super(() => api.listConnections());
    this.#api = api;
    this.#onChanged = onChanged;
  }

  /**
   * Loads the connections; if there are none, and `searches` is set, searches for servers to connect. Never rejects: the
   * settings load again, and show failures.
   */
  async discover(searches: boolean): Promise<void> {
    try {
      await this.refresh();
      if (searches && this.items.length === 0) await this.search();
    } catch {
      // The settings show it.
    }
  }

  /** Searches for servers on this computer. */
  async search(): Promise<void> {
    this.found = await this.#api.findServers();
  }

  async create(body: CreateConnectionBody): Promise<Connection> {
    const created = this.put(await this.#api.createConnection(body));
    const address = addressOf(created.provider, created.baseUrl);
    this.found = this.found?.filter(({ baseUrl }) => baseUrl !== address) ?? null;
    this.#onChanged();
    return created;
  }

  async update(connectionId: string, body: UpdateConnectionBody): Promise<Connection> {
    return this.#note(await this.#api.updateConnection(connectionId, body));
  }

  async refreshModels(connectionId: string): Promise<Connection> {
    return this.#note(await this.#api.refreshConnection(connectionId));
  }

  /** Asks all servers for their models again. Never rejects; see {@link silent}. */
  async refreshAll(): Promise<void> {
    this.#refreshing ??= this.#refreshAll().finally(() => (this.#refreshing = null));
    await this.#refreshing;
  }

  async #refreshAll(): Promise<void> {
    await this.load();
    const refreshOne = async ({ id, slug }: Connection): Promise<void> => {
      try {
        this.put(await this.#api.refreshConnection(id));
        this.silent.delete(slug);
      } catch (problem) {
        this.silent.set(slug, describeProblem(problem));
      }
    };
    await Promise.all(this.items.map(refreshOne));
    this.#onChanged();
  }

  /** Loads the models of a connection if they never were; resolves with its new state. Never rejects. */
  async listIfNew(connection: Connection): Promise<Connection> {
    if (connection.modelsListedAt !== null) return connection;
    return this.refreshModels(connection.id).catch(() => connection);
  }

  async remove(connectionId: string): Promise<void> {
    await this.#api.deleteConnection(connectionId);
    this.drop(connectionId);
    this.#onChanged();
  }

  /** Where a model runs; null: unknown, for example if the session may not see the connections. */
  locationOf(model: string): ModelLocation | null {
    const slug = slugOf(model);
    if (slug === null) return { kind: 'built_in' };
    const connection = this.items.find((item) => item.slug === slug);
    if (connection === undefined) return null;
    const address = addressOf(connection.provider, connection.baseUrl);
    return isLoopback(address)
      ? { kind: 'here', connection: connection.name }
      : { kind: 'away', host: hostOf(address) ?? connection.name };
  }

  /** Whether there may be any models besides the built-in ones; a server that lists none may offer some. */
  isAnyConnected(catalog: Catalog): boolean {
    return this.items.length > 0 || catalog.models.some(({ connection }) => connection !== null);
  }

  /** Whether a model isn't available any more. A server that lists none may offer any. */
  isGone(catalog: Catalog, model: string): boolean {
    const slug = slugOf(model);
    const connection = this.items.find((item) => item.slug === slug);
    return catalog.isGone(model) && (connection === undefined || connection.models.length > 0);
  }

  #note(changed: Connection): Connection {
    this.put(changed);
    this.#onChanged();
    return changed;
  }
}
