import { isExactNumber, parseExactly } from '../lib/exact-json.ts';
import { ToolError } from './tool.ts';
import { positionIn, scanJson } from './data-json-scan.ts';

/** Longest text that formatting may produce, in UTF-16 units: deep nesting could otherwise fill gigabytes with spaces. */
const MAX_INDENTED_LENGTH = 1_000_000;

/**
 * Parses JSON. A number that would change by being read as a JavaScript number (18 digits, "1.0") is kept as it is
 * written and comes out of `JSON.stringify` unchanged. Throws ToolError with the place of the mistake.
 */
export function parseJsonInput(text: string): unknown {
  assertJson(text);
  try {
    const value = parseExactly(text);
    // What can't be written again is nested too deeply to be worked on.
    JSON.stringify(value);
    return value;
  } catch {
    throw new ToolError('This JSON is nested too deeply.');
  }
}

/** True for objects and lists; a number kept as written is neither. */
export const isContainer = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !isExactNumber(value);

/** What a value from {@link parseJsonInput} is, in a word. */
export function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'list';
  if (isContainer(value)) return 'object';
  if (typeof value === 'string') return 'text';
  return typeof value === 'boolean' ? 'boolean' : 'number';
}

/** The same value with the keys of every object in order. */
export function keysSorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(keysSorted);
  if (!isContainer(value)) return value;
  const entries = Object.entries(value).map(([key, item]): [string, unknown] => [key, keysSorted(item)]);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
}

/** The tokens of valid JSON. */
const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

/** Formats JSON text with `indent` spaces a level, or without any white space for 0. Throws ToolError if it is not JSON. */
export function indentJson(text: string, indent: number): string {
  assertJson(text);
  const tokens = text.match(TOKENS) ?? [];
  if (indent === 0) return tokens.join('');
  let indented = '';
  let level = 0;
  tokens.forEach((token, index) => {
    const before = tokens[index - 1] ?? '';
    const isEnd = token === '}' || token === ']';
    const isFirst = before === '{' || before === '[';
    if (isEnd) level -= 1;
    // What is empty stays on one line.
    if (before === ',' || isEnd !== isFirst) indented += `\n${' '.repeat(level * indent)}`;
    indented += token === ':' ? ': ' : token;
    if (token === '{' || token === '[') level += 1;
    if (indented.length > MAX_INDENTED_LENGTH)
      throw new ToolError('Formatted, this JSON would be too long; it can be minified.');
  });
  return indented;
}

/** Throws ToolError with the place of the mistake. */
function assertJson(text: string): void {
  const scanned = scanJson(text);
  if (scanned.ok) return;
  const { line, column } = positionIn(text, scanned.offset);
  throw new ToolError(`This is not valid JSON (line ${line}, column ${column}): ${scanned.problem}`);
}

/** The steps of a path such as `$.user.emails[0]["a b"]`. */
export function stepsOfPath(path: string): string[] {
  const steps = Array.from(
    path.trim().matchAll(/\[\s*(?:"([^"\]]*)"\s*|'([^'\]]*)'\s*|([^\s[\]"'][^[\]"']*)?)\]|([^.[\]]+)/g),
    ([, double, single, index, name]) => double ?? single ?? index ?? name ?? '',
  ).map((step) => step.trim());
  return steps[0] === '$' ? steps.slice(1) : steps;
}

type Found = { found: true; value: unknown } | { found: false; missing: string };

/** The value that `steps` lead to, or the path up to the first step that leads nowhere. */
export function valueAt(root: unknown, steps: string[]): Found {
  let value = root;
  for (const [index, step] of steps.entries()) {
    if (!isContainer(value) || !Object.hasOwn(value, step))
      return { found: false, missing: steps.slice(0, index + 1).join('.') };
    value = (value as Record<string, unknown>)[step];
  }
  return { found: true, value };
}
