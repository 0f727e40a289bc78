import type { Settings, UpdateSettingsBody } from '../../shared/api/settings.ts';
import { DEFAULT_SETTINGS } from '../../shared/default-settings.ts';
import { invalidField } from '../errors.ts';
import { readSettings, updateSetting } from './settings-repository.ts';
import type { Store } from './types.ts';

/** The settings of a store. */
export type SettingsService = ReturnType<typeof createSettingsService>;

/** Creates the settings service of a store. It also sees changes made to the store by other means. */
export function createSettingsService(store: Store) {
  let cached: { version: number; settings: Settings } | null = null;

  /** The settings in memory; almost free while the store is unchanged. */
  const current = (): Settings => {
    const { version } = store;
    if (cached?.version !== version) cached = { version, settings: store.read(readSettings) };
    return cached.settings;
  };

  return {
    current,
    /** Changes the given settings, all or none, and resolves with all settings once that is on disk. */
    async update(changes: UpdateSettingsBody): Promise<Settings> {
      const known = Object.entries(withOrigins(changes)).filter(([name]) =>
        Object.hasOwn(DEFAULT_SETTINGS, name),
      );
      return store.write((writer) => {
        for (const [name, value] of known) updateSetting(writer, name, value);
        return readSettings(writer);
      });
    },
  };
}

function withOrigins(changes: UpdateSettingsBody): UpdateSettingsBody {
  const { allowedOrigins } = changes;
  if (allowedOrigins === undefined) return changes;
  return { ...changes, allowedOrigins: [...new Set(allowedOrigins.map(toOrigin))] };
}

/** The origin as browsers send it: lower case, no default port, no slash. */
function toOrigin(text: string, index: number): string {
  const url = text.includes('*') ? null : URL.parse(text);
  if (url !== null && url.host !== '' && url.username === '') return url.origin;
  const message = text.includes('*')
    ? `"allowedOrigins.${index}" must be one origin; "*" does not stand for others here.`
    : `"allowedOrigins.${index}" must be an origin like "https://example.com", without a path.`;
  throw invalidField(`allowedOrigins/${index}`, message);
}
