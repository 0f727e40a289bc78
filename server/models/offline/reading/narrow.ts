import type { Static, TSchema } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';

const validators = new WeakMap<TSchema, Validator>();

/**
 * Gives `value` the type of `schema` when it has its shape, else null: how a skill reads a tool's output, which may come
 * from a stored conversation written by another version. Compiled once per schema object, so pass the same one each time.
 */
export function narrow<Schema extends TSchema>(schema: Schema, value: unknown): Static<Schema> | null {
  let validator = validators.get(schema);
  if (!validator) {
    validator = Compile(schema);
    validators.set(schema, validator);
  }
  return validator.Check(value) ? (value as Static<Schema>) : null;
}
