/** Checks the fields of chats and messages in a file, which may come from anywhere. */
import { hash } from 'node:crypto';
import type { TSchema } from 'typebox';
import { Check } from 'typebox/schema';
import type { Fields } from '../lib/fields.ts';

const ID = /^[A-Za-z0-9_-]{1,64}$/;

export const isId = (value: unknown): value is string => typeof value === 'string' && ID.test(value);

/** The fields that match their schemas; the names of the others are added to `wrong`. */
export function repairFields(
  schemas: Readonly<Record<string, TSchema>>,
  value: Fields,
  wrong: string[],
): Fields {
  const valid: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(schemas)) {
    if (value[name] === undefined) continue;
    if (Check(schema, value[name])) valid[name] = value[name];
    else wrong.push(name);
  }
  return valid;
}

/** An id that looks like all others; the same parts always give the same id. */
export const idFrom = (...parts: readonly string[]): string =>
  hash('sha256', parts.join('\n')).replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-8$3-8$4-$5');

/** The finding for fields that were left out or replaced. */
export const wrongFields = (wrong: readonly string[]): string =>
  `Not as it should be, so left out or replaced: ${wrong.join(', ')}.`;
