/** JSON schemas, as far as they are put into words here; validators read the rest. */

/** The keywords of a schema that are looked at. */
export interface JsonSchema {
  type?: unknown;
  enum?: readonly unknown[];
  anyOf?: readonly JsonSchema[];
  items?: JsonSchema;
  properties?: Readonly<Record<string, JsonSchema>>;
  required?: readonly string[];
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  maxItems?: number;
  pattern?: string;
  description?: string;
  /** Parley's own: what a value must be, to follow "must be", where the other keywords don't say it. */
  expected?: string;
}

/** The kind of field in a tool's form. `lines`: a text of several lines; `list`: one entry per line; `records`: the same with several values each. */
export type FieldKind = 'text' | 'lines' | 'list' | 'records' | 'number' | 'choice' | 'flag' | 'json';

/** The kind of field that takes values of the schema. */
export function fieldKind({ type, enum: choices, maxLength, items }: JsonSchema): FieldKind {
  if (choices !== undefined) return 'choice';
  if (type === 'boolean') return 'flag';
  if (type === 'integer' || type === 'number') return 'number';
  if (type === 'string') return maxLength === undefined ? 'lines' : 'text';
  if (type !== 'array' || items === undefined) return 'json';
  if (items.properties !== undefined) return 'records';
  return items.type === 'string' ? 'list' : 'json';
}

/** What an entry of `records` looks like: `column: …; is: equals/not; values: …`. */
export const entryExample = ({ properties = {} }: JsonSchema): string =>
  Object.entries(properties)
    .map(([name, { enum: choices }]) => `${name}: ${choices?.map(String).join('/') ?? '…'}`)
    .join('; ');
