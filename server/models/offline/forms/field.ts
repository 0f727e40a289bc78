/** One field of a tool's form, by its JSON schema: what it takes, in words, and its value from what was written. */
import { Check } from 'typebox/schema';
import { entryExample, fieldKind, type FieldKind, type JsonSchema } from '../../../../shared/json-schema.ts';
import { attempt } from '../../../../shared/attempt.ts';

/** What was written for a field: a text, or a value of a JSON object. */
export interface WrittenValue {
  value: unknown;
  /** It stood in a fenced block: a line may then hold several. */
  isBlock?: boolean;
}

/** A kind of field: what it takes, and its value from a text; undefined: the text is none. */
interface Kind {
  wants(schema: JsonSchema): string;
  read(text: string, schema: JsonSchema): unknown;
}

const YES = /^(?:yes|true|on|y|1)$/i;
const NO = /^(?:no|false|off|n|0)$/i;
const NUMBER = /^[-+]?(?:\d+(?:\.\d+)?|\.\d+)$/;

const KINDS = {
  choice: {
    wants: ({ enum: choices = [] }) => `one of ${choices.map(String).join(', ')}`,
    read: (text, { enum: choices = [] }) =>
      choices.find((choice) => comparable(String(choice)) === comparable(text)),
  },
  flag: { wants: () => 'yes or no', read: (text) => YES.test(text) || (NO.test(text) ? false : undefined) },
  number: {
    wants({ type, minimum, maximum }) {
      const kind = type === 'integer' ? 'a whole number' : 'a number';
      if (minimum !== undefined && maximum !== undefined) return `${kind} from ${minimum} to ${maximum}`;
      if (minimum !== undefined) return `${kind}, ${minimum} or more`;
      return maximum === undefined ? kind : `${kind}, ${maximum} at most`;
    },
    read: (text) => (NUMBER.test(text) ? Number(text) : undefined),
  },
  text: {
    wants: ({ maxLength = 0 }) => `a text of up to ${maxLength} characters on one line`,
    read: (text) => text,
  },
  lines: {
    wants: ({ pattern }) => (pattern === undefined ? 'a text' : `a text that fits \`${pattern}\``),
    read: (text) => text,
  },
  list: {
    wants: () => 'a list: one entry a line, or with commas between',
    read: (text) => (text.startsWith('[') ? valueOfJson(text) : entriesOf(text)),
  },
  /** A list of entries with several values each. */
  records: {
    wants: ({ items = {} }) => `a list, one entry a line: ${entryExample(items)}`,
    read: (text, { items = {} }) =>
      text.startsWith('[') ? valueOfJson(text) : linesOf(text).map((line) => recordOf(line, items)),
  },
  json: {
    wants({ type }) {
      if (type === 'array') return 'a list in JSON, [ … ]';
      return type === 'object' ? 'an object in JSON, { … }' : 'a value';
    },
    read: (text, { type }) => valueOfJson(text) ?? (type === undefined ? text : undefined),
  },
} satisfies Record<FieldKind, Kind>;

const kindOf = (schema: JsonSchema): Kind => KINDS[fieldKind(schema)];

/** Whether a field takes several lines. */
export const takesLines = (schema: JsonSchema): boolean =>
  ['lines', 'list', 'records'].includes(fieldKind(schema));

/** What a field takes: “a whole number from 1 to 50”. */
export const wantedBy = (schema: JsonSchema): string => kindOf(schema).wants(schema);

/** The field's value; undefined: what was written is none. */
export function valueOf({ value: written, isBlock = false }: WrittenValue, schema: JsonSchema): unknown {
  const value = typeof written === 'string' ? readText(written, schema) : written;
  if (fieldKind(schema) === 'text' && !isBlock && String(value).includes('\n')) return undefined;
  return value !== undefined && Check(schema, value) ? value : undefined;
}

/** A text stays as it is; of anything else the spaces around it say nothing. */
const readText = (text: string, schema: JsonSchema): unknown =>
  kindOf(schema).read(schema.type === 'string' && schema.enum === undefined ? text : text.trim(), schema);

const linesOf = (text: string): string[] => text.split('\n').filter((line) => line.trim() !== '');

/** Lines, or what commas are between on a line alone. */
function entriesOf(text: string): string[] {
  const lines = linesOf(text);
  return lines.length > 1 ? lines : text.split(',').flatMap((entry) => entry.trim() || []);
}

/** `column: city; is: equals; values: Rome, Oslo`. */
function recordOf(line: string, { properties = {} }: JsonSchema): Record<string, unknown> {
  const record: Record<string, unknown> = {};
  for (const part of line.split(';')) {
    const [, written = '', value = ''] = /^\s*(\w+)\s*[:：]\s*(\S.*)?$/.exec(part) ?? [];
    const [name = part, schema = {}] =
      Object.entries(properties).find(([each]) => comparable(each) === comparable(written)) ?? [];
    if (part.trim() !== '') record[name] = readText(value, schema);
  }
  return record;
}

/** Names and choices are the same in any case, with spaces, underscores or hyphens. */
export const comparable = (text: string): string => text.toLowerCase().replace(/[\s_-]+/g, '');

/** The value of a JSON text; undefined: it is null, or isn't JSON. */
export const valueOfJson = (text: string): unknown => attempt(() => JSON.parse(text) as unknown) ?? undefined;
