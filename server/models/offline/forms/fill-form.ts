import { quoteLine } from '../wording/telling.ts';
import {
  parseJson,
  takesLines,
  valueFromJson,
  valueFromText,
  wantedBy,
  type FieldSchema,
  type FieldValue,
} from './field.ts';
import { splitFields, type FieldText } from './read-form.ts';

/** A tool as its form needs it: the schema that models get. */
export interface FormTool {
  name: string;
  description?: string;
  inputSchema: unknown;
}

/** The fields of a tool, by name and in order, and those that have to be given. */
interface FormShape {
  fields: [name: string, schema: FieldSchema][];
  required: ReadonlySet<string>;
}

/** The input that a form comes to, or in a sentence what is wrong with it. */
export type Filled = { input: Record<string, unknown> } | { problem: string };

/** What a tool's schema asks for. */
export function shapeOf({ inputSchema }: FormTool): FormShape {
  const {
    properties = {},
    required = [],
    $defs,
    definitions,
  } = (inputSchema ?? {}) as {
    properties?: Record<string, FieldSchema>;
    required?: readonly string[];
    $defs?: unknown;
    definitions?: unknown;
  };
  // Each field is checked by itself, so it takes along what it may refer to.
  const shared = { ...($defs !== undefined && { $defs }), ...(definitions !== undefined && { definitions }) };
  return {
    fields: Object.entries(properties).map(([name, schema]) => [name, { ...schema, ...shared }]),
    required: new Set(required),
  };
}

/** Reads the fields of a form, as lines or as one JSON object, by the tool's schema. */
export function fillForm(rest: string, tool: FormTool): Filled {
  const shape = shapeOf(tool);
  const nameOf = (written: string): string | null =>
    shape.fields.find(([name]) => plain(name) === plain(written))?.[0] ?? null;
  const object = rest.trim().startsWith('{') ? parseJson(rest.trim()) : undefined;
  if (object === undefined && rest.trim().startsWith('{') && !takesJson(shape))
    return { problem: 'The fields are not valid JSON.' };
  if (isObject(object) && (Object.keys(object).some(nameOf) || !takesJson(shape)))
    return fromObject(object, shape, nameOf);
  return fromLines(rest, shape, nameOf);
}

const plain = (name: string): string => name.toLowerCase().replace(/[\s_-]+/g, '');
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
/** Whether an object of other keys may be what the tool works on: “/tool check_json {…}”. */
const takesJson = ({ fields }: FormShape): boolean => fields[0]?.[0] === 'text';

type NameOf = (written: string) => string | null;

function fromObject(object: Record<string, unknown>, shape: FormShape, nameOf: NameOf): Filled {
  const values = new Map<string, FieldValue & { shown: string }>();
  for (const [written, value] of Object.entries(object)) {
    const name = nameOf(written);
    if (name === null) return { problem: `There is no field ${quoteLine(written, 60)}.` };
    const schema = shape.fields.find(([each]) => each === name)?.[1] ?? {};
    values.set(name, { ...valueFromJson(value, schema), shown: JSON.stringify(value) });
  }
  return finish(values, shape);
}

function fromLines(rest: string, shape: FormShape, nameOf: NameOf): Filled {
  const { values: written, loose } = splitFields(rest, nameOf);
  // Blocks first: of a path and a file that stand without their names, the file is the text.
  for (const text of loose.toSorted((one, other) => Number(other.isBlock) - Number(one.isBlock))) {
    const name = fieldFor(text, shape, written);
    if (name === null) return { problem: `I can’t tell which field ${quoteLine(text.text, 60)} is for.` };
    written.set(name, text);
  }
  const values = new Map<string, FieldValue & { shown: string }>();
  for (const [name, schema] of shape.fields) {
    const given = written.get(name);
    if (given === undefined) continue;
    if (given.text === '' && !given.isBlock) continue;
    const isLines = takesLines(schema);
    const isTooLong = schema.type === 'string' && !isLines && !given.isBlock && given.text.includes('\n');
    const value = isTooLong
      ? { wanted: `${wantedBy(schema)}, on one line` }
      : valueFromText(given.text, schema);
    values.set(name, { ...value, shown: given.text });
  }
  return finish(values, shape);
}

/** The field that words without a name are for: blocks and long texts are for one that takes them, others for the first that is missing. */
function fieldFor(
  { isBlock }: FieldText,
  { fields, required }: FormShape,
  given: ReadonlyMap<string, unknown>,
): string | null {
  const left = fields.filter(([name]) => !given.has(name));
  const missing = left.filter(([name]) => required.has(name));
  const candidates = missing.length > 0 || required.size > 0 ? missing : left;
  const forBlock = isBlock ? candidates.find(([, schema]) => takesLines(schema)) : undefined;
  return (forBlock ?? candidates[0])?.[0] ?? null;
}

function finish(
  values: ReadonlyMap<string, FieldValue & { shown: string }>,
  { fields, required }: FormShape,
): Filled {
  const input: Record<string, unknown> = {};
  for (const [name, schema] of fields) {
    const found = values.get(name);
    if (found === undefined) {
      if (required.has(name))
        return { problem: `The field “${name}” is missing; it wants ${wantedBy(schema)}.` };
    } else if ('wanted' in found) {
      return { problem: `The field “${name}” wants ${found.wanted}, not ${quoteLine(found.shown, 60)}.` };
    } else input[name] = found.value;
  }
  return { input };
}
