import type { ToolInfo } from '../../shared/api/agent.ts';
import type { ApiClient } from '../api/client.ts';

/** Parley's own tools, asked for when they are first wanted. */
export class Tools {
  items = $state.raw<readonly ToolInfo[]>([]);
  /** The service was asked last and didn't tell. */
  failed = $state(false);
  /** They aren't known, and the service has been asked. */
  loading = $state(false);
  #asked: Promise<void> | null = null;
  readonly #api: Pick<ApiClient, 'listTools'>;

  constructor(api: Pick<ApiClient, 'listTools'>) {
    this.#api = api;
  }

  /** Asks for them, unless they are known. Never rejects. */
  async load(): Promise<void> {
    if (this.items.length > 0) return;
    this.#asked ??= this.#ask();
    await this.#asked;
  }

  async #ask(): Promise<void> {
    this.loading = true;
    try {
      this.items = await this.#api.listTools();
      this.failed = false;
    } catch {
      this.failed = true;
    } finally {
      this.loading = false;
      this.#asked = null;
    }
  }
}
