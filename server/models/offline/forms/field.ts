/** One field of a tool's form, by its JSON schema: what it takes, in words, and its value from what was written. */
import { Check } from 'typebox/schema';

/** The parts of a JSON schema that forms put in words. The rest of it is only checked. */
export interface FieldSchema {
  type?: unknown;
  enum?: readonly unknown[];
  description?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  items?: FieldSchema;
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
  return schema.type === undefined ? checked(text, schema) : { wanted: wantedBy(schema) };
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
  const isFit: boolean = Check(schema, value);
  if (isFit) return { value };
  if (typeof value !== 'string' || !isText(schema)) return { wanted: wantedBy(schema) };
  const { minLength = 0, maxLength = Infinity } = schema;
  if (value.length < minLength) return { wanted: 'a text that is not empty' };
  const isLong = value.length > maxLength;
  return { wanted: isLong ? `a text of ${maxLength} characters at most` : 'a text of another form' };
}

/** Undefined: it isn't JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
