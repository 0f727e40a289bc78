/** The fields of a form, by the tool's schema. */
import type { Fields } from '../../../lib/fields.ts';
import { quoteLine } from '../wording/formatting.ts';
import type { JsonSchema } from '../../../../shared/json-schema.ts';
import { comparable, takesLines, valueOf, valueOfJson, wantedBy, type WrittenValue } from './field.ts';

/** A tool as its form needs it: the schema that models get. */
export type FormTool = { name: string; description?: string; inputSchema: unknown };

/** What a tool's schema asks for: its fields in order, and those that have to be given. */
export function formShapeOf({ inputSchema }: FormTool) {
  const {
    properties = {},
    required = [],
    ...rest
  } = (inputSchema ?? {}) as { properties?: Record<string, JsonSchema>; required?: readonly string[] };
  // Each field is checked by itself, so it takes along what it may refer to.
  const shared = Object.fromEntries(
    Object.entries(rest).filter(([name]) => name === '$defs' || name === 'definitions'),
  );
  return {
    fields: Object.entries(properties).map(([name, schema]): [name: string, schema: JsonSchema] => [
      name,
      { ...schema, ...shared },
    ]),
    required: new Set(required),
  };
}

type FormShape = ReturnType<typeof formShapeOf>;

type NameOf = (written: string) => string | undefined;
type Given = { values: Map<string, WrittenValue> } | { problem: string };

/** The input that a form comes to, read as lines or as one JSON object; or in a sentence what is wrong with it. */
export function fillForm(rest: string, tool: FormTool): { input: Fields } | { problem: string } {
  const shape = formShapeOf(tool);
  const nameOf: NameOf = (written) =>
    shape.fields.find(([name]) => comparable(name) === comparable(written))?.[0];
  const given = fromJson(rest.trim(), shape, nameOf) ?? fromLines(rest, shape, nameOf);
  if ('problem' in given) return given;
  const input: Record<string, unknown> = {};
  for (const [name, schema] of shape.fields) {
    const written = given.values.get(name);
    if (written === undefined && shape.required.has(name))
      return { problem: `The field “${name}” is missing; it wants ${wantedBy(schema)}.` };
    if (written === undefined) continue;
    const value = valueOf(written, schema);
    const shown = typeof written.value === 'string' ? written.value : JSON.stringify(written.value);
    if (value === undefined)
      return { problem: `The field “${name}” wants ${wantedBy(schema)}, not ${quoteLine(shown, 60)}.` };
    input[name] = value;
  }
  return { input };
}

/** Null: the form isn't one JSON object of fields. */
function fromJson(text: string, { fields }: FormShape, nameOf: NameOf): Given | null {
  if (!text.startsWith('{')) return null;
  const object = valueOfJson(text);
  // An object of other keys may be what the tool works on: “/tool check_json {…}”.
  const takesJson = fields[0]?.[0] === 'text';
  if (typeof object !== 'object' || object === null)
    return takesJson ? null : { problem: 'The fields are not valid JSON.' };
  if (takesJson && !Object.keys(object).some(nameOf)) return null;
  const values = new Map<string, WrittenValue>();
  for (const [written, value] of Object.entries(object)) {
    const name = nameOf(written);
    if (name === undefined) return { problem: `There is no field ${quoteLine(written, 60)}.` };
    values.set(name, { value });
  }
  return { values };
}

function fromLines(rest: string, { fields, required }: FormShape, nameOf: NameOf): Given {
  const { named, loose } = splitLines(rest, nameOf);
  const values = new Map([...named].filter(([, { value, isBlock }]) => value !== '' || isBlock));
  // Blocks first: of a path and a file that stand without their names, the file is the text.
  for (const piece of loose.toSorted((one, other) => Number(other.isBlock) - Number(one.isBlock))) {
    const left = fields.filter(([name]) => !named.has(name) && !values.has(name));
    const missing = required.size === 0 ? left : left.filter(([name]) => required.has(name));
    const forBlock = piece.isBlock ? missing.find(([, schema]) => takesLines(schema)) : undefined;
    const [name] = forBlock ?? missing[0] ?? [];
    if (name === undefined)
      return { problem: `I can’t tell which field ${quoteLine(piece.value, 60)} is for.` };
    values.set(name, piece);
  }
  return { values };
}

type Piece = { value: string; isBlock: boolean };

const FIELD = /^\s*([\p{L}_][\p{L}\p{N}_ -]{0,60}?)\s*[:：](?:[^\S\n]+(\S.*)?|$)$/u;
const FENCE = /^\s{0,3}(`{3,}|~{3,}(?!~))[^`]*$/;

/**
 * Takes a form's lines apart: `name: value` each, or a fenced block after `name:`. A line that begins with no field's name goes
 * on with the field before it; `loose` are blocks and words under no name.
 */
function splitLines(rest: string, nameOf: NameOf): { named: Map<string, Piece>; loose: Piece[] } {
  const named = new Map<string, Piece>();
  const loose: Piece[] = [];
  const lines = rest.replaceAll('\r\n', '\n').split('\n');
  let open: Piece | null = null;
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    const [, fence] = FENCE.exec(line) ?? [];
    const name = nameOf(FIELD.exec(line)?.[1] ?? '');
    if (fence !== undefined) {
      const end = lines.findIndex((each, index) => index > at && each.trim() === fence);
      const block = { value: lines.slice(at + 1, end < 0 ? undefined : end).join('\n'), isBlock: true };
      if (open?.value.trim() === '') Object.assign(open, block);
      else loose.push(block);
      open = null;
      at = end < 0 ? lines.length : end;
    } else if (name !== undefined && !named.has(name)) {
      open = { value: FIELD.exec(line)?.[2] ?? '', isBlock: false };
      named.set(name, open);
    } else if (open !== null) open.value += `\n${line}`;
    else if (line.trim() !== '') {
      open = { value: line, isBlock: false };
      loose.push(open);
    }
  }
  for (const each of [...named.values(), ...loose]) if (!each.isBlock) each.value = each.value.trim();
  return { named, loose };
}
