import { DEFAULT_SETTINGS, type Settings, type UpdateSettingsBody } from '../../shared/api/settings.ts';
import type { AdminApi } from '../api/admin.ts';

/** What a person has set, as the service keeps it. */
export class SettingsState {
  /** The defaults until the first answer. */
  current = $state.raw<Settings>(DEFAULT_SETTINGS);
  /** `false` until the first answer. */
  loaded = $state(false);
  readonly #api: Pick<AdminApi, 'findSettings' | 'updateSettings'>;
  #changes = 0;

  constructor(api: Pick<AdminApi, 'findSettings' | 'updateSettings'>) {
    this.#api = api;
  }

  /** Asks the service. Rejects as the API does. */
  async refresh(): Promise<void> {
    const changes = this.#changes;
    const settings = await this.#api.findSettings();
    // An answer from before a change would take the change back for a moment.
    if (changes === this.#changes) this.current = settings;
    this.loaded = true;
  }

  /** Changes settings: shown at once, taken back when the service refuses. Rejects as the API does. */
  async update(change: UpdateSettingsBody): Promise<void> {
    const before = this.current;
    this.#changes += 1;
    this.current = { ...before, ...change };
    try {
      this.current = await this.#api.updateSettings(change);
    } catch (problem) {
      this.current = before;
      throw problem;
    } finally {
      this.#changes += 1;
    }
  }
}
