import type { Reader, Writer } from './types.ts';

/** The value of a setting, parsed from JSON; null when it was never set. */
export function findSetting(reader: Reader, name: string): unknown {
  const row = reader.get<{ value: string }>('SELECT value FROM settings WHERE name = ?', [name]);
  return row === null ? null : (JSON.parse(row.value) as unknown);
}

/** Sets a setting to any JSON value. */
export function updateSetting(writer: Writer, name: string, value: unknown): void {
  writer.run('INSERT OR REPLACE INTO settings (name, value) VALUES (?, ?)', [name, JSON.stringify(value)]);
}

/** Every setting that was ever set, its value as JSON text. */
export function listSettings(reader: Reader): { name: string; value: string }[] {
  return reader.all('SELECT name, value FROM settings');
}
