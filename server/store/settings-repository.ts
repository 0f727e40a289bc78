import type { TSchema } from 'typebox';
import { Settings } from '../../shared/api/settings.ts';
import { DEFAULT_SETTINGS } from '../../shared/default-settings.ts';
import type { JsonSchema } from '../../shared/json-schema.ts';
import { parseJson } from '../lib/parse-json.ts';
import { readValue } from './table.ts';
import type { Reader, Writer } from './types.ts';

/** The value of a setting, parsed from JSON; null when it was never set. */
export function findSetting(reader: Reader, name: string): unknown {
  const value = readValue<string>(reader, 'SELECT value FROM settings WHERE name = ?', [name]);
  return value === null ? null : (JSON.parse(value) as unknown);
}

/** Sets a setting to any JSON value. */
export function updateSetting(writer: Writer, name: string, value: unknown): void {
  writer.run('INSERT OR REPLACE INTO settings (name, value) VALUES (?, ?)', [name, JSON.stringify(value)]);
}

/**
 * All settings. One that was never set, can't be read or isn't allowed (any more) has its default, so that no damaged row keeps the
 * service from starting.
 */
export function readSettings(reader: Reader): Settings {
  const settings: Record<string, unknown> = { ...DEFAULT_SETTINGS };
  const schemas: Readonly<Record<string, TSchema>> = Settings.properties;
  const rows = reader.all<{ name: string; value: string }>('SELECT name, value FROM settings');
  for (const { name, value } of rows) {
    const schema = Object.hasOwn(schemas, name) ? schemas[name] : undefined;
    const parsed = schema === undefined ? undefined : parseJson(value);
    if (schema !== undefined && parsed !== undefined && fits(schema, parsed)) settings[name] = parsed;
  }
  return settings as Settings;
}

/**
 * Whether a value is allowed by a setting's schema. A few lines of our own, since a whole validator takes longer to load
 * than the service may take to start.
 */
function fits(shape: JsonSchema, value: unknown): boolean {
  if (shape.anyOf !== undefined) return shape.anyOf.some((choice) => fits(choice, value));
  if (shape.enum !== undefined) return shape.enum.includes(value);
  switch (shape.type) {
    case 'null':
      return value === null;
    case 'boolean':
      return typeof value === 'boolean';
    case 'integer':
      return (
        Number.isInteger(value) &&
        Number(value) >= (shape.minimum ?? -Infinity) &&
        Number(value) <= (shape.maximum ?? Infinity)
      );
    case 'string':
      return (
        typeof value === 'string' &&
        value.length <= (shape.maxLength ?? Infinity) &&
        new RegExp(shape.pattern ?? '', 'u').test(value)
      );
    case 'array': {
      const { items } = shape;
      return (
        Array.isArray(value) &&
        value.length <= (shape.maxItems ?? Infinity) &&
        value.every((item) => items !== undefined && fits(items, item))
      );
    }
    default:
      return false;
  }
}
