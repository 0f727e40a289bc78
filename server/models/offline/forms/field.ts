/** One field of a tool's form, by its JSON schema: what it takes, in words, and its value from what was written. */

/** The part of a JSON schema that forms go by; anything else in it is left to whoever runs the tool. */
export interface FieldSchema {
  type?: unknown;
  enum?: readonly unknown[];
  description?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  items?: FieldSchema;
  required?: readonly string[];
  properties?: Readonly<Record<string, FieldSchema>>;
}

/** A value, or in words what was wanted in its place. */
export type FieldValue = { value: unknown } | { wanted: string };

/** What a field takes: “a whole number from 1 to 50”. */
export function wantedBy(schema: FieldSchema): string {
  if (schema.enum !== undefined) return `one of ${schema.enum.map(String).join(', ')}`;
  if (schema.type === 'integer' || schema.type === 'number') return numberWords(schema);
  if (schema.type === 'boolean') return 'yes or no';
  if (isTextList(schema)) return 'a list: one entry a line, or with commas between';
  if (isRecordList(schema)) return `a list, one entry a line: ${recordWords(schema)}`;
  if (schema.type === 'array') return 'a list in JSON, [ … ]';
  if (schema.type === 'object') return 'an object in JSON, { … }';
  return schema.type === 'string' ? 'a text' : 'a value';
}

/** What is wrong with a text, as what is wanted in its place. */
function lengthWanted({ minLength = 0, maxLength = Infinity }: FieldSchema, text: string): string {
  return text.length < minLength ? 'a text that is not empty' : `a text of ${maxLength} characters at most`;
}

/** Whether a field takes a text that may have several lines. */
export const takesLines = (schema: FieldSchema): boolean =>
  isTextList(schema) || isRecordList(schema) || (isText(schema) && schema.maxLength === undefined);

const isText = ({ type, enum: choices }: FieldSchema): boolean => type === 'string' && choices === undefined;
const isTextList = ({ type, items }: FieldSchema): boolean =>
  type === 'array' && items !== undefined && isText(items);

const isRecordList = ({ type, items }: FieldSchema): boolean =>
  type === 'array' && items?.type === 'object' && items.properties !== undefined;

/** `column: …; is: equals or not; values: …`. */
const recordWords = ({ items }: FieldSchema): string =>
  Object.entries(items?.properties ?? {})
    .map(([name, { enum: choices }]) => `${name}: ${choices?.map(String).join('/') ?? '…'}`)
    .join('; ');

function numberWords({ type, minimum, maximum }: FieldSchema): string {
  const kind = type === 'integer' ? 'a whole number' : 'a number';
  if (minimum !== undefined && maximum !== undefined) return `${kind} from ${minimum} to ${maximum}`;
  if (minimum !== undefined) return `${kind}, ${minimum} or more`;
  return maximum === undefined ? kind : `${kind}, ${maximum} at most`;
}

const YES = /^(?:yes|true|on|y|1)$/i;
const NO = /^(?:no|false|off|n|0)$/i;
const NUMBER = /^[-+]?(?:\d+(?:\.\d+)?|\.\d+)$/;

/** The value that was written for a field. */
export function valueFromText(text: string, schema: FieldSchema): FieldValue {
  const written = text.trim();
  if (schema.enum !== undefined) {
    const meant = schema.enum.find((choice) => plain(String(choice)) === plain(written));
    return meant === undefined ? { wanted: wantedBy(schema) } : { value: meant };
  }
  if (schema.type === 'boolean' && (YES.test(written) || NO.test(written)))
    return { value: YES.test(written) };
  if (schema.type === 'integer' || schema.type === 'number')
    return NUMBER.test(written) ? checked(Number(written), schema) : { wanted: wantedBy(schema) };
  if (isText(schema)) return checked(text, schema);
  if (isTextList(schema) && !written.startsWith('[')) return checked(entriesOf(text), schema);
  if (isRecordList(schema) && !written.startsWith('[')) return recordsFromText(written, schema);
  const parsed = parseJson(written);
  if (parsed !== undefined) return checked(parsed, schema);
  return schema.type === undefined ? { value: text } : { wanted: wantedBy(schema) };
}

/** A value of a JSON object, in which numbers and the like may stand as texts. */
export const valueFromJson = (value: unknown, schema: FieldSchema): FieldValue =>
  typeof value === 'string' ? valueFromText(value, schema) : checked(value, schema);

/** Lines, or what commas are between on a line alone. */
function entriesOf(text: string): string[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.length > 1 ? lines : text.split(',').flatMap((entry) => entry.trim() || []);
}

/** Entries of several values each: `column: city; is: equals; values: Rome, Oslo`. */
function recordsFromText(text: string, schema: FieldSchema): FieldValue {
  const properties = Object.entries(schema.items?.properties ?? {});
  const records: Record<string, unknown>[] = [];
  for (const line of text.split('\n').filter((each) => each.trim() !== '')) {
    const record: Record<string, unknown> = {};
    for (const part of line.split(';').filter((each) => each.trim() !== '')) {
      const [, name = '', value = ''] = /^\s*(\w+)\s*[:：]\s*(.*)$/.exec(part) ?? [];
      const [own, of] = properties.find(([each]) => plain(each) === plain(name)) ?? [];
      const read = of === undefined ? null : valueFromText(value, of);
      if (own === undefined || read === null || 'wanted' in read) return { wanted: wantedBy(schema) };
      record[own] = read.value;
    }
    records.push(record);
  }
  return checked(records, schema);
}

const plain = (text: string): string => text.toLowerCase().replace(/[\s_-]+/g, '');

function checked(value: unknown, schema: FieldSchema): FieldValue {
  if (fits(value, schema)) return { value };
  return {
    wanted: typeof value === 'string' && isText(schema) ? lengthWanted(schema, value) : wantedBy(schema),
  };
}

function fits(value: unknown, schema: FieldSchema): boolean {
  if (schema.enum !== undefined) return schema.enum.includes(value);
  const {
    minimum = -Infinity,
    maximum = Infinity,
    minLength = 0,
    maxLength = Infinity,
    minItems = 0,
  } = schema;
  switch (schema.type) {
    case 'string':
      return typeof value === 'string' && value.length >= minLength && value.length <= maxLength;
    case 'integer':
    case 'number':
      if (typeof value !== 'number' || (schema.type === 'integer' && !Number.isInteger(value))) return false;
      return value >= minimum && value <= maximum;
    case 'boolean':
      return typeof value === 'boolean';
    case 'array':
      return (
        Array.isArray(value) &&
        value.length >= minItems &&
        value.every((each) => schema.items === undefined || fits(each, schema.items))
      );
    case 'object':
      return (
        typeof value === 'object' &&
        value !== null &&
        !Array.isArray(value) &&
        (schema.required ?? []).every((name) => Object.hasOwn(value, name))
      );
    default:
      return true;
  }
}

/** Undefined: it is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
