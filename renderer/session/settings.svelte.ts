import type { Settings, UpdateSettingsBody } from '../../shared/api/settings.ts';
import { DEFAULT_SETTINGS } from '../../shared/default-settings.ts';
import type { ApiClient } from '../api/client.ts';
import { applyAppearance } from './theme.ts';

/** A person's settings, as stored by the service. */
export class SettingsState {
  /** The defaults until the first answer. Includes changes that are being saved. */
  current = $state.raw<Settings>(DEFAULT_SETTINGS);
  /** `false` until the first answer. */
  loaded = $state(false);
  readonly #api: Pick<ApiClient, 'findSettings' | 'updateSettings'>;
  readonly #show: (settings: Settings) => void;
  /** What the service answered last, and the changes it has not answered yet, oldest first. */
  #kept: Settings = DEFAULT_SETTINGS;
  #pending: readonly UpdateSettingsBody[] = [];
  #changes = 0;

  /** `show` applies a theme and text size. */
  constructor(
    api: Pick<ApiClient, 'findSettings' | 'updateSettings'>,
    show: (settings: Settings) => void = applyAppearance,
  ) {
    this.#api = api;
    this.#show = show;
  }

  /** Loads the settings. Rejects as the API does. */
  async refresh(): Promise<void> {
    const changes = this.#changes;
    const settings = await this.#api.findSettings();
    // An answer from before a change would undo the change for a moment.
    if (changes === this.#changes) this.#kept = settings;
    this.loaded = true;
    this.#compose();
  }

  /** Changes settings: shown at once, undone when the service refuses. Rejects as the API does. */
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
    // Before the first answer, the page as it was served is more up to date.
    if (this.loaded || this.#pending.length > 0) this.#show(this.current);
  }
}
