import type { StorageNotice } from '../../shared/api/storage.ts';
import type { ApiClient } from '../api/client.ts';
import { createPoller, type Poller } from '../lib/poller.ts';

const INTERVAL_MS = 60_000;
/** The same while the disk refuses writes: that it accepts them again is to be seen soon. */
const REFUSING_INTERVAL_MS = 3_000;

/** What a person should know about the store: it is nearly full, something was damaged. */
export class StorageNotices {
  #reported = $state.raw<readonly StorageNotice[]>([]);
  /** Messages that were dismissed: a notice that says something else by now, or comes back, is shown again. */
  #putAway = $state.raw<readonly string[]>([]);
  readonly #poller: Poller;

  constructor(api: Pick<ApiClient, 'findStorage'>) {
    this.#poller = createPoller(
      async () => {
        this.#reported = (await api.findStorage()).notices;
        this.#putAway = this.#putAway.filter((away) =>
          this.#reported.some(({ message }) => message === away),
        );
      },
      () => (this.#reported.some(({ code }) => code === 'refusing') ? REFUSING_INTERVAL_MS : INTERVAL_MS),
    );
  }

  get items(): readonly StorageNotice[] {
    return this.#reported.filter(({ message }) => !this.#putAway.includes(message));
  }

  /** Asks the service now, and regularly from then on. Never rejects. */
  refresh(): Promise<void> {
    return this.#poller.now();
  }

  /** Hides a notice as long as it stays and says the same. */
  putAway({ message }: StorageNotice): void {
    this.#putAway = [...this.#putAway, message];
  }

  close(): void {
    this.#poller.stop();
  }
}
