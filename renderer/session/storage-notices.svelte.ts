import type { StorageNotice } from '../../shared/api/storage.ts';
import type { ApiClient } from '../api/client.ts';
import { createPoller, type Poller } from '../lib/poller.ts';

const INTERVAL_MS = 60_000;

/** What a person should know about the store: it is nearly full, something was damaged. */
export class StorageNotices {
  #told = $state.raw<readonly StorageNotice[]>([]);
  /** Messages that were dismissed: a notice that says something else by now is shown again. */
  #putAway = $state.raw<readonly string[]>([]);
  readonly #poller: Poller;

  constructor(api: Pick<ApiClient, 'findStorage'>) {
    this.#poller = createPoller(
      async () => {
        this.#told = (await api.findStorage()).notices;
      },
      () => INTERVAL_MS,
    );
  }

  /** Those that weren't dismissed. */
  get items(): readonly StorageNotice[] {
    return this.#told.filter(({ message }) => !this.#putAway.includes(message));
  }

  /** Asks the service now, and every minute from then on. Never rejects. */
  refresh(): Promise<void> {
    return this.#poller.now();
  }

  /** Hides a notice as long as it says the same. */
  putAway({ message }: StorageNotice): void {
    this.#putAway = [...this.#putAway, message];
  }

  close(): void {
    this.#poller.stop();
  }
}
