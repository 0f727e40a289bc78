/** What is asked about JSON. */
import { parseJson, stepsOfPath, valueAt } from '../../../../tools/data-json-value.ts';
import type { ToolRequest } from '../../skill.ts';
import { COUNT, countIn, Words } from '../../reading/words.ts';
import { isJsonLike, type DataAsk } from './material.ts';

const CHECK =
  'valid|validate|invalid|check|verify|lint|well[- ]?formed|broken|malformed|parses?|wrong with|errors?';
const MINIFY = 'minify|minified|compact|compress';
const INDENT = 'reformat|format|prettify|pretty[- ]?print|beautify|indent|tidy|nicely';
const SORT_KEYS =
  '(?:and )?(?:sort(?:ed)?|alphabeti[sz]e)(?: (?:the|its|by))? keys|(?:with )?(?:the )?keys sorted|(?:with )?sorted keys';
const SPACES = `(?:with|by|to|at)? ?(?<spaces>${COUNT})[- ]spaces?(?: indent(?:ation)?)?`;
const LOOK_UP =
  /^(?:(?:get|what(?:['’]?s| is| are)|show(?: me)?|read|find|give me|extract) )?(?:the )?(?:value )?(?:(?:of|at|for) )?(?:the )?(?:(?:key|field|path) )?(?<path>[$\w][\w$.[\]"'-]{0,200}?)(?: (?:in|from|of|out of)(?: (?:this|that|the|it|json|object|data|following))*)?[\s?.!:]*$/i;
const NOT_A_PATH = new Set('this that it json the is a what here data value'.split(' '));

/** Recognises "is this valid JSON? {…}", "format this json", "get user.name from {…}". */
export function recogniseJson({ words, data, previous }: DataAsk): ToolRequest | null {
  const isJson = isJsonLike(data);
  if (!isJson && (previous !== null || !/\bjson\b/i.test(words))) return null;
  const asked = new Words(words);
  const isNamed = asked.take('json') !== null;
  const done = (tool: string, more: Record<string, unknown> = {}): ToolRequest => {
    asked.takeAll('json|correct|whether|ok');
    const unused = asked.unused();
    return { tool, input: { text: data, ...more }, ...(unused !== null && { unused }) };
  };
  const sortKeys = asked.take(SORT_KEYS) !== null;
  const spaces = countIn(asked.take(SPACES)?.['spaces'], 0);
  if (spaces > 8) asked.refuse(`${spaces} spaces`);
  const how = { ...(sortKeys && { sortKeys }), ...(spaces >= 1 && { indent: spaces }) };
  const isLaidOut = asked.take(INDENT) !== null;
  if (!isLaidOut && !sortKeys && asked.take(CHECK) !== null && (isNamed || isJson)) return done('check_json');
  if (!isJson) return null;
  if (asked.take(MINIFY) !== null) return done('format_json', { style: 'minified', ...how });
  if (isLaidOut || sortKeys || (spaces > 0 && previous?.tool === 'format_json'))
    return done('format_json', how);
  return lookUp(words, data);
}

function lookUp(words: string, data: string): ToolRequest | null {
  const path = LOOK_UP.exec(words)?.groups?.['path'];
  const steps = path === undefined ? [] : stepsOfPath(path);
  if (path === undefined || steps.length === 0 || NOT_A_PATH.has(path.toLowerCase())) return null;
  const isPath = /[\w\]]\.[\w$[]|\w\[\d+\]/.test(path);
  return isPath || isThere(data, steps) ? { tool: 'get_json_value', input: { text: data, path } } : null;
}

function isThere(data: string, steps: ReturnType<typeof stepsOfPath>): boolean {
  try {
    return valueAt(parseJson(data), steps).found;
  } catch {
    return false;
  }
}
