import type { ToolInfo } from '../../shared/api/agent.ts';
import type { ApiClient } from '../api/client.ts';

/** Parley's own tools, loaded when first needed. */
export class Tools {
  items = $state.raw<readonly ToolInfo[]>([]);
  failed = $state(false);
  /** They aren't loaded, and a request is under way. */
  loading = $state(false);
  #asked: Promise<void> | null = null;
  readonly #api: Pick<ApiClient, 'listTools'>;

  constructor(api: Pick<ApiClient, 'listTools'>) {
    this.#api = api;
  }

  /** Loads them, unless they are loaded. Rejects as the API does. */
  async require(): Promise<void> {
    if (this.items.length > 0) return;
    this.#asked ??= this.#ask();
    await this.#asked;
  }

  /** The same; never rejects. */
  async load(): Promise<void> {
    await this.require().catch(() => undefined);
  }

  async #ask(): Promise<void> {
    this.loading = true;
    this.failed = true;
    try {
      this.items = await this.#api.listTools();
      this.failed = false;
    } finally {
      this.loading = false;
      this.#asked = null;
    }
  }
}
