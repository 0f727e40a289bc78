import type { RecentRequest } from '../../../shared/api/request-log.ts';
import type { ApiClient } from '../../api/client.ts';
import { createPoller, type Poller } from '../../lib/poller.ts';

const REFRESH_MS = 1_000;

/** What the service was asked lately, asked for anew each second while somebody looks. */
export class Requests {
  /** Newest first. */
  items = $state.raw<readonly RecentRequest[]>([]);
  loaded = $state(false);
  failed = $state(false);
  paused = $state(false);
  externalOnly = $state(true);
  readonly #api: Pick<ApiClient, 'listRequests'>;
  readonly #poller: Poller;
  #inView = false;

  constructor(api: Pick<ApiClient, 'listRequests'>) {
    this.#api = api;
    this.#poller = createPoller(
      () => this.#refresh(),
      () => (this.#isWatched() ? REFRESH_MS : null),
    );
  }

  /** Whether the list is where it can be seen. */
  setInView(inView: boolean): void {
    this.#inView = inView;
    this.wake();
  }

  setPaused(paused: boolean): void {
    this.paused = paused;
    this.wake();
  }

  setExternalOnly(externalOnly: boolean): void {
    this.externalOnly = externalOnly;
    void this.#poller.now();
  }

  /** Looks again, if somebody looks: the page came back into view. */
  wake(): void {
    if (this.#isWatched()) void this.#poller.now();
  }

  close(): void {
    this.#poller.stop();
  }

  #isWatched(): boolean {
    return this.#inView && !this.paused && !document.hidden;
  }

  async #refresh(): Promise<void> {
    const { externalOnly } = this;
    try {
      const items = await this.#api.listRequests(undefined, externalOnly);
      if (externalOnly !== this.externalOnly) return;
      this.items = items;
      this.loaded = true;
      this.failed = false;
    } catch (problem) {
      this.failed = true;
      throw problem;
    }
  }
}
