import type { JsonSchema } from '../../../shared/json-schema.ts';

interface ExampleSchema extends JsonSchema {
  examples?: readonly unknown[];
  const?: unknown;
  allOf?: readonly JsonSchema[];
}

/** An example for a schema, made from the `examples` of its parts; undefined if they aren't enough. */
export function exampleOf(schema: ExampleSchema): unknown {
  const { examples, const: only, enum: choices, type, anyOf, allOf, items, properties, required } = schema;
  if (examples !== undefined) return examples[0];
  if (only !== undefined) return only;
  if (choices !== undefined) return choices[0];
  if (anyOf !== undefined) return anyOf.map(exampleOf).find((example) => example !== undefined);
  if (allOf !== undefined) return Object.assign({}, ...allOf.map(exampleOf)) as unknown;
  if (type === 'array')
    return items === undefined ? [] : [exampleOf(items)].filter((item) => item !== undefined);
  if (type === 'null') return null;
  if (type === 'boolean') return false;
  if (type === 'integer') return schema.minimum ?? 0;
  if (type !== 'object') return undefined;
  const entries = Object.entries(properties ?? {})
    // If nothing is required, the fields that have an example.
    .filter(([name, one]) => (required === undefined ? 'examples' in one : required.includes(name)))
    .map(([name, one]) => [name, exampleOf(one)] as const);
  return entries.some(([, value]) => value === undefined) ? undefined : Object.fromEntries(entries);
}
