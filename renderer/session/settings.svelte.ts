import { DEFAULT_SETTINGS, type Settings, type UpdateSettingsBody } from '../../shared/api/settings.ts';
import type { ApiClient } from '../api/client.ts';
import { applyAppearance } from './theme.ts';

/** What a person has set, as the service keeps it. */
export class SettingsState {
  /** The defaults until the first answer. Changes under way are in it already. */
  current = $state.raw<Settings>(DEFAULT_SETTINGS);
  /** `false` until the first answer. */
  loaded = $state(false);
  readonly #api: Pick<ApiClient, 'findSettings' | 'updateSettings'>;
  readonly #show: (settings: Settings) => void;
  /** What the service told last, and what it has not answered yet, the oldest first. */
  #kept: Settings = DEFAULT_SETTINGS;
  #pending: readonly UpdateSettingsBody[] = [];
  #changes = 0;

  /** `show` makes a theme and text size visible. */
  constructor(
    api: Pick<ApiClient, 'findSettings' | 'updateSettings'>,
    show: (settings: Settings) => void = applyAppearance,
  ) {
    this.#api = api;
    this.#show = show;
  }

  /** Asks the service. Rejects as the API does. */
  async refresh(): Promise<void> {
    const changes = this.#changes;
    const settings = await this.#api.findSettings();
    // An answer from before a change would take the change back for a moment.
    if (changes === this.#changes) this.#kept = settings;
    this.loaded = true;
    this.#compose();
  }

  /** Changes settings: shown at once, taken back when the service refuses. Rejects as the API does. */
  async update(change: UpdateSettingsBody): Promise<void> {
    this.#changes += 1;
    this.#pending = [...this.#pending, change];
    this.#compose();
    try {
      const kept = await this.#api.updateSettings(change);
      this.#kept = kept;
      this.loaded = true;
    } finally {
      this.#changes += 1;
      this.#pending = this.#pending.filter((other) => other !== change);
      this.#compose();
    }
  }

  #compose(): void {
    this.current = this.#pending.reduce<Settings>(
      (settings, change) => ({ ...settings, ...change }),
      this.#kept,
    );
    // Before the first answer nobody knows better than the page as it was served.
    if (this.loaded || this.#pending.length > 0) this.#show(this.current);
  }
}
