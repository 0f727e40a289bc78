/** A tool's form: its fields, from the schema that models get, and the message it is sent as. */
import type { ToolInfo } from '../../shared/api/agent.ts';
import { fenceFor } from '../../shared/file-block.ts';
import { entryExample, fieldKind, type FieldKind, type JsonSchema } from '../../shared/json-schema.ts';
import { inWords } from '../../shared/tool-title.ts';
import { words } from '../lib/words/index.ts';

/** A field of a form. */
export interface FormField {
  /** Its name in the schema. */
  name: string;
  label: string;
  hint: string;
  /** The default in words; empty: unknown, or the hint says it. */
  usual: string;
  kind: FieldKind;
  required: boolean;
  /** The options. */
  choices: readonly string[];
  /** For a number. */
  least?: number;
  most?: number;
  whole: boolean;
  /** For a text, in characters. */
  longest?: number;
  /** What an entry looks like. */
  example: string;
}

/** The fields of a tool's form, required ones first. */
export function formFieldsOf({ input }: Pick<ToolInfo, 'input'>): FormField[] {
  const { properties = {}, required = [] } = input as JsonSchema;
  return Object.entries(properties)
    .map(([name, schema]) => fieldOf(name, schema, required.includes(name)))
    .toSorted((one, other) => Number(other.required) - Number(one.required));
}

function fieldOf(name: string, schema: JsonSchema, required: boolean): FormField {
  return {
    name,
    label: inWords(name),
    ...hintOf(schema),
    kind: fieldKind(schema),
    required,
    choices: schema.enum?.map(String) ?? [],
    ...(schema.minimum !== undefined && { least: schema.minimum }),
    ...(schema.maximum !== undefined && { most: schema.maximum }),
    whole: schema.type === 'integer',
    ...(schema.maxLength !== undefined && { longest: schema.maxLength }),
    example: entryExample(schema.items ?? {}),
  };
}

const USUAL = /(?<!\s)\s*\bDefault (\S+)\.$/;

/** Descriptions are written for models: for choices, the default moves into the empty option, and true and false become yes and no. */
function hintOf(schema: JsonSchema): Pick<FormField, 'hint' | 'usual'> {
  const { description = '' } = schema;
  const kind = fieldKind(schema);
  if (kind !== 'flag' && kind !== 'choice') return { hint: description, usual: '' };
  const { yes, no } = words.composer.tools;
  const plain = (text: string): string =>
    kind === 'flag'
      ? text.replace(/\btrue\b/g, yes.toLowerCase()).replace(/\bfalse\b/g, no.toLowerCase())
      : text;
  const usual = USUAL.exec(description)?.[1] ?? '';
  return { hint: plain(description.replace(USUAL, '')), usual: plain(usual).replaceAll('_', ' ') };
}

/** What is wrong with a field's value; empty: nothing. */
export function faultOf({ kind, required, least, most, whole, longest }: FormField, value: string): string {
  const text = value.trim();
  const labels = words.composer.tools;
  if (text === '') return required ? labels.missing : '';
  if (kind === 'number') {
    const number = Number(text);
    const isIn = number >= (least ?? -Infinity) && number <= (most ?? Infinity);
    if (!isIn || (whole && !Number.isInteger(number))) return labels.number(whole, least, most);
  }
  return longest !== undefined && text.length > longest ? labels.tooLong(longest) : '';
}

/** The message that a filled-in form is sent as: `/tool`, the tool's name, and each field that isn't empty. */
export function writeForm(
  name: string,
  fields: readonly FormField[],
  values: Readonly<Record<string, string>>,
): string {
  const lines = fields.flatMap((field) => {
    const value = values[field.name] ?? '';
    return value.trim() === '' ? [] : [`${field.name}:${written(value)}`];
  });
  return [`/tool ${name}`, ...lines].join('\n');
}

/** On the field's own line if that loses nothing, else as a block. */
function written(value: string): string {
  if (!value.includes('\n') && value === value.trim()) return ` ${value}`;
  const fence = fenceFor(value);
  return `\n${fence}\n${value}\n${fence}`;
}
