import { Type } from 'typebox';
import { choice } from '../../shared/api/common.ts';
import { defineTool, ToolError } from './tool.ts';
import {
  isContainer,
  keysSorted,
  kindOf,
  indentJson,
  parseJsonInput,
  stepsOfPath,
  valueAt,
} from './data-json-value.ts';
import { positionIn, scanJson } from './data-json-scan.ts';

/** How much of the text around a mistake is shown, in UTF-16 units either side. */
const EXCERPT_LENGTH = 30;

const text = Type.String({ description: 'The JSON text.' });

/** Whether a text is JSON, and if so what it holds, or what is wrong and where. */
interface JsonCheck {
  valid: boolean;
  /** What it is at its top: object, list, text, number, boolean or null; and how many entries an object or list has. */
  kind?: string;
  entries?: number;
  problem?: string;
  /** From 1. */
  line?: number;
  /** In characters, from 1. */
  column?: number;
  /** The text around the mistake, on its line. */
  before?: string;
  after?: string;
}

/** Says whether a text is JSON and, if not, what is wrong and where. */
export const checkJsonTool = defineTool({
  name: 'check_json',
  description:
    'Checks whether a text is valid JSON. If it is not, says what is wrong and in which line and column; if it is, what it holds.',
  input: Type.Object({ text }),
  run({ text }): JsonCheck {
    const scanned = scanJson(text);
    if (scanned.ok) {
      const { value } = scanned;
      const entries = isContainer(value) ? { entries: Object.keys(value).length } : {};
      return { valid: true, kind: kindOf(value), ...entries };
    }
    const { problem, offset } = scanned;
    const before = text.slice(Math.max(0, offset - EXCERPT_LENGTH), offset).split(/[\r\n]/);
    const [after = ''] = text.slice(offset, offset + EXCERPT_LENGTH).split(/[\r\n]/);
    return { valid: false, problem, ...positionIn(text, offset), before: before.at(-1) ?? '', after };
  },
});

/** Formats JSON for reading, or minifies it. */
export const formatJsonTool = defineTool({
  name: 'format_json',
  description:
    'Formats JSON: indented for reading (the default), or minified to one line without spaces. Values stay exactly as they ' +
    'are written; the keys of objects can be sorted.',
  input: Type.Object({
    text,
    style: Type.Optional(choice(['indented', 'minified'], 'Default indented.')),
    indent: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 8, description: 'Spaces for each level. Default 2.' }),
    ),
    sortKeys: Type.Optional(
      Type.Boolean({ description: 'Put the keys of every object in order. Default false.' }),
    ),
  }),
  run({ text, style = 'indented', indent = 2, sortKeys = false }) {
    const source = sortKeys ? JSON.stringify(keysSorted(parseJsonInput(text))) : text;
    return { text: indentJson(source, style === 'minified' ? 0 : indent) };
  },
});

/** Looks one value up in JSON. */
export const getJsonValueTool = defineTool({
  name: 'get_json_value',
  description: 'Looks up one value in JSON by its path, such as user.emails[0].address.',
  input: Type.Object({
    text,
    path: Type.String({ description: 'Keys with dots between them; list positions from 0 in brackets.' }),
  }),
  run({ text, path }): { found: boolean; kind?: string; text?: string; missing?: string } {
    const steps = stepsOfPath(path);
    if (steps.length === 0) throw new ToolError('Say which value to look up, such as user.name.');
    const result = valueAt(parseJsonInput(text), steps);
    if (!result.found) return result;
    const { value } = result;
    return {
      found: true,
      kind: kindOf(value),
      text: typeof value === 'string' ? value : indentJson(JSON.stringify(value), 2),
    };
  },
});
