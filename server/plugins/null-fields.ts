import type { JsonSchema } from '../../shared/json-schema.ts';
import { isObject } from '../lib/fields.ts';

/** A schema with all keywords that say what a field may hold. */
interface FieldSchema extends JsonSchema {
  const?: unknown;
  anyOf?: readonly FieldSchema[];
  allOf?: readonly FieldSchema[];
  items?: FieldSchema;
  properties?: Readonly<Record<string, FieldSchema>>;
  patternProperties?: Readonly<Record<string, FieldSchema>>;
}

/**
 * Removes fields that are null where their schema doesn't take null, at any depth: clients in typed languages send null for every field
 * that they leave out. Entries of lists stay.
 */
export function dropNullFields(value: unknown, ...schemas: readonly FieldSchema[]): void {
  if (schemas.length === 0) return;
  const all = schemas.flatMap(partsOf);
  if (Array.isArray(value)) {
    const items = all.flatMap((schema) => schema.items ?? []);
    for (const item of value) dropNullFields(item, ...items);
    return;
  }
  if (!isObject(value)) return;
  for (const [name, field] of Object.entries(value)) {
    const known = all.flatMap(({ properties = {}, patternProperties = {} }) =>
      Object.hasOwn(properties, name) ? (properties[name] ?? []) : Object.values(patternProperties),
    );
    if (field !== null) dropNullFields(field, ...known);
    else if (known.length > 0 && !known.some(takesNull)) Reflect.deleteProperty(value, name);
  }
}

/** The schema, and those that it is put together from. */
const partsOf = (schema: FieldSchema): FieldSchema[] => [
  schema,
  ...[...(schema.anyOf ?? []), ...(schema.allOf ?? [])].flatMap(partsOf),
];

/** Whether null fits; a schema without rules takes anything. */
export function takesNull({ type, enum: choices, const: only, anyOf, allOf }: FieldSchema): boolean {
  if (anyOf !== undefined) return anyOf.some(takesNull);
  if (allOf !== undefined) return allOf.every(takesNull);
  if (choices !== undefined) return choices.includes(null);
  if (only !== undefined) return only === null;
  return type === undefined || type === 'null' || (Array.isArray(type) && type.includes('null'));
}
